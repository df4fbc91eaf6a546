import type { DataField, MarcRecord } from "./record.ts";

/** The value of the first control field of that tag. */
export function controlValue(record: MarcRecord, tag: string): string | undefined {
  return record.control.find(([controlTag]) => controlTag === tag)?.[1];
}

/** The data fields of that tag, in order. */
export function fieldsOf(record: MarcRecord, tag: string): DataField[] {
  return record.fields.filter(([fieldTag]) => fieldTag === tag);
}

/** The values of a subfield over all fields of that tag, in order. */
export function subfieldsOf(record: MarcRecord, tag: string, code: string): string[] {
  return fieldsOf(record, tag).flatMap((field) => valuesIn(field, code));
}

/** The values of a subfield within one field, in order. */
export function valuesIn([, , subfields]: DataField, code: string): string[] {
  return subfields.filter(([subfieldCode]) => subfieldCode === code).map(([, value]) => value);
}
