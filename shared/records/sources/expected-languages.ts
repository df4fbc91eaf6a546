import * as z from "zod";

/**
 * The way in which the language of a record is determined:
 * - `compare`: an item's language is kept when it is the expected (or detected) language
 * - `detect` (`?`): the detected language is used, and the item's own language is ignored
 * - `force` (`!`): every record gets all expected languages
 * - `translator` (`=`): the item's languages are kept when all of them are expected
 */
const languageModes = ["compare", "detect", "force", "translator"] as const;

export const detectableFields = ["title", "abstract", "title+abstract"] as const;

export const expectedLanguages = z.object({
  mode: z.enum(languageModes).default("compare"),
  /** The text from which the language is detected. */
  detectFrom: z.enum(detectableFields).default("title"),
  /** MARC codes, e.g. `ger`. */
  codes: z.array(z.string().regex(/^[a-z]{2,4}$/, "must be a language code in lower case")).min(1),
});

export type ExpectedLanguages = z.output<typeof expectedLanguages>;
