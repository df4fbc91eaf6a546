import type { BuiltIndex } from "./build/index-answer.ts";
import type { IndexEntry } from "./index-entry.ts";

/**
 * Finds the first capture of a URL with this content in a stored index; undefined if there is none.
 * @param digest case-insensitive, without the name of its algorithm
 */
export type LookUpOriginal = (
  index: BuiltIndex,
  url: string,
  digest: string,
) => Promise<IndexEntry | undefined>;
