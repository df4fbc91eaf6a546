import * as z from "zod";

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
export const afterText = "The `next` of the previous page";

/** In an answer: absent on the last page. */
export const next = z
  .string()
  .optional()
  .describe("Send this value as `after` to get the next page; absent on the last page");

/** The parameters of a list whose entries are all read at once, and paged by a key of theirs. */
export function pageQuery(limits: { most: number; otherwise: number }) {
  return z.strictObject({
    limit: pageLimit(limits),
    after: z.string().min(1).max(400).optional().describe(afterText),
  });
}

/** A page of the entries, in the order of their keys, which are unique; `next` is the key of its last entry. */
export function pageByKey<Entry>(
  entries: readonly Entry[],
  { limit, after }: { limit: number; after?: string | undefined },
  keyOf: (entry: Entry) => string,
): { page: Entry[]; next?: string } {
  const left = entries
    .filter((entry) => after === undefined || keyOf(entry) > after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = left.slice(0, limit);
  const last = left.length > limit ? page.at(-1) : undefined;
  return { page, ...(last !== undefined && { next: keyOf(last) }) };
}

/** Where a page of a list in a fixed order begins: a position in it. */
export const afterPosition = z
  .string()
  .regex(/^\d{1,9}$/, "must be the `next` of the previous page")
  .transform(Number)
  .meta({ type: "string", pattern: "^\\d{1,9}$" })
  .optional()
  .describe(afterText);

/** A page of entries in a fixed order. */
export function pageByPosition<Entry>(
  entries: readonly Entry[],
  { limit, after = 0 }: { limit: number; after?: number | undefined },
): { page: Entry[]; next?: string } {
  const end = after + limit;
  return { page: entries.slice(after, end), ...(end < entries.length && { next: String(end) }) };
}
