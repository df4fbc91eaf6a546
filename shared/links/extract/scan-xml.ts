import { SaxesParser } from "saxes";
import { markedEncoding, startOf } from "../../web/encoding/character-encoding.ts";
import type { LinkPlace } from "./found-link.ts";

interface XmlElement {
  /** Without prefix. */
  name: string;
  attributes: Record<string, string>;
  /** The names of the elements around it, the outermost first. */
  path: readonly string[];
}

interface XmlVisitor {
  /** @returns whether the text of the element is wanted */
  open(element: XmlElement): boolean;
  /** The text of a wanted element, and where it begins. `path`: the elements around it. */
  text(text: string, place: LinkPlace, path: readonly string[]): void;
  close?(name: string): void;
}

/** Deeper nesting is not a document of a format that is read here. */
const maxDepth = 100;

/**
 * Visits the elements of an XML document in UTF-8 or UTF-16. No tree is built.
 * @returns the first problem, with its line; everything before it has been visited
 */
export function scanXml(bytes: Uint8Array, visitor: XmlVisitor): string | undefined {
  const encoding = markedEncoding(startOf(bytes)) ?? "utf-8";
  // Some templates write blank lines before the XML declaration, which XML forbids.
  const text = new TextDecoder(encoding).decode(bytes);
  const start = text.search(/\S/);
  const skippedLines = text.slice(0, Math.max(0, start)).split("\n").length - 1;
  const parser = new SaxesParser();
  const path: string[] = [];
  let wanted: { depth: number; text: string; place: LinkPlace } | undefined;
  const addText = (part: string) => {
    if (wanted !== undefined && wanted.depth === path.length) wanted.text += part;
  };
  parser.on("opentag", ({ name, attributes }) => {
    const local = localName(name);
    if (path.length >= maxDepth) throw new Error(`line ${parser.line}: more than ${maxDepth} levels`);
    const isWanted = visitor.open({ name: local, attributes, path });
    path.push(local);
    if (isWanted) {
      const place = { line: parser.line + skippedLines, column: parser.column + 1 };
      wanted = { depth: path.length, text: "", place };
    }
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const name = path.pop() ?? "";
    if (wanted !== undefined && wanted.depth === path.length + 1) {
      visitor.text(wanted.text, wanted.place, path);
      wanted = undefined;
    }
    visitor.close?.(name);
  });
  try {
    parser.write(text.trimStart()).close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
