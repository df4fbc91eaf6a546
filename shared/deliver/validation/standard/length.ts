import { iso2709 } from "../../../marc/iso2709.ts";
import type { ControlField, DataField, MarcRecord } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";

const { leaderBytes, directoryEntryBytes, maxFieldBytes, maxRecordBytes } = iso2709;

/** The maximum number of UTF-8 bytes per unit of `length`, which counts characters beyond U+FFFF twice. */
const maxBytesPerUnit = 3;

/**
 * Checks that each field and the whole record fit into ISO 2709, because receivers' catalogues use ISO 2709 regardless
 * of the format of delivery.
 * @see https://www.loc.gov/marc/specifications/specrecstruc.html
 */
export function checkLength(record: MarcRecord, found: Violation[]): void {
  let maxBytes = leaderBytes + 2;
  for (const field of record.control) {
    const most = field[1].length * maxBytesPerUnit + 1;
    maxBytes += most + directoryEntryBytes;
    if (most > maxFieldBytes) checkField(field[0], controlBytes(field), found);
  }
  for (const field of record.fields) {
    let units = 0;
    for (const subfield of field[2]) units += subfield[1].length;
    const most = units * maxBytesPerUnit + overheadBytes(field);
    maxBytes += most + directoryEntryBytes;
    // Counting bytes takes ten times as long as adding lengths, so bytes are counted only for long fields.
    if (most > maxFieldBytes) checkField(field[0], fieldBytes(field), found);
  }
  if (maxBytes > maxRecordBytes) checkRecord(record, found);
}

/**
 * Returns the bytes for the indicators, for the delimiter and the code of each subfield, and for the end of the field.
 */
function overheadBytes([, , subfields]: DataField): number {
  return 3 + 2 * subfields.length;
}

function controlBytes([, value]: ControlField): number {
  return Buffer.byteLength(value) + 1;
}

function fieldBytes(field: DataField): number {
  return field[2].reduce((bytes, [, value]) => bytes + Buffer.byteLength(value), overheadBytes(field));
}

function checkField(tag: string, bytes: number, found: Violation[]): void {
  if (bytes <= maxFieldBytes) return;
  const reason = `${tag}: the field has ${bytes} of ${maxFieldBytes} possible bytes`;
  found.push({ ruleId: "field-too-long", tag, level: "standard", reason });
}

function checkRecord({ control, fields }: MarcRecord, found: Violation[]): void {
  const sizes = [...control.map(controlBytes), ...fields.map(fieldBytes)];
  const bytes = sizes.reduce((sum, size) => sum + size + directoryEntryBytes, leaderBytes + 2);
  if (bytes <= maxRecordBytes) return;
  const reason = `LDR: the record has ${bytes} of ${maxRecordBytes} possible bytes`;
  found.push({ ruleId: "record-too-long", tag: "LDR", level: "standard", reason });
}
