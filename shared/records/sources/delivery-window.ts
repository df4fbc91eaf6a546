import type { Source } from "./source.ts";

/** The days that a source without a window of its own may be without a delivery. */
export const defaultWindowDays = 60;

/** The days that a source may be without a delivery. */
export function deliveryWindowDays({ updateWindowDays }: Pick<Source, "updateWindowDays">): number {
  return updateWindowDays || defaultWindowDays;
}
