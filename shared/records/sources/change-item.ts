import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import type { ConfigurationStore } from "./conf/configuration-store.ts";
import type { ConfigurationItem } from "./configuration.ts";

/**
 * Decides whether a change is meant for the stored version of an item. `revision` is the number of writes of the item.
 */
export type IsMeant = (revision: number | undefined) => boolean;

/** The number of attempts at a change while other requests write the same item. */
const maxAttempts = 5;
const retryAfterMs = 1_000;

/**
 * Attempts a change, based on the latest state of an item, until it succeeds.
 * @param attempt returns undefined when another request has written the item meanwhile
 * @returns undefined when the item does not exist
 * @throws ThrottledError when concurrent requests keep changing the item
 */
export async function changeRepeatedly<Result>(
  { kind, id }: Pick<ConfigurationItem, "kind" | "id">,
  { configuration, clock }: { configuration: Pick<ConfigurationStore, "item">; clock: Clock },
  attempt: (before: ConfigurationItem) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let tries = 1; tries <= maxAttempts; tries += 1) {
    const before = await configuration.item({ kind, id });
    if (before === undefined) return undefined;
    const result = await attempt(before);
    if (result !== undefined) return result;
  }
  const retryAt = new Date(clock.now().getTime() + retryAfterMs);
  throw new ThrottledError(`${kind} ${id} is being changed by another request: try again`, retryAt);
}

/** Returns a text that is the same for equal fields, even after they have been stored and read again. */
export function contentOf(value: object): string {
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, sorted(each)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
