import type { MarcRecord } from "./record.ts";

/**
 * What a reader yields, in the order of the input.
 * - `record`: one record that fits the structure of MARC-21
 * - `malformed`: one record that cannot be used; reading continues with the next
 * - `broken`: the rest of the input cannot be read; always the last outcome
 *
 * Reasons name the record (counted from 1) and its place: the byte in ISO 2709, the line in MARCXML.
 */
export type ReadOutcome =
  | { type: "record"; record: MarcRecord }
  | { type: "malformed"; reason: string }
  | { type: "broken"; reason: string };

/** The chunks of a file, a response or an upload. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
