import type { MarcRecord } from "./record.ts";

/**
 * The result of a reader, in the order of the input.
 * - `record`: a record that fits the structure of MARC-21
 * - `malformed`: a record that cannot be used; reading continues with the next record
 * - `broken`: a fault of the input outside its records, such as an early end; reading continues after the fault
 * Reasons name the record (counted from 1) and its place: the byte in ISO 2709, the line in MARCXML.
 */
export type ReadOutcome =
  | { type: "record"; record: MarcRecord }
  | MalformedRecord
  | { type: "broken"; reason: string };

export interface MalformedRecord {
  type: "malformed";
  /** The number of the record in the input, from 1. */
  number: number;
  /** The value of field 001, if it could be read. */
  controlNumber?: string;
  reason: string;
}

/** The chunks of a file, a response or an upload. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
