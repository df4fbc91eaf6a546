import type { LocalizedText } from "../article-metadata.ts";
import { plainText, plainTexts } from "../plain-text.ts";
import { splitKeywords, splitSingleKeywords } from "../split-keywords.ts";
import type { Meta } from "./page-parts.ts";

/** The meta tags of one vocabulary by name, with their values in page order. */
export class MetaValues {
  private readonly byName: Map<string, Meta[]>;

  /**
   * @param nameOf maps a tag name in lower case to its name in the vocabulary; undefined for tags of other vocabularies
   */
  constructor(metas: readonly Meta[], nameOf: (name: string) => string | undefined) {
    this.byName = new Map();
    for (const meta of metas) {
      const name = nameOf(meta.name);
      if (name === undefined) continue;
      const known = this.byName.get(name);
      if (known === undefined) this.byName.set(name, [meta]);
      else known.push(meta);
    }
  }

  get isEmpty(): boolean {
    return this.byName.size === 0;
  }

  /** Returns all raw values of the names, in the order of the names. */
  all(...names: string[]): string[] {
    return names.flatMap((name) => this.byName.get(name) ?? []).map((meta) => meta.content);
  }

  /** Returns the raw values of the first name that has values. */
  firstNonEmpty(...names: string[]): string[] {
    return names.map((name) => this.all(name)).find((values) => values.length > 0) ?? [];
  }

  /** Returns the first plain text of the names, in the order of the names. */
  text(...names: string[]): string | undefined {
    for (const value of this.all(...names)) {
      const text = plainText(value);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Returns the distinct plain texts of all names. */
  texts(...names: string[]): string[] {
    return plainTexts(this.all(...names));
  }

  /** Returns the plain texts of the first name that has any, with their languages. */
  localizedTexts(...names: string[]): LocalizedText[] {
    const metas = names.map((name) => this.byName.get(name) ?? []).find((found) => found.length > 0) ?? [];
    return metas.flatMap(({ content, language }) => {
      const text = plainText(content);
      return text === undefined ? [] : [{ text, ...(language === undefined ? {} : { language }) }];
    });
  }

  /** Returns the keywords of the first name that has any, for tags that may contain several keywords. */
  keywords(...names: string[]): string[] {
    return splitKeywords(this.firstNonEmpty(...names));
  }

  /** Returns the keywords of the first name that has any, for tags that contain one keyword each. */
  singleKeywords(...names: string[]): string[] {
    return splitSingleKeywords(this.firstNonEmpty(...names));
  }
}

/**
 * Returns a function that maps a tag name to the part after one of the prefixes and a delimiter: `dc.title`,
 * `dc:title`, `dc_title`.
 */
export function stripPrefix(...prefixes: string[]): (name: string) => string | undefined {
  const pattern = new RegExp(`^(?:${prefixes.join("|")})[.:_](.+)$`);
  return (name) => pattern.exec(name)?.[1];
}
