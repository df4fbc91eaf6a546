import type { DataField, MarcRecord } from "./record.ts";

/** The value of the first control field of that tag. */
export function controlFieldValue(record: MarcRecord, tag: string): string | undefined {
  return record.control.find((field) => field[0] === tag)?.[1];
}

/** The data fields of that tag, in order. */
export function fieldsOf(record: MarcRecord, tag: string): DataField[] {
  return record.fields.filter((field) => field[0] === tag);
}

/** The values of a subfield over all fields of that tag, in order. */
export function subfieldValues(record: MarcRecord, tag: string, code: string): string[] {
  return fieldsOf(record, tag).flatMap((field) => subfieldValuesIn(field, code));
}

/** The values of a subfield within one field, in order. */
export function subfieldValuesIn(field: DataField, code: string): string[] {
  return field[2].filter((subfield) => subfield[0] === code).map((subfield) => subfield[1]);
}
