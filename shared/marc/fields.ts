import type { DataField, MarcRecord } from "./record.ts";

/** Returns the value of the first control field with that tag. */
export function controlFieldValue(record: MarcRecord, tag: string): string | undefined {
  return record.control.find((field) => field[0] === tag)?.[1];
}

/** Returns the data fields with that tag, in order. */
export function fieldsOf(record: MarcRecord, tag: string): DataField[] {
  return record.fields.filter((field) => field[0] === tag);
}

/** Returns the values of a subfield in all fields with that tag, in order. */
export function subfieldValues(record: MarcRecord, tag: string, code: string): string[] {
  return fieldsOf(record, tag).flatMap((field) => subfieldValuesIn(field, code));
}

/** Returns the values of a subfield in one field, in order. */
export function subfieldValuesIn(field: DataField, code: string): string[] {
  return field[2].filter((subfield) => subfield[0] === code).map((subfield) => subfield[1]);
}
