import * as z from "zod";
import type { FieldTable } from "../../core/field-table.ts";
import { patternText } from "../../core/pattern.ts";
import { isControlTag, isDataTag, isSubfieldCode } from "../../marc/record-structure.ts";

/** The types of records that rules distinguish. */
const recordTypes = ["regular", "review", "non_article"] as const;
export type RecordType = (typeof recordTypes)[number];

const presences = ["always", "sometimes", "ignore"] as const;

/** The maximum length of a source id, which is part of table keys of at most one kilobyte. */
export const maxSourceIdChars = 200;

/** The id of a source. Zeder ids are often written as numbers. */
const sourceId = z.union(
  [z.string().min(1).max(maxSourceIdChars), z.int().nonnegative().transform(String).pipe(z.string())],
  `must be the id of a source, of up to ${maxSourceIdChars} characters, or null for all`,
);

/** The fields that identify a validation rule. */
export const ruleSubjectFields = {
  source: {
    schema: sourceId
      .nullable()
      .default(null)
      .describe("The id of a source; null: the rule applies to all sources"),
    label: { en: "Source", de: "Quelle" },
    hint: { en: "Empty: the rule applies to all sources", de: "Leer: Die Regel gilt für alle Quellen" },
    example: null,
  },
  recordType: {
    schema: z.enum(recordTypes).default("regular").describe("The type of records that the rule applies to"),
    label: { en: "Kind of record", de: "Art des Datensatzes" },
    choices: {
      regular: { en: "article", de: "Artikel" },
      review: { en: "review", de: "Rezension" },
      non_article: { en: "not an article", de: "kein Artikel" },
    },
    example: "regular",
  },
  tag: {
    schema: z
      .string()
      .regex(/^[0-9A-Z]{3}$/, "must be a tag of three digits or capital letters")
      .refine((tag) => tag !== "LDR" && (isControlTag(tag) || isDataTag(tag)), "no field has this tag")
      .describe("The tag of a field"),
    label: { en: "Tag", de: "Feldnummer" },
    hint: { en: "Three characters, such as 245", de: "Drei Zeichen, etwa 245" },
    example: "245",
  },
  subfield: {
    schema: z
      .string()
      .length(1, "must be a subfield code of one character")
      .refine(isSubfieldCode, "no subfield has this code")
      .nullable()
      .default(null)
      .describe("A subfield code; null for control fields, which have none"),
    label: { en: "Subfield", de: "Unterfeld" },
    hint: {
      en: "One character, such as a; empty for control fields (001 to 009)",
      de: "Ein Zeichen, etwa a; leer bei Kontrollfeldern (001 bis 009)",
    },
    example: "a",
  },
} satisfies FieldTable;

/** Every field of a validation rule. */
export const validationRuleFields = {
  ...ruleSubjectFields,
  presence: {
    schema: z
      .enum(presences)
      .describe(
        "`always`: required in each occurrence of the field; `sometimes`: allowed; `ignore`: allowed, not checked",
      ),
    label: { en: "Presence", de: "Muss es da sein" },
    choices: {
      always: { en: "always", de: "immer" },
      sometimes: { en: "allowed", de: "darf da sein" },
      ignore: { en: "allowed, unchecked", de: "darf da sein, ungeprüft" },
    },
    example: "always",
  },
  regex: {
    schema: patternText
      .nullable()
      .default(null)
      .describe("A regular expression (RE2) that must match somewhere in every occurrence of the subfield"),
    label: { en: "Contents", de: "Inhalt" },
    hint: {
      en: "A regular expression (RE2) that must match somewhere in the contents; empty: any contents",
      de: "Ein regulärer Ausdruck (RE2), der irgendwo zutreffen muss; leer: beliebiger Inhalt",
    },
    // Spaces are kept, because they may be a part of the expression.
    keepsSpaces: true,
    example: "^[A-Z]",
  },
} satisfies FieldTable;
