import type { MarcRecord } from "./record.ts";

/**
 * What a reader yields, in the order of the input.
 * - `record`: one record that fits the structure of MARC-21
 * - `malformed`: one record that cannot be used; reading continues with the next
 * - `broken`: what is wrong with the input beside its records, such as that it ends too early; what follows is read
 *
 * Reasons name the record (counted from 1) and its place: the byte in ISO 2709, the line in MARCXML.
 */
export type ReadOutcome =
  | { type: "record"; record: MarcRecord }
  | MalformedRecord
  | { type: "broken"; reason: string };

export interface MalformedRecord {
  type: "malformed";
  /** Its place in the input, from 1. */
  number: number;
  /** Its field 001, if it could be read. */
  controlNumber?: string;
  reason: string;
}

/** The chunks of a file, a response or an upload. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
