import { type ConditionalFilter, type FieldTest, type Filters, fieldText } from "../../filters.ts";

/** Converts the name and value of a key to a filter, and back. */
export interface FilterForm<Filter> {
  /** The permitted values, as Markdown. */
  values: string;
  parse(name: string, value: string): Filter | { problem: string };
  print(filter: Filter, index: number): [name: string, value: string];
}

type JsonTest = Filters["suppressJson"][number];
type JsonReplacement = Filters["overrideJson"][number];
type SubfieldTest = Filters["removeFields"][number];
type Rewrite = Filters["rewriteFields"][number];

const pattern = "[regular expression](#regular-expressions)";

export const jsonTest: FilterForm<JsonTest> = {
  values: pattern,
  parse: (field, value) => ({ field, pattern: value }),
  print: (filter) => [filter.field, filter.pattern],
};

export const jsonReplacement: FilterForm<JsonReplacement> = {
  values: "text",
  parse: (field, value) => ({ field, replacement: value }),
  print: (filter) => [filter.field, filter.replacement],
};

/** A form in which the name has no meaning, except that it distinguishes the keys of a section. */
export const newField: FilterForm<string> = {
  values: "tag, two indicators, then `\\037` and code before each subfield",
  parse(_name, value) {
    const parsed = fieldText.safeParse(value);
    return parsed.success ? value : { problem: parsed.error.issues.map(({ message }) => message).join("; ") };
  },
  print: (field, index) => [`${field.slice(0, 3)}_${index + 1}`, field],
};

export const subfieldTest: FilterForm<SubfieldTest> = {
  values: pattern,
  parse(name, value) {
    if (name.length !== 4)
      return { problem: `invalid removal filter name '${name}'! expected format: <tag><subfield_code>` };
    return { tag: name.slice(0, 3), code: name.slice(3), pattern: value };
  },
  print: (filter) => [nameOf(filter), filter.pattern],
};

export const fieldTest: FilterForm<FieldTest> = {
  values: pattern,
  parse: (name, value) =>
    isTarget(name) ? { ...splitTarget(name), pattern: value } : badTarget("exclusion field", name),
  print: (filter) => [nameOf(filter), filter.pattern],
};

const separator = " ||| ";

export const rewrite: FilterForm<Rewrite> = {
  values: `\`pattern${separator}replacement\``,
  parse: (name, value) => (isTarget(name) ? parseRewrite(name, value) : badTarget("rewrite field", name)),
  print: (filter) => [nameOf(filter), printRewrite(filter)],
};

export const conditionalRewrite: FilterForm<ConditionalFilter> = {
  values: `\`tested:pattern${separator}replacement\``,
  parse(name, value) {
    if (!isTarget(name)) return badTarget("field", name);
    const colon = value.indexOf(":");
    const test = value.slice(0, Math.max(colon, 0));
    if (!isTarget(test)) return badTarget("test field", test);
    const parsed = parseRewrite(name, value.slice(colon + 1));
    return "problem" in parsed ? parsed : { ...parsed, test: splitTarget(test) };
  },
  print: (filter) => [nameOf(filter), `${nameOf(filter.test)}:${printRewrite(filter)}`],
};

function parseRewrite(name: string, value: string): Rewrite | { problem: string } {
  const [found = "", ...replacement] = value.split(separator);
  if (replacement.length === 0) return { problem: `invalid rewrite expression '${value}'` };
  return { ...splitTarget(name), pattern: found, replacement: replacement.join(separator) };
}

function printRewrite(filter: { pattern: string; replacement: string }): string {
  return `${filter.pattern}${separator}${filter.replacement}`;
}

/** Returns whether a name is a tag, or a tag and the code of a subfield. */
function isTarget(name: string): boolean {
  return name.length === 3 || name.length === 4;
}

function splitTarget(name: string): { tag: string; code?: string } {
  const code = name.slice(3);
  return { tag: name.slice(0, 3), ...(code && { code }) };
}

function nameOf({ tag, code = "" }: { tag: string; code?: string | undefined }): string {
  return tag + code;
}

function badTarget(what: string, name: string): { problem: string } {
  return { problem: `invalid ${what} name '${name}'! expected format: <tag> or <tag><subfield_code>` };
}
