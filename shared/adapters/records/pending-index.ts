import { documentsByPendingIndex } from "../../names.ts";
import { expression } from "../aws/expression.ts";
import type { QueryTable } from "../aws/table.ts";

/** The parts of an index of pending changes, because one part accepts only a thousand writes per second. */
export const pendingParts = ["0", "1", "2", "3", "4", "5", "6", "7"];

/** Returns a value with the part in which the sparse index lists the value while it is pending. @param id a digest */
export function withPendingPart(value: { pendingSince?: string }, id: string): object {
  if (value.pendingSince === undefined) return value;
  return { ...value, pendingIn: partOf(id) };
}

function partOf(id: string): string {
  return pendingParts[id.charCodeAt(0) % pendingParts.length] ?? "0";
}

/**
 * Returns the attributes that mark a change as not logged yet: the keys of the sparse index that the writer of the
 * change log reads.
 * @param id the id of the record or document
 * @param mark the time of the change, and what no other change of the same thing has
 */
export function unloggedMark(id: string, mark: string): { unloggedIn: string; unlogged: string } {
  return { unloggedIn: partOf(id), unlogged: mark };
}

/** The names of these attributes. */
export const unloggedNames = ["unloggedIn", "unlogged"] as const;

/** Returns the keys of at most `limit` changes that have been pending since before the given time. */
export async function listPendingKeys<Key>(
  query: QueryTable<Key>,
  before: string,
  limit: number,
): Promise<Key[]> {
  const keys: Key[] = [];
  for (const part of pendingParts) {
    if (keys.length >= limit) break;
    const where = expression`pendingIn = ${part} AND pendingSince < ${before}`;
    keys.push(...(await query({ index: documentsByPendingIndex, where }).first(limit - keys.length)));
  }
  return keys;
}
