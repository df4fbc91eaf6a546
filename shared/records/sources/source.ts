import * as z from "zod";
import { titleSchema } from "../../core/title.ts";
import { withoutCredentials } from "../../core/url-credentials.ts";
import { setAudiences } from "../../formats/oai/set-audience.ts";
import { dateFormatText, dateLocale } from "./date-format.ts";
import { filters } from "./filters.ts";
import { oaiSettings } from "./oai-settings.ts";
import { patternText } from "./pattern.ts";
import { recordText } from "./record-text.ts";

/** The types that a `zotero_harvester.conf` knows. */
export const journalTypes = ["RSS", "CRAWL", "DIRECT", "APIQUERY", "EMAIL"] as const;
export const sourceTypes = [...journalTypes, "OAI-PMH", "UPLOAD", "FILE", "FOLDER"] as const;
export type SourceType = (typeof sourceTypes)[number];

export const deliveryModes = ["NONE", "TEST", "LIVE"] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

/** An ISSN and the number of its title record in the union catalogue; used together or not at all. */
const edition = z.object({
  issn: recordText.optional(),
  ppn: recordText.optional(),
});

/**
 * - `compare`: an item's language is kept when it is the expected (or detected) one
 * - `detect` (`?`): the detected language counts, the item's own does not
 * - `force` (`!`): every record gets all expected languages
 * - `translator` (`=`): the item's languages are kept when all of them are expected
 */
const languageModes = ["compare", "detect", "force", "translator"] as const;

export const detectableFields = ["title", "abstract", "title+abstract"] as const;

export const expectedLanguages = z.object({
  mode: z.enum(languageModes).default("compare"),
  /** The text that the language is detected from. */
  detectFrom: z.enum(detectableFields).default("title"),
  /** MARC codes, e.g. `ger`. */
  codes: z.array(z.string().regex(/^[a-z]{2,4}$/, "must be a language code in lower case")).min(1),
});
export type ExpectedLanguages = z.output<typeof expectedLanguages>;

const positiveInteger = z.number().int().positive();
const count = z.number().int().nonnegative();

/** The most that the gate accepts: it would reject longer throttles, and the run would never finish. */
const throttleMs = count.max(3_600_000);

const sourceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, "must be 1 to 128 of a-z, 0-9, '.', '_' and '-'");

/** Where records come from: a journal, with the settings of its harvest, conversion and delivery. */
export const source = z.object({
  /** Stable and unique, e.g. `ixtheo-1167` (instance and Zeder id) or a slug. */
  sourceId,
  /** The journal's title, as in 773 $t. */
  title: titleSchema(1000),
  type: z.enum(sourceTypes),
  url: z
    .url({ protocol: /^https?$/ })
    .max(4000)
    .overwrite(withoutCredentials),
  groupId: z.string().min(1),
  subgroupId: z.string().min(1).optional(),
  /** The collection whose link rule and link status its records share. By default its own, whose id is the source's. */
  collectionId: sourceId.optional(),
  /** The audiences of its records: checks of its set advise against a second way. */
  audiences: z.array(z.enum(setAudiences)).optional(),
  deliveryMode: z.enum(deliveryModes).default("NONE"),
  /** Days between two deliveries after which the source is overdue; 0 = the default of the overdue check. */
  updateWindowDays: count.default(0),
  /** The day from which a source that never delivered becomes overdue. */
  addedAt: z.iso.date().optional(),
  /** Delay between two requests, instead of the host's. */
  throttleMs: throttleMs.optional(),
  /**
   * Whether a Disallow in robots.txt holds for its feeds, OAI-PMH pages and single articles; crawled pages always obey.
   */
  obeyRobots: z.boolean().default(true),

  /** The id in the Zeder database of serials. A source that has one needs a complete ISSN and PPN pair. */
  zederId: z.string().regex(/^\d+$/, "must be a number").optional(),
  zederModifiedTime: z.string().optional(),
  /** New from Zeder and not reviewed yet: left out of daily runs. */
  newlySynced: z.boolean().default(false),
  /** An operator has paused it: left out of daily runs and polls, and not overdue. A run that names it reads it. */
  paused: z.boolean().default(false),
  online: edition.optional(),
  print: edition.optional(),

  /** strptime formats, tried before the common ones, and the locales whose names of months are read. */
  dateFormats: z
    .object({ locales: z.array(dateLocale).default([]), formats: z.array(dateFormatText).default([]) })
    .prefault({}),
  expectedLanguages: expectedLanguages.optional(),
  reviewRegex: patternText.optional(),
  notesRegex: patternText.optional(),
  /** Collection focus of the specialised information service, e.g. `FG_1` (084). */
  ssgn: recordText.optional(),
  /** Licence code: LF free, KF free by cooperation, ZZ unknown, KW not given. */
  license: recordText.optional(),
  /** Deep indexing of persons: `J` marks records whose authors are not all linked. */
  tiefp: recordText.default("-"),
  selectiveEvaluation: z.boolean().default(false),
  /** Codes that go to 935 $a. */
  additionalSelectors: z.array(recordText).default([]),
  /** A record without volume and issue but with pages is not online-first. */
  pagesNotOnlineFirst: z.boolean().default(false),

  crawl: z
    .object({
      maxDepth: count.default(0),
      /** URLs that match are harvested; without it all are. */
      extractionRegex: patternText.optional(),
      /** URLs that match are followed; without it all but those that match the extraction expression. */
      urlRegex: patternText.optional(),
      /** The most pages that one run requests. */
      maxPages: positiveInteger.max(5000).default(1000),
      /** Whether the site's sitemaps are read, too, for URLs that match the extraction expression. */
      sitemaps: z.boolean().default(false),
    })
    .prefault({}),
  email: z.object({ subjectRegex: patternText.optional() }).prefault({}),
  /** A feed in pages: page numbers in order (all when absent), entries per page, and the delay between two pages. */
  pagedRss: z
    .object({
      pages: z.array(positiveInteger).min(1).max(1000).optional(),
      size: positiveInteger.optional(),
      delayMs: throttleMs.default(0),
    })
    .optional(),
  /** The list of an OAI-PMH repository, whose base URL is `url`. */
  oai: oaiSettings.prefault({}),
  /** For the type FOLDER, the objects of a bucket whose keys begin with the prefix, such as `theses/`. */
  folder: z
    .strictObject({
      bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket"),
      prefix: z
        .string()
        .max(500)
        .regex(
          /^(?!\/)(?!(.*\/)?\.{1,2}(\/|$))(.*\/)?$/,
          "must be empty or a path that ends with /, such as theses/",
        )
        .default(""),
    })
    .optional(),
  /** When it is read: on its own interval, or once; absent: by the daily run. */
  reading: z
    .discriminatedUnion("mode", [
      z.strictObject({ mode: z.literal("asynchronous"), everyMinutes: positiveInteger.min(5).max(43_200) }),
      z.strictObject({ mode: z.literal("synchronous") }),
    ])
    .optional(),

  filters: filters.prefault({}),
});
export type Source = z.output<typeof source>;
export type NewSource = z.input<typeof source>;

/** A source as it is stored. */
export type StoredSource = Source & {
  /** An operator has added it; absent: it was imported. */
  isAdded?: true;
};
