import { isDeepStrictEqual } from "node:util";
import { html } from "hono/html";
import type { FieldRow, FieldTable } from "../../core/field-table.ts";
import type { Html, PageRequest } from "../page.ts";
import type { Language } from "../texts/languages.ts";
import type { Field } from "./field.ts";
import { defaultOf, inputOf, isRequired, mayBeAbsent, shownText, typedFieldValue } from "./table-input.ts";

/** A field that is not an object. Its path, such as `rule.active`, is its name in forms and in problems of the API. */
interface Leaf {
  path: string;
  row: FieldRow;
  value: unknown;
}

/**
 * Returns the fields of a form that sets a thing.
 * @param thing the stored thing; fields that it lacks have their defaults
 */
export function fieldsOf(
  table: FieldTable,
  thing: object,
  { language }: Pick<PageRequest, "language">,
): Field[] {
  return leavesOf(table, thing).map(({ path, row, value }) => {
    const { kind, values } = inputOf(row);
    const texts = choiceTexts(row, language);
    const choices = values?.map((each) => [each, texts[each] ?? each] as const);
    const none = mayBeAbsent(row.schema) ? [["", ""] as const] : [];
    return {
      name: path,
      label: row.label[language],
      value: shownText(row, value),
      kind,
      ...(row.hint && { hint: row.hint[language] }),
      ...(choices && { options: Object.fromEntries([...none, ...choices]) }),
      ...(kind === "textarea" && { rows: 3 }),
      ...(isRequired(row.schema) && { isRequired: true }),
      ...(row.form === "more" && { isMore: true }),
    };
  });
}

/**
 * Returns the thing that a form sends: the stored thing from which the form was created, with the typed values. A field
 * that the form does not have keeps its stored value. An emptied field is absent, or null if its schema permits null.
 */
export function typedThing(
  table: FieldTable,
  thing: object,
  sent: PageRequest["form"],
  prefix = "",
): Record<string, unknown> {
  const entries = Object.entries(table).map(([name, row]): [string, unknown] => {
    const stored = fieldOf(thing, name);
    const path = prefix + name;
    if (row.fields) return [name, typedThing(row.fields, objectOf(stored), sent, `${path}.`)];
    const text = row.form === "none" ? undefined : sent[path];
    return [name, text === undefined ? stored : typedFieldValue(row, text)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns the values for a change of a thing: each field that differs, or null for an emptied field. */
export function changedFields(table: FieldTable, stored: object, wanted: object): Record<string, unknown> {
  const entries = Object.entries(table).flatMap(([name, row]): [string, unknown][] => {
    const [before, after] = [fieldOf(stored, name), fieldOf(wanted, name)];
    if (row.fields) {
      const within = changedFields(row.fields, objectOf(before), objectOf(after));
      return Object.keys(within).length === 0 ? [] : [[name, within]];
    }
    return isDeepStrictEqual(before, after) ? [] : [[name, after ?? null]];
  });
  return Object.fromEntries(entries);
}

/** Returns the values of a form's fields, as the form would send them. */
export function sentValues(fields: readonly Field[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind, value = "" }) => [name, kind === "checkbox" ? value || "no" : value]),
  );
}

/** Returns the names of the values of a choice. */
export function choiceTexts({ choices = {} }: FieldRow, language: Language): Record<string, string> {
  return Object.fromEntries(Object.entries(choices).map(([value, text]) => [value, text[language]]));
}

/** Returns the fields of a thing, each with its label, for readers who may not change it. */
export function fieldPairs(table: FieldTable, thing: object, { language, texts }: PageRequest): Html {
  return html`<dl class="pairs">${leavesOf(table, thing).map(({ row, value }) => {
    const text = typeof value === "boolean" ? texts.source[value ? "yes" : "no"] : shownText(row, value);
    const shown = text === "" ? texts.problems.nothing : (choiceTexts(row, language)[text] ?? text);
    return html`<div><dt>${row.label[language]}</dt><dd>${shown}</dd></div>`;
  })}</dl>`;
}

/** Returns the fields that forms contain. */
function leavesOf(table: FieldTable, thing: object, prefix = ""): Leaf[] {
  return Object.entries(table).flatMap(([name, row]): Leaf[] => {
    if (row.form === "none") return [];
    const path = prefix + name;
    const value = fieldOf(thing, name);
    if (row.fields) return leavesOf(row.fields, objectOf(value), `${path}.`);
    return [{ path, row, value: value === undefined ? defaultOf(row.schema) : value }];
  });
}

function fieldOf(thing: object, name: string): unknown {
  return (thing as Record<string, unknown>)[name];
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
