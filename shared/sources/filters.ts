import { z } from "zod";
import { patternText } from "./pattern.ts";

const jsonField = z.string().min(1);
const tag = z.string().regex(/^[0-9A-Z]{3}$/, "must be a tag of three digits or capital letters");
const code = z.string().length(1, "must be a subfield code of one character");

/** What stands before the code of each subfield where a field is one string. */
export const subfieldMark = "\u001f";

/** Whether a text has what no record can carry: line ends and tabs it can. */
function hasControlCharacters(text: string): boolean {
  return /(?![\t\n\r])\p{Cc}/u.test(text);
}

const controlCharacterProblem = "must have no control characters, but U+001F before a subfield";

/** What is written into fields of a record. */
const recordText = z
  .string()
  .refine((text) => !hasControlCharacters(text.replaceAll(subfieldMark, "")), controlCharacterProblem);

/** What is written into an item, where nothing divides subfields. */
const itemText = z.string().refine((text) => !hasControlCharacters(text), "must have no control characters");

/** A field as one string: tag and value, or tag, two indicators and subfields. */
export const fieldText = z
  .string()
  .refine(isFieldText, {
    error: "must be a tag, two indicators and U+001F before each subfield",
    abort: true,
  })
  .pipe(recordText);

function isFieldText(text: string): boolean {
  if (/^00[1-9A-Z]./u.test(text)) return true;
  const [head = "", ...subfields] = text.split(subfieldMark);
  const isFirst = (subfields[0]?.length ?? 0) > 1;
  return isFirst && /^(?!00)[0-9A-Z]{3}[0-9a-z ]{2}$/.test(head) && subfields.every(hasCode);
}

/** Of an ASCII character that MARCXML takes for a code; between two marks there may be nothing. */
function hasCode(subfield: string): boolean {
  return subfield === "" || /^[!-?A-{}~]/.test(subfield);
}

const fieldTest = z.object({ tag, code, pattern: patternText });
const fieldOrSubfieldTest = z.object({ tag, code: code.optional(), pattern: patternText });

/** What is looked at in another field before a field is added or rewritten. */
const conditional = z.object({
  tag,
  code: code.optional(),
  test: z.object({ tag, code: code.optional() }),
  pattern: patternText,
  replacement: recordText,
});

/**
 * What is changed or refused on the way from an item to a record: of all sources (settings), of one source, and, only
 * `addFields`, of a group. They are applied in this order of kinds, each kind in the order of its list.
 */
export const filters = z.object({
  /** Leaf values of the item that match are emptied. */
  suppressJson: z.array(z.object({ field: jsonField, pattern: patternText })).default([]),
  /** Leaf values of the item are replaced; `%org%` stands for what was there. */
  overrideJson: z.array(z.object({ field: jsonField, replacement: itemText })).default([]),
  /** An item with a leaf value that matches is dropped. */
  excludeJson: z.array(z.object({ field: jsonField, pattern: patternText })).default([]),
  /** `%key%` stands for the note of that key: a field is added for each such note, none when there is none. */
  addFields: z.array(fieldText).default([]),
  removeFields: z.array(fieldTest).default([]),
  removeSubfields: z.array(fieldTest).default([]),
  /** In replacements `\1` stands for the first group of the pattern, `\037` for the mark before a subfield. */
  rewriteFields: z.array(fieldOrSubfieldTest.extend({ replacement: recordText })).default([]),
  addFieldsIf: z.array(conditional).default([]),
  rewriteFieldsIf: z.array(conditional).default([]),
  /** A record with a field that matches is dropped. */
  excludeMarc: z.array(fieldOrSubfieldTest).default([]),
});
export type Filters = z.output<typeof filters>;
export type NewFilters = z.input<typeof filters>;
export type FieldTest = z.output<typeof fieldOrSubfieldTest>;
export type ConditionalFilter = z.output<typeof conditional>;
