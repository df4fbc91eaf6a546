import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { patternText } from "../../core/pattern.ts";
import { titleSchema } from "../../core/title.ts";
import { withoutCredentials } from "../../core/url-credentials.ts";
import { setAudiences } from "../../formats/oai/set-audience.ts";
import type { ConfigurationTable } from "./configuration-fields.ts";
import { crosswalk } from "./crosswalk-fields.ts";
import { crosswalkLines } from "./crosswalk-lines.ts";
import { dateFormatText, dateLocale } from "./date-format.ts";
import { deletionFields } from "./deletion-fields.ts";
import { deliveryModes } from "./delivery-mode.ts";
import { expectedLanguages } from "./expected-languages.ts";
import { filters } from "./filters.ts";
import { oaiFields, oaiSettings } from "./oai-fields.ts";
import { recordText } from "./record-text.ts";
import { sourceIdSchema } from "./source-id.ts";
import { sourceTypes } from "./source-type.ts";
import { witnessFields } from "./witness-fields.ts";

/** An ISSN and the number of its title record in the union catalogue. They are used together or not at all. */
const edition = z.object({
  issn: recordText.optional(),
  ppn: recordText.optional(),
});

const positiveInteger = z.number().int().positive();
const count = z.number().int().nonnegative();

/** The maximum throttle is that of the gate. The gate would reject longer throttles, and the run would never finish. */
const throttleMs = count.max(3_600_000);

/** The settings of a crawl. */
const crawlFields = {
  maxDepth: { schema: count.default(0), label: { en: "Depth", de: "Tiefe" } },
  /** Matches the URLs that are harvested. If absent, all URLs are harvested. */
  extractionRegex: {
    schema: patternText.optional(),
    label: { en: "URLs that are harvested", de: "URLs, die geerntet werden" },
  },
  /**
   * Matches the URLs that are followed. If absent, all URLs are followed except those that match the extraction
   * expression.
   */
  urlRegex: {
    schema: patternText.optional(),
    label: { en: "URLs that are followed", de: "URLs, denen gefolgt wird" },
  },
  maxPages: {
    schema: positiveInteger
      .max(5000)
      .default(1000)
      .describe("The maximum number of pages that are requested in one run"),
    label: { en: "Pages of a crawl, at most", de: "Seiten eines Crawls, höchstens" },
    isOperators: true,
    form: "more",
  },
  sitemaps: {
    // Only URLs that match the extraction expression are harvested.
    schema: z.boolean().default(false).describe("Whether the sitemaps of the site are read, too"),
    label: { en: "A crawl reads sitemaps, too", de: "Ein Crawl liest auch Sitemaps" },
    isOperators: true,
    form: "more",
  },
} satisfies ConfigurationTable;

/** Every field of a source. */
export const sourceFields = {
  /** The id of the source, which is stable and unique: `ixtheo-1167` (instance and Zeder id) or a slug. */
  sourceId: { schema: sourceIdSchema, label: { en: "Id", de: "Id" } },
  /** The title of the journal, as in 773 $t. */
  title: { schema: titleSchema(1000), label: { en: "Title", de: "Titel" } },
  type: { schema: z.enum(sourceTypes), label: { en: "Type", de: "Typ" } },
  url: {
    schema: z
      .url({ protocol: /^https?$/ })
      .max(4000)
      .overwrite(withoutCredentials),
    label: { en: "URL", de: "URL" },
  },
  groupId: { schema: z.string().min(1), label: { en: "Group", de: "Gruppe" } },
  subgroupId: { schema: z.string().min(1).optional(), label: { en: "Subgroup", de: "Untergruppe" } },
  deliveryMode: {
    schema: z.enum(deliveryModes).default("NONE"),
    label: { en: "Mode", de: "Modus" },
    hint: {
      en: "Live delivers to the library, test to its test system, preview delivers nothing; sources added by operators store documents in every mode",
      de: "Live geht an die Bibliothek, Test an ihr Testsystem, Vorschau liefert nichts; von Hand hinzugefügte Quellen speichern Dokumente in jedem Modus",
    },
    choices: {
      LIVE: { en: "live", de: "live" },
      TEST: { en: "test", de: "Test" },
      NONE: { en: "preview", de: "Vorschau" },
    },
  },
  /** The number of days without a delivery after which the source is overdue; 0 means the default. */
  updateWindowDays: {
    schema: count.default(0),
    label: { en: "Days between deliveries", de: "Erwartet alle so viele Tage" },
  },
  addedAt: {
    schema: z.iso
      .date()
      .optional()
      .describe(
        "The day from which the days between deliveries are counted for a source that has never delivered",
      ),
    label: { en: "Expected from", de: "Erwartet ab" },
    hint: {
      en: "The days between deliveries are counted from this day until the first delivery",
      de: "Der Tag, ab dem sie als überfällig gilt, wenn nichts kam",
    },
    isOperators: true,
  },
  /** Whether the source is paused. A run that names a paused source still reads it. */
  paused: {
    schema: z
      .boolean()
      .default(false)
      .describe("Daily runs and polls skip the source, and it is not overdue while paused"),
    label: { en: "Paused", de: "Angehalten" },
    hint: {
      en: "Daily runs and polls skip the source",
      de: "Tägliche Läufe und Abfragen lassen sie aus",
    },
    isOperators: true,
    form: "more",
  },
  throttleMs: {
    schema: throttleMs
      .optional()
      .describe("The delay between two requests, which overrides the delay of the host"),
    label: { en: "Delay between two requests, in ms", de: "Pause zwischen zwei Anfragen, in ms" },
    hint: { en: "Empty: the host's delay", de: "Leer: die Pause des Hosts" },
    isOperators: true,
  },
  obeyRobots: {
    schema: z
      .boolean()
      .default(true)
      .describe("Whether robots.txt applies to feeds and single articles; crawled pages always obey it"),
    label: { en: "Obey robots.txt", de: "robots.txt befolgen" },
    isOperators: true,
  },
  collectionId: {
    schema: sourceIdSchema
      .optional()
      .describe("The collection of the source's records; by default the id of the source"),
    label: { en: "Collection", de: "Sammlung" },
    hint: { en: "Empty: the id of the source", de: "Leer: die Id der Quelle" },
    isOperators: true,
  },
  /** The audiences of the source's set. A check of the set advises against publishing its records in a second way. */
  audiences: {
    schema: z
      .array(z.enum(setAudiences))
      .optional()
      .describe(
        `The audiences for which the records of an OAI-PMH set are published: ${setAudiences.map((each) => `\`${each}\``).join(", ")}`,
      ),
    label: { en: "Audiences", de: "Zielgruppen" },
    hint: {
      en: `Of an OAI-PMH set, one per line: ${setAudiences.join(", ")}`,
      de: `Eines OAI-PMH-Sets, eine pro Zeile: ${setAudiences.join(", ")}`,
    },
    isOperators: true,
    form: "more",
  },

  /** The id in the Zeder database of serials. A source with a Zeder id needs a complete pair of ISSN and PPN. */
  zederId: {
    schema: z.string().regex(/^\d+$/, "must be a number").optional(),
    label: { en: "Zeder id", de: "Zeder-Id" },
  },
  zederModifiedTime: {
    schema: z.string().optional(),
    label: { en: "Changed in Zeder", de: "In Zeder geändert" },
  },
  /** Whether the source is new from Zeder and not reviewed yet. Daily runs skip such sources. */
  newlySynced: {
    schema: z.boolean().default(false),
    label: { en: "Not reviewed yet", de: "Noch nicht geprüft" },
  },
  online: { schema: edition.optional(), label: { en: "Online edition", de: "Online-Ausgabe" } },
  print: { schema: edition.optional(), label: { en: "Print edition", de: "Druckausgabe" } },

  /** The strptime formats that are tried before the common formats, and the locales whose names of months are read. */
  dateFormats: {
    schema: z
      .object({ locales: z.array(dateLocale).default([]), formats: z.array(dateFormatText).default([]) })
      .prefault({}),
    label: { en: "Date formats", de: "Datumsformate" },
  },
  expectedLanguages: {
    schema: expectedLanguages.optional(),
    label: { en: "Expected languages", de: "Erwartete Sprachen" },
  },
  reviewRegex: { schema: patternText.optional(), label: { en: "Reviews", de: "Rezensionen" } },
  notesRegex: { schema: patternText.optional(), label: { en: "Notes", de: "Anmerkungen" } },
  /** The collection focus of the specialised information service (084), such as `FG_1`. */
  ssgn: {
    schema: recordText.optional(),
    label: { en: "Collection focus (084)", de: "Sammelschwerpunkt (084)" },
  },
  /** The licence code: LF free, KF free by cooperation, ZZ unknown, KW not given. */
  license: { schema: recordText.optional(), label: { en: "Licence", de: "Lizenz" } },
  /** Deep indexing of persons. `J` marks records whose authors are not all linked. */
  tiefp: { schema: recordText.default("-"), label: { en: "Deep indexing", de: "Tiefenerschließung" } },
  selectiveEvaluation: {
    schema: z.boolean().default(false),
    label: { en: "Selective evaluation", de: "Selektive Auswertung" },
  },
  /** The codes that are written to 935 $a. */
  additionalSelectors: {
    schema: z.array(recordText).default([]),
    label: { en: "Additional selectors (935)", de: "Weitere Selektoren (935)" },
  },
  /** Whether a record with pages, but without volume and issue, is not online-first. */
  pagesNotOnlineFirst: {
    schema: z.boolean().default(false),
    label: { en: "Pages alone are not online-first", de: "Seiten allein sind nicht Online-First" },
  },

  crawl: {
    schema: z.object(shapeOf(crawlFields)).prefault({}),
    label: { en: "Crawl", de: "Crawl" },
    fields: crawlFields,
  },
  email: {
    schema: z.object({ subjectRegex: patternText.optional() }).prefault({}),
    label: { en: "Mails", de: "Mails" },
  },
  /**
   * A feed in several pages: the page numbers in order (if absent, all pages), the number of entries per page, and the
   * delay between two pages.
   */
  pagedRss: {
    schema: z
      .object({
        pages: z.array(positiveInteger).min(1).max(1000).optional(),
        size: positiveInteger.optional(),
        delayMs: throttleMs.default(0),
      })
      .optional(),
    label: { en: "Pages of a feed", de: "Seiten eines Feeds" },
  },
  /** The settings of an OAI-PMH repository, whose base URL is `url`. */
  oai: {
    schema: oaiSettings.prefault({}),
    label: { en: "OAI-PMH", de: "OAI-PMH" },
    fields: oaiFields,
  },
  crosswalk: {
    schema: crosswalk.optional(),
    label: { en: "Crosswalk", de: "Konkordanz" },
    hint: {
      en: "What Dublin Core becomes, where it differs from the built-in map; one per line, such as: subject = 650 #7 $a $2=local; rights =; language Hochdeutsch = ger; type Aufsatz = ab",
      de: "Was aus Dublin Core wird, wo es von der eingebauten Konkordanz abweicht; eines je Zeile, etwa: subject = 650 #7 $a $2=local; rights =; language Hochdeutsch = ger; type Aufsatz = ab",
    },
    isOperators: true,
    lines: crosswalkLines,
    form: "more",
  },
  /** For the type FOLDER: the objects of a bucket whose keys begin with the prefix, such as `theses/`. */
  folder: {
    schema: z
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
    label: { en: "Folder", de: "Ordner" },
  },
  /** When the source is read: at its own interval, or once. If absent, the daily run reads it. */
  reading: {
    schema: z
      .discriminatedUnion("mode", [
        z.strictObject({ mode: z.literal("asynchronous"), everyMinutes: positiveInteger.min(5).max(43_200) }),
        z.strictObject({ mode: z.literal("synchronous") }),
      ])
      .optional(),
    label: { en: "When it is read", de: "Wann sie gelesen wird" },
  },

  /** The limits above which deletions are held. */
  deletions: {
    schema: z.object(shapeOf(deletionFields)).prefault({}),
    label: { en: "Deletions", de: "Löschungen" },
    fields: deletionFields,
  },

  ...witnessFields,

  filters: { schema: filters.prefault({}), label: { en: "Filters", de: "Filter" } },
} satisfies ConfigurationTable;
