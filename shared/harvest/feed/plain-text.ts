import { decodeHTMLStrict } from "entities";

/** A tag with its name, or a comment. "p < 0.05" has none. */
const tag = /<(?:\/?([a-z][a-z0-9]*)[^<>]*|!--[^<>]*--)>/gi;

/** Tags between words; all others may stand inside one (`H<sub>2</sub>O`). */
const partingTags: ReadonlySet<string> = new Set(
  "br hr p div li ul ol dl dt dd table tr td th blockquote section h1 h2 h3 h4 h5 h6".split(" "),
);

/** White space other than blanks, and control characters: most text has none. */
const unusual = /[\t-\r\u0080-\u00a0\u2028\u2029\ufeff]/;

const windows1252 = new TextDecoder("windows-1252");

/** The text of HTML: no tags, no entities, white space collapsed; undefined when nothing is left. */
export function htmlToText(html: string | undefined): string | undefined {
  if (html === undefined) return undefined;
  const untagged = html.includes("<") ? html.replace(tag, textInPlace) : html;
  return tidyText(untagged.includes("&") ? decodeHTMLStrict(untagged) : untagged);
}

/** Text with its white space collapsed; undefined when nothing is left. */
export function tidyText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const usual = unusual.test(text)
    ? text.replace(/[\u0080-\u009f]/g, asWindows1252).replace(/[\t-\r\u00a0\u2028\u2029\ufeff]+/g, " ")
    : text;
  // Not /\s+/: it would replace every single blank by itself, at four times the cost.
  return usual.replace(/ {2,}/g, " ").trim() || undefined;
}

function textInPlace(_tag: string, name: string | undefined): string {
  return name !== undefined && partingTags.has(name.toLowerCase()) ? " " : "";
}

/** U+0080 to U+009F are control characters that nobody writes: they are windows-1252, passed on as Unicode. */
function asWindows1252(character: string): string {
  return windows1252.decode(Uint8Array.of(character.charCodeAt(0)));
}
