import * as z from "zod";
import { dateFormatText } from "./date-format.ts";
import { filters } from "./filters.ts";
import { subgroup } from "./group.ts";
import { hostDelays } from "./host-delays.ts";
import { licencesByIssn } from "./licence.ts";
import { patternText } from "./pattern.ts";

const delayMs = z.number().int().nonnegative();
const seconds = z.number().int().positive();

/** Settings for all sources. */
export const settings = z
  .object({
    /** strptime formats for dates of all sources, tried in this order. */
    commonDateFormats: z
      .array(dateFormatText)
      .default([
        "%Y-%m",
        "%Y/%m",
        "%d/%m/%Y",
        "%Y/%m/%d",
        "%Y-%m-%d",
        "%b %d, %Y",
        "%Y",
        "%m/%Y",
        "%a, %d %b %Y %H:%M:%S %Z",
        "%a, %d %b %Y %H:%M:%S %z",
        "%Y-%m-%dT%H:%M:%S%z",
        "%b %Y",
      ]),
    /** Give records of items without any date the year of the harvest, as the Zotero Harvester does. */
    currentYearIfUndated: z.boolean().default(false),
    /** Drop records without volume and issue even when they have a DOI. */
    skipOnlineFirst: z.boolean().default(false),
    reviewRegex: patternText.optional(),
    notesRegex: patternText.optional(),
    filters: filters.prefault({}),

    /** The delay between two requests to a host, and the longest one that robots.txt may ask for. */
    defaultDelayMs: delayMs.default(1000),
    maxDelayMs: delayMs.default(5000),
    /** By host. A crawl-delay in such a host's robots.txt is ignored. */
    hostDelays: hostDelays.prefault({}),
    crawlTimeoutSeconds: seconds.default(1800),
    requestTimeoutSeconds: seconds.default(60),

    /** Words that are not part of a name, e.g. "Editor". */
    nameBlacklist: z.array(z.string().min(1)).default([]),
    /** Keywords that name a form and go to 655 instead of 650; compared without regard to case. */
    genreKeywords: z.array(z.string().min(1)).default([]),
    /** For sources without a licence of their own. */
    licences: licencesByIssn.default({}),
    subgroups: z.array(subgroup).default([]),
    /** Kept for the file format, unused. */
    enhancementMapsDirectory: z.string().optional(),
  })
  .refine((value) => value.defaultDelayMs <= value.maxDelayMs, {
    path: ["maxDelayMs"],
    message: "must not be less than the default delay",
  });
export type Settings = z.output<typeof settings>;
export type NewSettings = z.input<typeof settings>;
