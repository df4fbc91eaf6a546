import { decodeHTMLStrict } from "entities";
import { withoutBidiControls } from "../core/control-characters.ts";
import { maxTextChars } from "./limits.ts";

/** A tag or a comment, but not "p < 0.05" or "<https://a.example>". */
const tag = /<(?:\/?([a-zA-Z][a-zA-Z0-9-]*(?::[a-zA-Z][a-zA-Z0-9-]*)?)(?:[\s/][^<>]*)?|!--[^<>]*--)>/g;

/** Tags that separate words. All other tags may occur inside a word (`H<sub>2</sub>O`). */
const blockTags: ReadonlySet<string> = new Set(
  "br hr p div li ul ol dl dt dd table tr th td blockquote section sec title h1 h2 h3 h4 h5 h6".split(" "),
);

/** White space other than spaces, control characters, and bidi controls. Most text contains none of them. */
const irregularSpace = /[[\s\p{Cc}\u202a-\u202e\u2066-\u2069]--[ ]]/v;

const windows1252 = new TextDecoder("windows-1252");

/**
 * Converts HTML to text: removes tags, decodes entities and collapses white space.
 * @returns undefined when the text is empty
 */
export function htmlToText(html: string | undefined): string | undefined {
  return html === undefined ? undefined : tidyText(withoutEntities(withoutTags(html)));
}

/** Removes tags and comments. Tags that separate words become a space. */
function withoutTags(html: string): string {
  return html.includes("<") ? html.replace(tag, tagReplacement) : html;
}

/** Decodes entities that end in ";". `&copy=` in a URL is unchanged. */
export function withoutEntities(html: string): string {
  return html.includes("&") ? decodeHTMLStrict(html) : html;
}

/**
 * Collapses white space and decodes stray windows-1252 bytes.
 * @returns undefined when no text remains
 */
export function tidyText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const tidy = irregularSpace.test(text)
    ? collapseSpace(text.replace(/[\u0080-\u009f]/g, asWindows1252))
    : collapseBlanks(text);
  return tidy || undefined;
}

/**
 * Replaces each sequence of white space and control characters by one space, and trims the text. Bidi controls are
 * removed, because they would affect the text after it when it is displayed elsewhere.
 */
export function collapseSpace(text: string): string {
  return irregularSpace.test(text)
    ? withoutBidiControls(text)
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim()
    : collapseBlanks(text);
}

/**
 * Converts a metadata value that may contain markup to plain text. It reads at most `maxTextChars`. Unlike in
 * `htmlToText`, tags are removed again after entities are decoded, because many pages encode their values twice.
 * @returns undefined when only punctuation remains
 */
export function plainText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const decoded = withoutEntities(withoutTags(value.slice(0, maxTextChars)));
  const text = tidyText(withoutTags(decoded));
  return text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/** Returns the distinct plain texts of the values, in order. */
export function plainTexts(values: readonly string[]): string[] {
  return [...new Set(values.map(plainText).filter((text) => text !== undefined))];
}

/** Collapses spaces. /\s+/ also replaces single spaces and costs four times as much. */
function collapseBlanks(text: string): string {
  return text.replace(/ {2,}/g, " ").trim();
}

/** Returns the replacement of a tag. A prefix in the tag name (`jats:p`) is ignored. */
function tagReplacement(_tag: string, name = ""): string {
  return blockTags.has(name.slice(name.indexOf(":") + 1).toLowerCase()) ? " " : "";
}

/**
 * Decodes U+0080 to U+009F, which are never meant as control characters: they are windows-1252 bytes that were read as
 * Unicode.
 */
function asWindows1252(character: string): string {
  return windows1252.decode(Uint8Array.of(character.charCodeAt(0)));
}
