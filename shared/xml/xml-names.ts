import { MalformedXml } from "./malformed-xml.ts";
import type { StartTag } from "./namespaces.ts";

const nameStart =
  ":A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}-\\u{200d}\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}";
/** The pattern of a name. @see https://www.w3.org/TR/xml/#NT-Name */
export const namePattern = `[${nameStart}][${nameStart}.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}-\\u{2040}-]*`;

const namePart = new RegExp(namePattern, "uy");
const attribute = new RegExp(
  `[ \\t\\r\\n]+(${namePattern})[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"([^<"]*)"|'([^<']*)')`,
  "uy",
);
const tagEnd = /[ \t\r\n]*(\/?)$/y;

/**
 * Parses a start tag or an empty-element tag.
 * @param text without `<` and `>`
 * @throws MalformedXml
 * @see https://www.w3.org/TR/xml/#NT-STag
 */
export function parseStartTag(text: string): StartTag {
  namePart.lastIndex = 0;
  const [name] = namePart.exec(text) ?? [];
  if (name === undefined) throw new MalformedXml(`<${quoted(text)}> has no name: a bare < in the text?`);
  const attributes: Record<string, string> = {};
  let at = name.length;
  for (;;) {
    attribute.lastIndex = at;
    const found = attribute.exec(text);
    if (found === null) break;
    const [whole, key = "", double, single = ""] = found;
    if (Object.hasOwn(attributes, key)) throw new MalformedXml(`<${name}> has two attributes ${key}`);
    const value = (double ?? single).replaceAll(/\r\n|[\t\n\r]/g, " ");
    Object.defineProperty(attributes, key, { value: expandReferences(value), enumerable: true });
    at += whole.length;
  }
  tagEnd.lastIndex = at;
  const end = tagEnd.exec(text);
  if (end === null) throw new MalformedXml(`the attributes of <${quoted(text)}> are malformed`);
  return { name, attributes, isEmpty: end[1] === "/", resolved: undefined };
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const reference = /&(?:#(\d{1,8})|#x([\dA-Fa-f]{1,8})|([^\s;&<]{1,64}));/y;

/** @throws MalformedXml for a bare `&`, and for an entity that XML does not predefine */
export function expandReferences(text: string): string {
  let expanded = "";
  let from = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", from)) {
    expanded += text.slice(from, at);
    // By far the most frequent.
    if (text.startsWith("amp;", at + 1)) {
      expanded += "&";
      from = at + 5;
      continue;
    }
    reference.lastIndex = at;
    const found = reference.exec(text);
    if (found === null) throw new MalformedXml("the text has a bare &");
    expanded += referenced(found);
    from = reference.lastIndex;
  }
  return from === 0 ? text : expanded + text.slice(from);
}

function referenced([all, decimal, hex, name]: RegExpExecArray): string {
  if (name !== undefined && Object.hasOwn(entities, name)) return entities[name] ?? "";
  const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : -1;
  if (!isCharacter(code)) throw new MalformedXml(`the reference ${quoted(all)} is not defined`);
  return String.fromCodePoint(code);
}

/** @see https://www.w3.org/TR/xml/#NT-Char */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code < 0x110000);
}

export function quoted(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
