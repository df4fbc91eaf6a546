import { documentsByPendingIndex } from "../../names.ts";
import { expression } from "../aws/expression.ts";
import type { QueryTable } from "../aws/table.ts";

/** The parts of an index of pending changes, because one part accepts only a thousand writes per second. */
const pendingParts = ["0", "1", "2", "3", "4", "5", "6", "7"];

/** Returns a value with the part in which the sparse index lists the value while it is pending. @param id a digest */
export function withPendingPart(value: { pendingSince?: string }, id: string): object {
  if (value.pendingSince === undefined) return value;
  return { ...value, pendingIn: pendingParts[id.charCodeAt(0) % pendingParts.length] ?? "0" };
}

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
