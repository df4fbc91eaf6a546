import { decodeHTMLStrict } from "entities";
import { withoutBidiControls } from "../core/control-characters.ts";
import { maxTextChars } from "./limits.ts";

/** A tag or a comment; not "p < 0.05" or "<https://a.example>". */
const tag = /<(?:\/?([a-zA-Z][a-zA-Z0-9-]*(?::[a-zA-Z][a-zA-Z0-9-]*)?)(?:[\s/][^<>]*)?|!--[^<>]*--)>/g;

/** Tags that separate words; all others may be inside a word (`H<sub>2</sub>O`). */
const blockTags: ReadonlySet<string> = new Set(
  "br hr p div li ul ol dl dt dd table tr th td blockquote section sec title h1 h2 h3 h4 h5 h6".split(" "),
);

/** White space other than blanks, control characters, bidi controls: most text has none. */
const irregularSpace = /[[\s\p{Cc}\u202a-\u202e\u2066-\u2069]--[ ]]/v;

const windows1252 = new TextDecoder("windows-1252");

/** Converts HTML to text: no tags, no entities, white space collapsed; undefined when it is empty. */
export function htmlToText(html: string | undefined): string | undefined {
  return html === undefined ? undefined : tidyText(withoutEntities(withoutTags(html)));
}

/** Removes tags and comments; tags that separate words become a space. */
function withoutTags(html: string): string {
  return html.includes("<") ? html.replace(tag, tagReplacement) : html;
}

/** Decodes entities that end in ";"; `&copy=` in a URL stays. */
export function withoutEntities(html: string): string {
  return html.includes("&") ? decodeHTMLStrict(html) : html;
}

/** Collapses white space and decodes stray windows-1252 bytes; undefined when nothing is left. */
export function tidyText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const tidy = irregularSpace.test(text)
    ? collapseSpace(text.replace(/[\u0080-\u009f]/g, asWindows1252))
    : collapseBlanks(text);
  return tidy || undefined;
}

/**
 * Replaces each run of white space and control characters by one blank, trims the text and removes bidi controls, which
 * would affect the text that follows it elsewhere.
 */
export function collapseSpace(text: string): string {
  return irregularSpace.test(text)
    ? withoutBidiControls(text)
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim()
    : collapseBlanks(text);
}

/**
 * The plain text of a metadata value that may have markup: at most `maxTextChars`, as `htmlToText`, but entities are decoded
 * before tags are removed again, since many pages encode twice.
 * @returns undefined when only punctuation is left
 */
export function plainText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const decoded = withoutEntities(withoutTags(value.slice(0, maxTextChars)));
  const text = tidyText(withoutTags(decoded));
  return text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/** The plain texts of the values, each once, in order. */
export function plainTexts(values: readonly string[]): string[] {
  return [...new Set(values.map(plainText).filter((text) => text !== undefined))];
}

/** Not with /\s+/, which also replaces single blanks and costs four times as much. */
function collapseBlanks(text: string): string {
  return text.replace(/ {2,}/g, " ").trim();
}

/** A prefix in a tag name (`jats:p`) is ignored. */
function tagReplacement(_tag: string, name = ""): string {
  return blockTags.has(name.slice(name.indexOf(":") + 1).toLowerCase()) ? " " : "";
}

/** U+0080 to U+009F are never meant as control characters: they are windows-1252 bytes that were read as Unicode. */
function asWindows1252(character: string): string {
  return windows1252.decode(Uint8Array.of(character.charCodeAt(0)));
}
