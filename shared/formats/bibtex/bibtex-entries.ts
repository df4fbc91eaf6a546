import { maxTextChars } from "../limits.ts";

/**
 * A raw entry. Types and field names are in lower case. Values are in LaTeX, with parts joined by `#` already
 * concatenated.
 */
export interface BibtexEntry {
  type: string;
  fields: Map<string, string>;
}

/** BibTeX's predefined month names. */
const monthNumbers = new Map(
  "jan feb mar apr may jun jul aug sep oct nov dec".split(" ").map((name, i) => [name, `${i + 1}`]),
);

/** Entry types that are not records. */
const entriesWithoutRecord: ReadonlySet<string> = new Set(["comment", "preamble"]);

/**
 * Parses at most `maxEntries` entries of a BibTeX file. Text between entries is a comment. Of a truncated or malformed
 * entry, the fields before the fault are kept.
 * @see https://www.bibtex.org/Format/
 */
export function parseBibtexEntries(text: string, maxEntries: number): BibtexEntry[] {
  const entries: BibtexEntry[] = [];
  const strings = new Map(monthNumbers);
  const start = /@\s*([a-z]+)\s*[{(]/giy;
  for (let at = text.indexOf("@"); at >= 0 && entries.length < maxEntries; at = text.indexOf("@", at)) {
    start.lastIndex = at;
    const type = start.exec(text)?.[1]?.toLowerCase();
    at = type === undefined ? at + 1 : start.lastIndex;
    if (type === undefined || entriesWithoutRecord.has(type)) continue;
    const reader = new FieldReader(text, at, strings);
    if (type === "string") {
      for (const [name, value] of reader.fields()) strings.set(name, value);
    } else {
      reader.skipKey();
      entries.push({ type, fields: reader.fields() });
    }
    at = reader.at;
  }
  return entries;
}

/** Reads the fields of an entry. Each step moves forward, so reading takes linear time. */
class FieldReader {
  at: number;
  private readonly text: string;
  private readonly strings: ReadonlyMap<string, string>;

  constructor(text: string, at: number, strings: ReadonlyMap<string, string>) {
    this.text = text;
    this.at = at;
    this.strings = strings;
  }

  /** Skips the citation key, which some exports lack. */
  skipKey(): void {
    this.take(/[^,={}()"]*,/y);
  }

  fields(): Map<string, string> {
    const fields = new Map<string, string>();
    for (;;) {
      const name = this.take(/[\s,]*([^\s,={}()"#@]+)\s*=/y)?.toLowerCase();
      if (name === undefined) break;
      const value = this.value();
      if (value === undefined) break;
      // As in BibTeX, the first of several fields with the same name applies.
      if (!fields.has(name)) fields.set(name, value);
    }
    return fields;
  }

  private value(): string | undefined {
    let value = "";
    do {
      const part = this.part();
      if (part === undefined) return undefined;
      // The size is limited, because @string values that refer to other values can grow exponentially.
      if (value.length < maxTextChars) value += part;
    } while (this.take(/\s*(#)/y) !== undefined);
    return value.slice(0, maxTextChars);
  }

  private part(): string | undefined {
    const opening = this.take(/\s*([{"])/y);
    if (opening !== undefined) return this.delimited(opening === "{" ? "}" : '"');
    const word = this.take(/\s*([^\s,{}()"#=]+)/y);
    return word === undefined ? undefined : (this.strings.get(word.toLowerCase()) ?? word);
  }

  /** Reads up to the delimiter outside braces. As in BibTeX, a backslash does not escape a brace. */
  private delimited(end: string): string | undefined {
    const from = this.at;
    const sign = /[{}"]/g;
    sign.lastIndex = from;
    let depth = 0;
    for (let found = sign.exec(this.text); found !== null; found = sign.exec(this.text)) {
      const [character] = found;
      if (depth === 0 && character === end) {
        this.at = sign.lastIndex;
        return this.text.slice(from, found.index);
      }
      if (character === "{") depth += 1;
      if (character === "}") depth = Math.max(0, depth - 1);
    }
    this.at = this.text.length;
    return undefined;
  }

  /**
   * Matches a sticky pattern at the current position and moves past the match. @returns its first group, or the whole
   * match if there is no group
   */
  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found[1] ?? found[0];
  }
}
