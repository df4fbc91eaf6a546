import { XmlParser } from "./xml-parser.ts";

interface VisitedElement {
  /** Without prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The names of the elements around it, the outermost first. */
  path: readonly string[];
}

/** A place in a document, counted from 1; columns in UTF-16 units. */
export interface XmlPlace {
  line: number;
  column: number;
}

interface ElementVisitor {
  /** @returns whether the text of the element is wanted */
  open(element: VisitedElement): boolean;
  /** The text of a wanted element without that of its descendants, and where it begins. `path`: the elements around it. */
  text(text: string, place: XmlPlace, path: readonly string[]): void;
  close?(name: string): void;
}

/** The deepest nesting: no format that is read this way has more. */
const maxDepth = 100;

/**
 * Visits the elements of a document by their local names. No tree is built. White space before the XML declaration, which
 * some templates write, is skipped.
 * @returns the first problem, with its place; what precedes it has been visited
 */
export function visitElements(text: string, visitor: ElementVisitor): string | undefined {
  const start = text.search(/\S/);
  const skippedLines = text.slice(0, Math.max(0, start)).split("\n").length - 1;
  const path: string[] = [];
  let wanted: { depth: number; text: string; place: XmlPlace } | undefined;
  const parser = new XmlParser({
    open({ name, attributes }) {
      const local = name.slice(name.indexOf(":") + 1);
      if (path.length >= maxDepth) throw new Error(`line ${parser.line}: more than ${maxDepth} levels`);
      const isWanted = visitor.open({ name: local, attributes, path });
      path.push(local);
      if (isWanted) {
        const place = { line: parser.line + skippedLines, column: parser.column + 1 };
        wanted = { depth: path.length, text: "", place };
      }
    },
    text(part) {
      if (wanted !== undefined && wanted.depth === path.length) wanted.text += part;
    },
    close() {
      const name = path.pop() ?? "";
      if (wanted !== undefined && wanted.depth === path.length + 1) {
        visitor.text(wanted.text, wanted.place, path);
        wanted = undefined;
      }
      visitor.close?.(name);
    },
  });
  try {
    parser.write(text.trimStart());
    parser.close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
