import { createHash } from "node:crypto";

/**
 * The maximum number of ids in a name. Longer lists are named by a digest, because the length of file names
 * is limited.
 */
const longestList = 4;

/**
 * Returns the name of an index, as in NetarchiveSuite: the ids of its jobs in ascending order, joined by `-`.
 * For more than four ids, the name has the first four ids and the MD5 of all ids.
 */
export function indexName(jobIds: readonly number[]): string {
  const ids = [...new Set(jobIds)].sort((a, b) => a - b);
  const all = ids.join("-");
  if (ids.length === 0) return "empty";
  if (ids.length <= longestList) return all;
  return `${ids.slice(0, longestList).join("-")}-${createHash("md5").update(all).digest("hex")}`;
}
