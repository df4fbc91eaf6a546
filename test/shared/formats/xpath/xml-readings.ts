import { createRequire } from "node:module";
import { DOMParser, type Document, type Element, type Node } from "@xmldom/xmldom";
import { CostBudget } from "../../../../shared/formats/tree/cost-budget.ts";
import { nodeKind, PageTooLarge, type PageTree } from "../../../../shared/formats/tree/page-tree.ts";
import { readXml } from "../../../../shared/formats/tree/xml.ts";
import { evaluate } from "../../../../shared/formats/xpath/evaluate.ts";
import { parseXPath } from "../../../../shared/formats/xpath/parser.ts";
import { stringValue } from "../../../../shared/formats/xpath/values.ts";

/** The part of `xpath` in use. Its own types would make the browser's globals known to every file of the project. */
interface XPathLibrary {
  parse(expression: string): { evaluate(options: object): LibraryValue };
}
type LibraryValue = { nodes: Node[]; toArray(): Node[] } | { num: number } | { str: string } | { b: boolean };

const xpath = createRequire(import.meta.url)("xpath") as XPathLibrary;

/** Nodes by their numbers in document order, or the error that evaluating ended with. */
export type Reading = number[] | string | number | boolean | { error: string };

/** One XML document for both engines. Nodes have the numbers of our table; namespace nodes have none and become -1. */
export class XmlReadings {
  readonly page: PageTree;
  private readonly document: Document;
  private readonly numbers = new Map<Node, number>();

  constructor(source: string) {
    const page = readXml(source);
    if (page === undefined) throw new Error(`not well-formed: ${source}`);
    this.page = page;
    this.document = new DOMParser().parseFromString(source, "text/xml");
    // The XML declaration is not a node of XPath's (section 5), but one of the library's.
    const first = this.document.firstChild;
    if (first?.nodeName === "xml") this.document.removeChild(first);
    this.number(this.document, 0);
    const known = new Set(this.numbers.values()).size;
    if (known !== page.kinds.length) {
      throw new Error(`${known} nodes are not the ${page.kinds.length} of our table: ${source}`);
    }
  }

  ours(expression: string): Reading {
    const { page } = this;
    const context = { page, budget: CostBudget.ofPage(page), node: 0, position: 1, size: 1 };
    try {
      return evaluate(parseXPath(expression), context);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof PageTooLarge) return { error: error.message };
      throw error;
    }
  }

  library(expression: string, namespaces: Record<string, string> = {}): Reading {
    try {
      return this.readingOf(xpath.parse(expression).evaluate({ node: this.document, namespaces }));
    } catch (error) {
      return { error: String(error) };
    }
  }

  /** Nodes in the order of the document, as text. */
  describe(numbers: number[]): string {
    const { names, values, prefixedNames } = this.page;
    return numbers
      .map((node) => {
        const name = prefixedNames.get(node) ?? names[node];
        switch (this.page.kinds[node]) {
          case nodeKind.root:
            return "/";
          case nodeKind.element:
            return name;
          case nodeKind.attribute:
            return `@${name}`;
          case nodeKind.text:
            return JSON.stringify(
              stringValue(node, { page: this.page, budget: CostBudget.ofPage(this.page) }),
            );
          case nodeKind.comment:
            return `<!--${values[node]}-->`;
          case nodeKind.instruction:
            return `<?${name}?>`;
          default:
            return "namespace";
        }
      })
      .join(" ");
  }

  private readingOf(value: LibraryValue): Reading {
    if ("num" in value) return value.num;
    if ("str" in value) return value.str;
    if ("b" in value) return value.b;
    const numbers = value.toArray().map((node) => this.numbers.get(node) ?? -1);
    return [...new Set(numbers)].sort((a, b) => a - b);
  }

  /** Numbers a node and what it holds, as our table does; texts and CDATA sections that follow each other are one. */
  private number(node: Node, number: number): number {
    this.numbers.set(node, number);
    let next = number + 1;
    for (const attribute of (node as Element).attributes ?? []) {
      if (attribute.name !== "xmlns" && attribute.prefix !== "xmlns") this.numbers.set(attribute, next++);
    }
    let isText = false;
    for (const child of node.childNodes ?? []) {
      if (child.nodeType === child.DOCUMENT_TYPE_NODE || (number === 0 && isTextNode(child))) continue;
      if (isText && isTextNode(child)) this.numbers.set(child, next - 1);
      else next = this.number(child, next);
      isText = isTextNode(child);
    }
    return next;
  }
}

function isTextNode(node: Node): boolean {
  return node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE;
}
