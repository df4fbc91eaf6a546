import { XmlParser } from "./xml-parser.ts";

interface VisitedElement {
  /** The local name, without a prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The names of the enclosing elements, the outermost first. */
  path: readonly string[];
}

/** A place in a document. Lines and columns are counted from 1, columns in UTF-16 units. */
export interface XmlPlace {
  line: number;
  column: number;
}

interface ElementVisitor {
  /** @returns whether the text of the element is needed */
  open(element: VisitedElement): boolean;
  /**
   * Receives the text of a needed element, without the text of its descendants, and the place where the text begins.
   * `path`: the enclosing elements.
   */
  text(text: string, place: XmlPlace, path: readonly string[]): void;
  close?(name: string): void;
}

/** The deepest nesting. The formats that are read in this way are not nested more deeply. */
const maxDepth = 100;

/**
 * Visits the elements of a document by their local names. No tree is built. White space before the XML declaration,
 * which some templates produce, is skipped.
 * @returns the first problem, with its place. Everything before it has been visited
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
