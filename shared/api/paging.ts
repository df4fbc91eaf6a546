import { z } from "zod";

/** A whole number from 1 on, in digits: `1e2`, `0x10` and `+5` are refused. */
export function wholeNumber({ most }: { most: number }) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most,
      `must be a whole number from 1 to ${most}, in digits`,
    )
    .transform(Number)
    .meta({ type: "integer", minimum: 1, maximum: most });
}

/** How many entries a page has at most. */
export function pageLimit({ most, otherwise }: { most: number; otherwise: number }) {
  return wholeNumber({ most }).default(otherwise).describe("Entries per page");
}

/** Describes the parameter that continues a list. */
export const afterText = "Where the page begins: the `next` of the page before";

/** In an answer: absent on the last page. */
export const next = z
  .string()
  .optional()
  .describe("Give it as `after` to get the next page; absent on the last one");
