import type { MarcRecord } from "./record.ts";

/**
 * What a reader yields, in the order of the input.
 * - `record`: one record that fits the structure of MARC-21
 * - `malformed`: one record that cannot be used; reading goes on with the next
 * - `broken`: the input cannot be read any further; always the last
 *
 * Reasons name the record (counted from 1) and its place: the byte in ISO 2709, the line in MARCXML.
 */
export type ReadOutcome =
  | { type: "record"; record: MarcRecord }
  | { type: "malformed"; reason: string }
  | { type: "broken"; reason: string };

/** A file, a response or an upload in pieces, cut anywhere. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
