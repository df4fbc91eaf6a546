import { maxTextChars } from "../limits.ts";

/** An entry as it is written: names of type and fields in small letters, values in LaTeX, joined where `#` joins them. */
export interface BibtexEntry {
  type: string;
  fields: Map<string, string>;
}

/** Its own names of months, as numbers. */
const monthNumbers = new Map(
  "jan feb mar apr may jun jul aug sep oct nov dec".split(" ").map((name, i) => [name, `${i + 1}`]),
);

/** Entries that hold no record. */
const entriesWithoutRecord: ReadonlySet<string> = new Set(["comment", "preamble"]);

/**
 * The entries of a BibTeX file, at most so many. What stands between entries is a comment. An entry that breaks off, or that
 * no value ends, keeps the fields before that.
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

/** Reads the inside of an entry from where it begins; each step goes forward, so time grows with length alone. */
class FieldReader {
  at: number;
  private readonly text: string;
  private readonly strings: ReadonlyMap<string, string>;

  constructor(text: string, at: number, strings: ReadonlyMap<string, string>) {
    this.text = text;
    this.at = at;
    this.strings = strings;
  }

  /** The citation key, which is no field. Some exports leave it out. */
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
      // As BibTeX does: of a field that is given twice the first counts.
      if (!fields.has(name)) fields.set(name, value);
    }
    return fields;
  }

  private value(): string | undefined {
    let value = "";
    do {
      const part = this.part();
      if (part === undefined) return undefined;
      // Strings made of strings may double with each one.
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

  /** Up to the delimiter that no brace encloses. A backslash takes nothing from a brace: BibTeX counts them all. */
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

  /** What the pattern has in its group, or the whole of it, if it stands here. */
  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found[1] ?? found[0];
  }
}
