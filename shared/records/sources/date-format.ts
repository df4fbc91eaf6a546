import * as z from "zod";
import { isKnownLocale, matchLongestName, type NameTable, nameTable } from "../../formats/date-names.ts";
import type { DateParts } from "../../formats/date-parts.ts";

type Fields = Partial<DateParts>;
/**
 * Reads a part of a text from the position `at`. Returns the position after the part, or undefined when the text does
 * not match.
 */
type Step = (text: string, at: number, fields: Fields, names: NameTable[]) => number | undefined;

/** A strptime format, ready to read dates. */
interface DateFormat {
  /** Returns the date, as far as it is stated, if the format matches the whole text. */
  parse(text: string, locales: readonly string[]): DateParts | undefined;
}

const formats = new Map<string, DateFormat>();

/**
 * Compiles a strptime format. Only the form of time of day and zone is checked: the date is used as written, without
 * conversion. Names of months and weekdays may be English or in one of the locales, in full or abbreviated, in any
 * case.
 * @throws {SyntaxError} for a conversion that is not supported
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/strptime.html
 */
export function compileDateFormat(format: string): DateFormat {
  let compiled = formats.get(format);
  if (!compiled) {
    const steps = [...format.matchAll(/%(.?)|\s+|[^%\s]/gsu)].map(([piece, conversion]) =>
      conversion === undefined ? literal(piece) : stepOf(conversion, format),
    );
    compiled = { parse: (text, locales) => parseWith(steps, text, locales) };
    formats.set(format, compiled);
  }
  return compiled;
}

/** A strptime format, as text that was compiled successfully. */
export const dateFormatText = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    try {
      compileDateFormat(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  });

/** A BCP 47 tag of a locale whose names of months are available. */
export const dateLocale = z.string().refine(isKnownLocale, { error: "unknown locale" });

function parseWith(steps: Step[], text: string, locales: readonly string[]): DateParts | undefined {
  const fields: Fields = {};
  const names = [...locales, "en"].map(nameTable);
  let at: number | undefined = 0;
  for (const step of steps) {
    at = step(text, at, fields, names);
    if (at === undefined) return undefined;
  }
  const { year } = fields;
  return at !== text.length || year === undefined ? undefined : { ...fields, year };
}

function stepOf(conversion: string, format: string): Step {
  const step = conversions[conversion];
  if (!step) throw new SyntaxError(`%${conversion} in the date format "${format}" is not supported`);
  return step;
}

const conversions: Record<string, Step> = {
  // A year with fewer digits is an abbreviation, which %y reads.
  Y: number(4, 1000, 9999, (fields, value) => Object.assign(fields, { year: value })),
  y: number(2, 0, 99, (fields, value) => Object.assign(fields, { year: value + (value < 69 ? 2000 : 1900) })),
  m: number(2, 1, 12, (fields, value) => Object.assign(fields, { month: value })),
  d: number(2, 1, 31, (fields, value) => Object.assign(fields, { day: value })),
  e: number(2, 1, 31, (fields, value) => Object.assign(fields, { day: value })),
  b: month,
  B: month,
  h: month,
  a: weekday,
  A: weekday,
  H: number(2, 0, 23),
  I: number(2, 1, 12),
  M: number(2, 0, 59),
  S: number(2, 0, 61),
  p: matching(/\s*[ap]m/iy),
  T: matching(/\s*\d{1,2}:\d{1,2}:\d{1,2}/y),
  z: matching(/\s*(?:Z|[+-]\d{2}(?::?\d{2})?)/y),
  Z: matching(/\s*\S+/y),
  n: matching(/\s*/y),
  t: matching(/\s*/y),
  "%": literal("%"),
};

/** The letters that may follow a `%`. */
export const supportedConversions: readonly string[] = Object.keys(conversions);

/** Matches a literal part of a format. White space matches any white space or none; other text matches itself. */
function literal(piece: string): Step {
  if (/\s/.test(piece)) return matching(/\s*/y);
  return (text, at) => (text.startsWith(piece, at) ? at + piece.length : undefined);
}

function matching(pattern: RegExp): Step {
  return (text, at) => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  };
}

function number(
  digits: number,
  min: number,
  max: number,
  store?: (fields: Fields, value: number) => void,
): Step {
  const pattern = new RegExp(`\\s*(\\d{1,${digits}})`, "y");
  return (text, at, fields) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const value = Number(match?.[1]);
    if (!match || value < min || value > max) return undefined;
    store?.(fields, value);
    return pattern.lastIndex;
  };
}

function month(text: string, at: number, fields: Fields, names: NameTable[]): number | undefined {
  const found = matchLongestName(
    names.flatMap((table) => table.months),
    text,
    at,
  );
  if (found) fields.month = found.number;
  return found?.end;
}

function weekday(text: string, at: number, _fields: Fields, names: NameTable[]): number | undefined {
  return matchLongestName(
    names.flatMap((table) => table.weekdays),
    text,
    at,
  )?.end;
}
