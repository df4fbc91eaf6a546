import * as z from "zod";
import { type LineNotation, shapeOf } from "../../core/field-table.ts";
import { patternText } from "../../core/pattern.ts";
import type { ConfigurationTable } from "./configuration-fields.ts";
import { sourceIdSchema } from "./source-id.ts";

const maxDays = 3650;

/** @see https://www.dublincore.org/specifications/dublin-core/dces/ */
const dublinCoreElements = [
  "contributor",
  "coverage",
  "creator",
  "date",
  "description",
  "format",
  "identifier",
  "language",
  "publisher",
  "relation",
  "rights",
  "source",
  "subject",
  "title",
  "type",
] as const;

const setSpec = z
  .string()
  .regex(/^[\w.!~*'():%+/@-]{1,500}$/, "must be a setSpec, such as articles:peer-reviewed");

/** The maximum number of sets of a source. Each poll reads each set as a separate list. */
const maxSets = 50;

interface ListedSet {
  set: string;
  collectionId?: string | undefined;
}

/** Lines such as `articles` and `articles = papers`. */
const setLines: LineNotation = {
  write: (sets: readonly ListedSet[]) =>
    sets.map(({ set, collectionId }) => (collectionId === undefined ? set : `${set} = ${collectionId}`)),
  read: (lines) =>
    lines.map((line): ListedSet => {
      const [set = "", ...rest] = line.split("=");
      return { set: set.trim(), ...(rest.length > 0 && { collectionId: rest.join("=").trim() }) };
    }),
};

/** The ways in which a full list may be sliced, and in which it may be read again. */
const listSlices = ["none", "month", "year"] as const;
const reconcileVerbs = ["records", "identifiers"] as const;

/** The settings for the harvest of an OAI-PMH repository. */
export const oaiFields = {
  /** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#MetadataNamespaces */
  metadataPrefix: {
    schema: z
      .string()
      .regex(/^[\w.!~*'()-]{1,200}$/, "must be 1 to 200 letters, digits or any of - _ . ! ~ * ' ( )")
      .default("oai_dc")
      .describe("The metadata format"),
    label: { en: "Metadata format", de: "Metadatenformat" },
  },
  set: {
    schema: setSpec.optional().describe("The set that is harvested; by default the whole repository"),
    label: { en: "Set", de: "Set" },
    hint: { en: "Empty: the whole repository", de: "Leer: das ganze Repositorium" },
  },
  sets: {
    schema: z
      .array(z.strictObject({ set: setSpec, collectionId: sourceIdSchema.optional() }))
      .min(1)
      .max(maxSets)
      .optional()
      .describe(
        "Several sets, instead of `set`. Each set is read as a separate list, and may have a separate collection for its records. A record in several sets is a single document, in the collection of the first of these sets",
      ),
    label: { en: "Several sets", de: "Mehrere Sets" },
    hint: {
      en: "One per line, instead of a single set; with the collection of its records: articles = papers",
      de: "Eines je Zeile, statt eines einzelnen Sets; mit der Sammlung seiner Datensätze: articles = papers",
    },
    lines: setLines,
    form: "more",
  },
  from: {
    schema: z.iso.date().optional().describe("Only records that changed on this day or later"),
    label: { en: "Changed since", de: "Geändert seit" },
    form: "more",
  },
  deliver: {
    schema: z
      .enum(["complete-lists", "as-found"])
      .default("complete-lists")
      .describe(
        "Whether a delivery waits until a list is complete (`complete-lists`), or takes the records read so far (`as-found`)",
      ),
    label: { en: "A delivery takes", de: "Eine Lieferung nimmt" },
    choices: {
      "complete-lists": { en: "complete lists", de: "vollständige Listen" },
      "as-found": { en: "what has come so far", de: "was bisher kam" },
    },
    form: "more",
  },
  files: {
    schema: z.boolean().default(false).describe("Whether the files of the records are downloaded"),
    label: { en: "Download the files", de: "Dateien herunterladen" },
    form: "more",
  },
  fileFields: {
    schema: z
      .array(z.enum(dublinCoreElements))
      .min(1)
      .optional()
      .describe(
        "The Dublin Core elements that contain the URLs of files; by default `relation`, then `identifier`",
      ),
    label: { en: "Elements that name files", de: "Elemente, die Dateien nennen" },
    form: "more",
  },
  filePattern: {
    schema: patternText.optional().describe("Only URLs that match this expression are downloaded as files"),
    label: { en: "URLs of files", de: "URLs von Dateien" },
    form: "more",
  },
  fullHarvestDays: {
    schema: z
      .number()
      .int()
      .min(0)
      .max(maxDays)
      .default(30)
      .describe(
        "The number of days after which the whole list is read again to find deleted records, if the repository does not keep deleted records permanently. 0 means never",
      ),
    label: { en: "Days between full lists", de: "Tage zwischen vollständigen Listen" },
  },
  reconcileBy: {
    schema: z
      .enum(reconcileVerbs)
      .default("records")
      .describe(
        "Whether further full lists read all records, or only identifiers and datestamps (ListIdentifiers)",
      ),
    label: { en: "A further full list reads", de: "Eine weitere vollständige Liste liest" },
    choices: {
      records: { en: "all records", de: "alle Datensätze" },
      identifiers: { en: "identifiers and datestamps", de: "Identifier und Datumsangaben" },
    },
  },
  slice: {
    schema: z
      .enum(listSlices)
      .default("none")
      .describe(
        "The length of the slices, by datestamp, in which a full list is read, for repositories that fail on long lists",
      ),
    label: { en: "Slices of a full list", de: "Abschnitte einer vollständigen Liste" },
    choices: {
      none: { en: "none", de: "keine" },
      month: { en: "months", de: "Monate" },
      year: { en: "years", de: "Jahre" },
    },
  },
} satisfies ConfigurationTable;

export const oaiSettings = z.strictObject(shapeOf(oaiFields));
type OaiSettings = z.output<typeof oaiSettings>;

/** One list of a source: a set, or the whole repository. */
export interface HarvestedSet {
  set?: string | undefined;
  /** The collection of its records; if absent, the collection of the source. */
  collectionId?: string | undefined;
}

/** Returns the lists of a source: one for each of its sets, or one for the whole repository. */
export function setsOf({ set, sets }: Pick<OaiSettings, "set" | "sets">): readonly HarvestedSet[] {
  return sets ?? [{ set }];
}
