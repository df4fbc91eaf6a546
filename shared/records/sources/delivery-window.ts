import type { Source } from "./source.ts";

/** The number of days without a delivery after which a source is overdue, if the source has no separate setting. */
export const defaultWindowDays = 60;

/** Returns the number of days without a delivery after which a source is overdue. */
export function deliveryWindowDays({ updateWindowDays }: Pick<Source, "updateWindowDays">): number {
  return updateWindowDays || defaultWindowDays;
}
