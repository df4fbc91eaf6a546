import * as z from "zod";
import { patternText } from "../../core/pattern.ts";

const jsonField = z.string().min(1);
const tag = z.string().regex(/^[0-9A-Z]{3}$/, "must be a tag of three digits or capital letters");
const code = z.string().length(1, "must be a subfield code of one character");

/** The delimiter before each subfield code, in a field that is written as one string. */
export const subfieldMark = "\u001f";

/** Returns whether a text contains characters that no record can contain. Line ends and tabs are allowed. */
function hasControlCharacters(text: string): boolean {
  return /(?![\t\n\r])\p{Cc}/u.test(text);
}

const controlCharacterProblem = "must have no control characters, but U+001F before a subfield";

/** Text for a field of a record. */
const recordText = z
  .string()
  .refine((text) => !hasControlCharacters(text.replaceAll(subfieldMark, "")), controlCharacterProblem);

/** Text for a Zotero item, which has no subfields. */
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

/**
 * Returns whether a subfield has a code, which is an ASCII character that MARCXML allows. An empty subfield is ignored.
 */
function hasCode(subfield: string): boolean {
  return subfield === "" || /^[!-?A-{}~]/.test(subfield);
}

const fieldTest = z.object({ tag, code, pattern: patternText });
const fieldOrSubfieldTest = z.object({ tag, code: code.optional(), pattern: patternText });

/** A field is added or rewritten if another field (`test`) matches. */
const conditional = z.object({
  tag,
  code: code.optional(),
  test: z.object({ tag, code: code.optional() }),
  pattern: patternText,
  replacement: recordText,
});

/**
 * Filters that change or drop Zotero items and their records. The settings have filters for all sources, and a source
 * has filters of its own; groups have only `addFields`. The kinds of filters are applied in this order, and the filters
 * of each kind in the order of its list.
 */
export const filters = z.object({
  /** Empties the leaf values of the item that match. */
  suppressJson: z.array(z.object({ field: jsonField, pattern: patternText })).default([]),
  /** Replaces leaf values of the item. `%org%` stands for the previous value. */
  overrideJson: z.array(z.object({ field: jsonField, replacement: itemText })).default([]),
  /** Drops an item with a leaf value that matches. */
  excludeJson: z.array(z.object({ field: jsonField, pattern: patternText })).default([]),
  /** Adds fields. `%key%` stands for a note of the item; a field is added for each note with that key. */
  addFields: z.array(fieldText).default([]),
  removeFields: z.array(fieldTest).default([]),
  removeSubfields: z.array(fieldTest).default([]),
  /**
   * Replaces matches. In replacements, `\1` stands for the first group of the pattern, and `\037` for the delimiter
   * before a subfield.
   */
  rewriteFields: z.array(fieldOrSubfieldTest.extend({ replacement: recordText })).default([]),
  addFieldsIf: z.array(conditional).default([]),
  rewriteFieldsIf: z.array(conditional).default([]),
  /** Drops a record with a field that matches. */
  excludeMarc: z.array(fieldOrSubfieldTest).default([]),
});
export type Filters = z.output<typeof filters>;
export type NewFilters = z.input<typeof filters>;
export type FieldTest = z.output<typeof fieldOrSubfieldTest>;
export type ConditionalFilter = z.output<typeof conditional>;
