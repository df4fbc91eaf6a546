import * as z from "zod";
import { patternText } from "../../core/pattern.ts";
import { dateFormatText } from "./date-format.ts";
import { filters } from "./filters.ts";
import { subgroup } from "./group.ts";
import { hostDelays } from "./host-delays.ts";
import { licencesByIssn } from "./licence.ts";

const delayMs = z.number().int().nonnegative();
const seconds = z.number().int().positive();

/** Settings for all sources. */
export const settings = z
  .object({
    /** The strptime formats for the dates of all sources, tried in this order. */
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
    /** Whether records of items without a date get the year of the harvest, as in the Zotero Harvester. */
    currentYearIfUndated: z.boolean().default(false),
    /** Whether records without volume and issue are dropped even when they have a DOI. */
    skipOnlineFirst: z.boolean().default(false),
    reviewRegex: patternText.optional(),
    notesRegex: patternText.optional(),
    filters: filters.prefault({}),

    /** The delay between two requests to a host; `maxDelayMs` is the longest delay that robots.txt may request. */
    defaultDelayMs: delayMs.default(1000),
    maxDelayMs: delayMs.default(5000),
    /** Delays by host. A crawl-delay in the robots.txt of such a host is ignored. */
    hostDelays: hostDelays.prefault({}),
    crawlTimeoutSeconds: seconds.default(1800),
    requestTimeoutSeconds: seconds.default(60),

    /** Words that are not part of a name, such as "Editor". */
    nameBlacklist: z.array(z.string().min(1)).default([]),
    /** Keywords that name a form; they go to 655 instead of 650. Case is ignored. */
    genreKeywords: z.array(z.string().min(1)).default([]),
    /** The licences of sources that have no licence setting. */
    licences: licencesByIssn.default({}),
    subgroups: z.array(subgroup).default([]),
    /** Kept for the file format, but not used. */
    enhancementMapsDirectory: z.string().optional(),
  })
  .refine((value) => value.defaultDelayMs <= value.maxDelayMs, {
    path: ["maxDelayMs"],
    message: "must not be less than the default delay",
  });
export type Settings = z.output<typeof settings>;
export type NewSettings = z.input<typeof settings>;
