import { compilePattern, type Pattern } from "../../core/pattern.ts";
import { fieldsOf } from "../../marc/fields.ts";
import type { DataField, MarcRecord } from "../../marc/record.ts";
import {
  type ConditionalFilter,
  type FieldTest,
  type Filters,
  subfieldMark,
} from "../../records/sources/filters.ts";
import { formatFieldContent, parseFieldContent } from "./field-content.ts";
import type { FilterChain } from "./item-filters.ts";

/**
 * Applies the filters in place: removes fields, removes subfields, rewrites fields, adds fields by condition, and
 * rewrites fields by condition. Finally, removes fields without subfields.
 */
export function filterRecord(record: MarcRecord, chain: FilterChain): void {
  for (const filter of chain.flatMap((filters) => filters.removeFields)) removeFields(record, filter);
  for (const filter of chain.flatMap((filters) => filters.removeSubfields)) removeSubfields(record, filter);
  for (const filter of chain.flatMap((filters) => filters.rewriteFields)) rewriteFields(record, filter);
  for (const filter of chain.flatMap((filters) => filters.addFieldsIf)) addFieldIf(record, filter);
  for (const filter of chain.flatMap((filters) => filters.rewriteFieldsIf)) rewriteFieldsIf(record, filter);
  record.fields = record.fields.filter(([, , subfields]) => subfields.length > 0);
}

/** Returns the first filter that matches a field of the record, as `tag[code]/pattern/`. */
export function findExcludingRecordFilter(record: MarcRecord, chain: FilterChain): string | undefined {
  for (const filter of chain.flatMap((filters) => filters.excludeMarc)) {
    const pattern = compilePattern(filter.pattern);
    if (
      fieldsOf(record, filter.tag).some(
        (field) => findMatchingValue(field, filter.code, pattern) !== undefined,
      )
    )
      return `${filter.tag}${filter.code ?? ""}/${filter.pattern}/`;
  }
  return undefined;
}

type SubfieldTest = Filters["removeFields"][number];

function removeFields(record: MarcRecord, { tag, code, pattern }: SubfieldTest): void {
  const compiled = compilePattern(pattern);
  const matches = (field: DataField) =>
    field[2].some(([c, value]) => c === code && compiled.matcher(value).find());
  record.fields = record.fields.filter((field) => field[0] !== tag || !matches(field));
}

function removeSubfields(record: MarcRecord, { tag, code, pattern }: SubfieldTest): void {
  const compiled = compilePattern(pattern);
  for (const field of fieldsOf(record, tag))
    field[2] = field[2].filter(([c, value]) => c !== code || !compiled.matcher(value).find());
}

function rewriteFields(record: MarcRecord, filter: FieldTest & { replacement: string }): void {
  const pattern = compilePattern(filter.pattern);
  for (const field of fieldsOf(record, filter.tag)) {
    const value = findMatchingValue(field, filter.code, pattern);
    if (value !== undefined)
      setValue(field, filter.code, replaceFirstMatch(value, pattern, filter.replacement));
  }
}

/**
 * Adds a field for each field that matches the test. The new subfield gets the code of the *tested* subfield, as in
 * delivered records, because an unchanged record must keep its hash.
 */
function addFieldIf(record: MarcRecord, { tag, test, pattern, replacement }: ConditionalFilter): void {
  for (const value of findTestedValues(record, test, pattern)) {
    const content = replaceFirstMatch(value, compilePattern(pattern), replacement);
    record.fields.push(
      test.code === undefined ? parseFieldContent(tag, content) : [tag, "  ", [[test.code, content]]],
    );
  }
}

function rewriteFieldsIf(
  record: MarcRecord,
  { tag, code, test, pattern, replacement }: ConditionalFilter,
): void {
  const [value] = findTestedValues(record, test, pattern);
  if (value === undefined) return;
  const content = replaceFirstMatch(value, compilePattern(pattern), replacement);
  for (const field of fieldsOf(record, tag)) setValue(field, code, content);
}

function findTestedValues(record: MarcRecord, test: ConditionalFilter["test"], pattern: string): string[] {
  const compiled = compilePattern(pattern);
  return fieldsOf(record, test.tag)
    .map((field) => findMatchingValue(field, test.code, compiled))
    .filter((value) => value !== undefined);
}

/**
 * Returns the value of the first subfield with the code, or the whole content if no code is given, if the pattern
 * matches it.
 */
function findMatchingValue(field: DataField, code: string | undefined, pattern: Pattern): string | undefined {
  const value = code === undefined ? formatFieldContent(field) : field[2].find(([c]) => c === code)?.[1];
  return value !== undefined && pattern.matcher(value).find() ? value : undefined;
}

function setValue(field: DataField, code: string | undefined, value: string): void {
  if (code === undefined) [, field[1], field[2]] = parseFieldContent(field[0], value);
  else for (const subfield of field[2].filter(([c]) => c === code).slice(0, 1)) subfield[1] = value;
}

/** Replaces the first match. In the replacement, `\1` stands for a group and `\\` for a backslash. */
function replaceFirstMatch(text: string, pattern: Pattern, replacement: string): string {
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return text;
  const inserted = replacement.replace(/\\(037|\d|\\)/g, (_, escaped: string) => {
    if (escaped === "037") return subfieldMark;
    if (escaped === "\\") return "\\";
    return Number(escaped) <= matcher.groupCount() ? (matcher.group(Number(escaped)) ?? "") : "";
  });
  return text.slice(0, matcher.start()) + inserted + text.slice(matcher.end());
}
