import type { MarcRecord } from "./record.ts";

/** A record in MARC-in-JSON. Each field, in order, is an object with a single tag. */
export interface MarcJson {
  leader: string;
  fields: Record<string, string | MarcJsonField>[];
}

interface MarcJsonField {
  ind1: string;
  ind2: string;
  subfields: Record<string, string>[];
}

/**
 * Converts a record to MARC-in-JSON. @see https://rossfsinger.com/blog/2010/09/a-proposal-to-serialize-marc-in-json/
 */
export function toMarcJson({ leader, control, fields }: MarcRecord): MarcJson {
  return {
    leader,
    fields: [
      ...control.map(([tag, value]) => ({ [tag]: value })),
      ...fields.map(([tag, [ind1 = " ", ind2 = " "], subfields]) => ({
        [tag]: { ind1, ind2, subfields: subfields.map(([code, value]) => ({ [code]: value })) },
      })),
    ],
  };
}
