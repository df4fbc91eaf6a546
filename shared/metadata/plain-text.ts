import { decodeHTMLStrict } from "entities";
import { withoutBidiControls } from "../core/control-characters.ts";
import { maxTextChars } from "./limits.ts";

/** A tag, by its name, or a comment. "p < 0.05" and "<https://a.example>" are none. */
const tag = /<(?:\/?([a-zA-Z][a-zA-Z0-9-]*(?::[a-zA-Z][a-zA-Z0-9-]*)?)(?:[\s/][^<>]*)?|!--[^<>]*--)>/g;

/** Tags between words; all others may stand inside one (`H<sub>2</sub>O`). */
const blockTags: ReadonlySet<string> = new Set(
  "br hr p div li ul ol dl dt dd table tr th td blockquote section sec title h1 h2 h3 h4 h5 h6".split(" "),
);

/** White space other than blanks, control characters, and those that turn the direction of text: most text has none. */
const irregularSpace = /[[\s\p{Cc}\u202a-\u202e\u2066-\u2069]--[ ]]/v;

const windows1252 = new TextDecoder("windows-1252");

/** The text of HTML: no tags, no entities, white space collapsed; undefined when nothing is left. */
export function htmlToText(html: string | undefined): string | undefined {
  return html === undefined ? undefined : tidyText(withoutEntities(withoutTags(html)));
}

/** HTML without tags and comments: a space for those that part words, nothing for the others. */
export function withoutTags(html: string): string {
  return html.includes("<") ? html.replace(tag, tagReplacement) : html;
}

/** Characters for entities that end in ";": `&copy=` in an address is none. */
export function withoutEntities(html: string): string {
  return html.includes("&") ? decodeHTMLStrict(html) : html;
}

/** Text with its white space collapsed and its windows-1252 mended; undefined when nothing is left. */
export function tidyText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const tidy = irregularSpace.test(text)
    ? collapseSpace(text.replace(/[\u0080-\u009f]/g, asWindows1252))
    : collapseBlanks(text);
  return tidy || undefined;
}

/**
 * Text with one blank for each run of white space and control characters, and none around it; without what turns its
 * direction, which cut out of its page it would do to all that follows.
 */
export function collapseSpace(text: string): string {
  return irregularSpace.test(text)
    ? withoutBidiControls(text)
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim()
    : collapseBlanks(text);
}

/**
 * The plain text of a value that may hold markup: tags stripped (of blocks, to a space), entities decoded once more
 * for the many pages that encode twice, white space and control characters collapsed, at most maxTextChars long.
 * @returns undefined when nothing but punctuation is left
 */
export function plainText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const decoded = withoutEntities(withoutTags(value.slice(0, maxTextChars)));
  const text = tidyText(withoutTags(decoded));
  return text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/** The plain texts of all values that have one, each once, in order. */
export function plainTexts(values: readonly string[]): string[] {
  return [...new Set(values.map(plainText).filter((text) => text !== undefined))];
}

/** Letters and digits alone, in lower case: what two spellings of one title have in common. */
export function normalizeForComparison(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Not by /\s+/: it would replace every single blank by itself, at four times the cost. */
function collapseBlanks(text: string): string {
  return text.replace(/ {2,}/g, " ").trim();
}

/** Of the names of tags, a prefix (`jats:p`) says nothing. */
function tagReplacement(_tag: string, name = ""): string {
  return blockTags.has(name.slice(name.indexOf(":") + 1).toLowerCase()) ? " " : "";
}

/** U+0080 to U+009F are control characters that nobody writes: they are windows-1252, passed on as Unicode. */
function asWindows1252(character: string): string {
  return windows1252.decode(Uint8Array.of(character.charCodeAt(0)));
}
