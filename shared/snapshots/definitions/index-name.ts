import { createHash } from "node:crypto";

/** More ids are named by a digest, because names of files are limited. */
const longestList = 4;

/**
 * The name of an index, as NetarchiveSuite names it: the ids of its jobs in ascending order, joined by `-`; of more than four
 * the first four and the MD5 of all.
 */
export function indexName(jobIds: readonly number[]): string {
  const ids = [...new Set(jobIds)].sort((a, b) => a - b);
  const all = ids.join("-");
  if (ids.length === 0) return "empty";
  if (ids.length <= longestList) return all;
  return `${ids.slice(0, longestList).join("-")}-${createHash("md5").update(all).digest("hex")}`;
}
