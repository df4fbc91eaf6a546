import { MalformedXml } from "./malformed-xml.ts";
import { namePattern, quoted } from "./xml-names.ts";

/** The content of an XML declaration. @see https://www.w3.org/TR/xml/#NT-XMLDecl */
export const declarationPattern =
  /^xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.\d+"|'1\.\d+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*$/;
/** The content of a processing instruction. @see https://www.w3.org/TR/xml/#sec-pi */
export const instructionPattern = new RegExp(
  `^(?!xml(?:[ \\t\\r\\n]|$))${namePattern}(?:[ \\t\\r\\n]|$)`,
  "iu",
);

/** Decides whether a text could be the beginning of a comment, a CDATA section or a document type. */
export function isDeclarationBeginning(text: string): boolean {
  return ["<!--", "<![CDATA[", "<!DOCTYPE"].some((whole) => whole.startsWith(text));
}

/**
 * Returns the position of the `>` that ends a tag, ignoring `>` in attributes; -1 when the tag is incomplete. @throws
 * MalformedXml
 */
export function endOfTag(text: string, start: number): number {
  let quote = "";
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (character === "<") throw new MalformedXml("an attribute has a bare <");
    } else if (character === ">") return at;
    else if (character === "<") throw new MalformedXml(`the tag ${quoted(text.slice(start, at))} has no end`);
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

/** Returns the position after a document type; -1 when it is incomplete. The declarations in it are not parsed. */
export function endOfDocumentType(text: string, start: number): number {
  const parts = /"[^"]*"|'[^']*'|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|[[\]<>]/g;
  parts.lastIndex = start + 1;
  let depth = 0;
  for (let found = parts.exec(text); found !== null; found = parts.exec(text)) {
    const [part] = found;
    if (part === "[" || part === "<") depth += 1;
    else if (part === "]") depth -= 1;
    else if (part === ">") {
      if (depth === 0) return parts.lastIndex;
      depth -= 1;
    }
  }
  return -1;
}

/** The length from which comparing a slice of the text is faster than startsWith. */
const longTag = 32;

/** Decides whether the text continues with this tag. */
export function hasTagAt(text: string, tag: string, at: number): boolean {
  const { length } = tag;
  return length < longTag ? text.startsWith(tag, at) : text.slice(at, at + length) === tag;
}
