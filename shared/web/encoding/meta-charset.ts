import { isUtf8 } from "node:buffer";
import { charsetIn, startOf } from "../../xml/character-encoding.ts";

/**
 * Returns the encoding that a meta tag of a page names, with the algorithm that browsers use before they parse a page.
 * Comments and other tags are skipped. `content` is read only with `http-equiv="content-type"`. UTF-16 is replaced by
 * UTF-8, and `x-user-defined` by windows-1252.
 * @param start the result of `startOf`
 * @see https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
 */
export function metaCharsetIn(start: string): string | undefined {
  return firstLabelIn(start, { passesOver: new Set() });
}

/** The number of bytes of a page that are searched. The head of a page ends within them. */
const lateBytes = 64 * 1024;

/**
 * Returns the encoding that a meta tag after the first 1024 bytes names. Browsers parse a page again if they find such
 * a tag. A page in valid UTF-8 keeps that encoding. The text of scripts and similar elements is skipped.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#changing-the-encoding-while-parsing
 */
export function lateMetaCharsetOf(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? undefined : firstLabelIn(startOf(bytes, lateBytes), { passesOver: textElements });
}

/** Returns the encoding of a label. UTF-16 is replaced, because the tag itself was readable byte by byte. */
function meantBy(label: string): string {
  if (/^utf-16/i.test(label)) return "utf-8";
  return /^x-user-defined$/i.test(label) ? "windows-1252" : label;
}

/** Elements that contain only text. */
const textElements: ReadonlySet<string> = new Set(["script", "style", "textarea", "title"]);

function firstLabelIn(
  start: string,
  { passesOver }: { passesOver: ReadonlySet<string> },
): string | undefined {
  for (let at = start.indexOf("<"); at !== -1; at = start.indexOf("<", at)) {
    const tag = matchAt(tagStart, start, at);
    if (tag === undefined) {
      at = afterOther(start, at);
      continue;
    }
    const { attributes, end } = attributesAt(start, at + tag[0].length);
    at = end;
    const name = tag[0].slice(1).toLowerCase();
    const label = name === "meta" ? labelOf(attributes) : undefined;
    if (label !== undefined) return meantBy(label);
    if (passesOver.has(name)) at = endOfText(name, start, end);
  }
  return undefined;
}

const tagStart = /<\/?[a-z][^\s/>]*/iy;
/** A name with an optional value. The closing quote may be missing at the end of the text. */
const attribute = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>]*)))?/y;

function endOfText(name: string, start: string, from: number): number {
  const rest = new RegExp(`</${name}`, "gi");
  rest.lastIndex = from;
  return rest.exec(start)?.index ?? start.length;
}

/** Returns the end of a comment or declaration. Any other `<` is text. */
function afterOther(start: string, at: number): number {
  if (start.startsWith("<!--", at)) return afterMark("-->", start, at + 2);
  return /[!/?]/.test(start.charAt(at + 1)) ? afterMark(">", start, at) : at + 1;
}

function afterMark(mark: string, start: string, from: number): number {
  const at = start.indexOf(mark, from);
  return at === -1 ? start.length : at + mark.length;
}

/** Returns the attributes of a tag. If a name is repeated, the first one applies. */
function attributesAt(start: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let end = from;
  for (
    let found = matchAt(attribute, start, end);
    found !== undefined;
    found = matchAt(attribute, start, end)
  ) {
    const [whole, name = "", ...values] = found;
    const key = name.toLowerCase();
    const value = values.find((each) => each !== undefined) ?? "";
    if (!attributes.has(key)) attributes.set(key, value);
    end += whole.length;
  }
  return { attributes, end };
}

function labelOf(meta: Map<string, string>): string | undefined {
  const isContentType = meta.get("http-equiv")?.toLowerCase() === "content-type";
  const label = meta.get("charset") ?? (isContentType ? charsetIn(meta.get("content")) : undefined);
  return label?.trim() || undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
