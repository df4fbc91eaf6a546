import { issnProblem } from "../../../../identifiers/issn.ts";
import type { SectionReader } from "../section-reader.ts";

/** Converts the text of a key to a value, and back. */
export interface ValueFormat<Value> {
  /** The permitted values, as Markdown. */
  values: string;
  /**
   * Parses the value of a key. Problems are added to the reader.
   * @returns undefined when the section does not have the key, or its value is invalid
   */
  parse(reader: SectionReader, key: string): Value | undefined;
  print(value: Value): string | number | boolean;
}

export const text: ValueFormat<string> = textOf("text");

export const pattern: ValueFormat<string> = textOf("[regular expression](#regular-expressions)");

/** Builds the format of a text of a certain form, which the schema checks. */
export function textOf(values: string): ValueFormat<string> {
  return { values, parse: (reader, key) => reader.text(key), print: (value) => value };
}

export const boolean: ValueFormat<boolean> = {
  values: "`true` or `false`",
  parse: (reader, key) => reader.boolean(key),
  print: (value) => value,
};

/** Builds the format of a whole number that counts something: `countOf("days")`. */
export function countOf(unit: string): ValueFormat<number> {
  return { values: unit, parse: (reader, key) => reader.count(key), print: (value) => value };
}

/** A whole number that is stored exactly as it is written. */
export const digits: ValueFormat<string> = {
  values: "number",
  parse(reader, key) {
    reader.count(key);
    const value = reader.text(key);
    if (value !== undefined && /^0\d/.test(value)) reader.warn(key, "has leading zeros: kept as written");
    return value;
  },
  print: (value) => value,
};

export function oneOf<Value extends string>(allowed: readonly Value[]): ValueFormat<Value> {
  return {
    values: allowed.map((value) => `\`${value}\``).join(", "),
    parse: (reader, key) => reader.oneOf(key, allowed),
    print: (value) => value,
  };
}

/**
 * Builds the format of a text that should be one of a few values.
 * @param effect the effect of any other value
 */
export function suggested(values: readonly string[], effect: string): ValueFormat<string> {
  return {
    values: values.map((value) => `\`${value}\``).join(", "),
    parse(reader, key) {
      const value = reader.text(key);
      if (value !== undefined && !values.includes(value))
        reader.warn(key, `not one of ${values.join(" ")}: ${effect}`);
      return value;
    },
    print: (value) => value,
  };
}

const issnMessages = {
  form: "not an ISSN such as 1234-567X",
  "check digit": "an ISSN with a wrong check digit",
};

export const issn: ValueFormat<string> = {
  values: "ISSN",
  parse(reader, key) {
    const value = reader.text(key);
    const problem = value === undefined ? undefined : issnProblem(value);
    if (problem !== undefined) reader.warn(key, issnMessages[problem]);
    return value;
  },
  print: (value) => value,
};

export function commaListOf(values: string): ValueFormat<string[]> {
  return {
    values: `${values}, separated by commas`,
    parse: (reader, key) => (reader.text(key) === undefined ? undefined : reader.list(key)),
    print: (value) => value.join(","),
  };
}
