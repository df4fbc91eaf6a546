import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import type { ConfigurationStore } from "./conf/configuration-store.ts";
import type { ConfigurationItem } from "./configuration.ts";

/** Whether a change is meant for the item as it is stored: `revision` counts its writes. */
export type IsMeant = (revision: number | undefined) => boolean;

/** Attempts at a change while others write the same item. */
const maxAttempts = 5;
const retryAfterMs = 1_000;

/**
 * Attempts a change on the latest state of an item until it succeeds.
 * @param attempt undefined when others have written the item meanwhile
 * @returns undefined when there is no such item
 * @throws ThrottledError when others keep changing it
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

/** A text that is the same for the same fields, as they come back from a store. */
export function contentOf(value: object): string {
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, sorted(each)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
