import * as z from "zod";

/** Returns the schema of a whole number from 1, written in digits. `1e2`, `0x10` and `+5` are refused. */
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

/** Returns the schema of the largest number of entries of a page. */
export function pageLimit({ most, otherwise }: { most: number; otherwise: number }) {
  return wholeNumber({ most }).default(otherwise).describe("Entries per page");
}

/** The description of the parameter that continues a list. */
export const afterText = "The `next` of the previous page";

/** The member of a response that continues a list. It is absent on the last page. */
export const next = z
  .string()
  .optional()
  .describe("Send this value as `after` to get the next page; absent on the last page");

/** Returns the parameters of a list whose entries are all read at once, and paged by one of their keys. */
export function pageQuery(limits: { most: number; otherwise: number }) {
  return z.strictObject({
    limit: pageLimit(limits),
    after: z.string().min(1).max(400).optional().describe(afterText),
  });
}

/**
 * Returns a page of the entries, in the order of their keys, which must be unique. `next` is the key of the page's last
 * entry.
 */
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

/** The position at which a page of a list in a fixed order begins. */
export const afterPosition = z
  .string()
  .regex(/^\d{1,9}$/, "must be the `next` of the previous page")
  .transform(Number)
  .meta({ type: "string", pattern: "^\\d{1,9}$" })
  .optional()
  .describe(afterText);

/** Returns a page of entries in a fixed order. */
export function pageByPosition<Entry>(
  entries: readonly Entry[],
  { limit, after = 0 }: { limit: number; after?: number | undefined },
): { page: Entry[]; next?: string } {
  const end = after + limit;
  return { page: entries.slice(after, end), ...(end < entries.length && { next: String(end) }) };
}
