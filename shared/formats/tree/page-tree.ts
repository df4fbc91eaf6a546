export const nodeKind = { root: 0, element: 1, attribute: 2, text: 3, comment: 4, instruction: 5 } as const;
type NodeKind = (typeof nodeKind)[keyof typeof nodeKind];

/**
 * A document as a table. Each node is a number, in document order; attributes directly follow their element. The
 * descendants of node `n` are the numbers from `n + 1` to `ends[n] - 1`, so most axes of XPath are ranges of numbers.
 */
export interface PageTree {
  /** Whether names match regardless of case. */
  isHtml: boolean;
  kinds: NodeKind[];
  /**
   * The names of elements and attributes, without prefix, and the targets of processing instructions; empty for other
   * nodes.
   */
  names: string[];
  /** The names with prefix, only for XML elements and attributes that have a prefix. */
  prefixedNames: Map<number, string>;
  /**
   * The namespaces of elements and attributes that have a namespace. The XHTML namespace is omitted, because
   * expressions name HTML elements without it.
   */
  namespaces: Map<number, string>;
  /** The values of attributes, comments and processing instructions; empty for other nodes. */
  values: string[];
  /**
   * All texts of the document, concatenated. The text of node `n` extends from its start to the start of node
   * `ends[n]`.
   */
  text: string;
  textStarts: number[];
  /** The parent of each node; -1 for the root. */
  parents: number[];
  ends: number[];
}

export const htmlNamespace = "http://www.w3.org/1999/xhtml";

/** Thrown when a page, or an expression on a page, would take too much memory or time. */
export class PageTooLarge extends Error {
  override readonly name = "PageTooLarge";
}

export interface PageName {
  /** The name without prefix. */
  name: string;
  prefixedName?: string | undefined;
  namespace?: string | undefined;
}

/** The maximum number of nodes per page, including attributes. An ordinary page of 5 MB has about 200,000 nodes. */
export const maxNodes = 500_000;

/** Builds a page from parser events in document order. */
export class PageTreeBuilder {
  readonly page: PageTree;
  private current = 0;

  constructor(options: { isHtml: boolean }) {
    this.page = {
      ...options,
      kinds: [nodeKind.root],
      names: [""],
      prefixedNames: new Map(),
      namespaces: new Map(),
      values: [""],
      text: "",
      textStarts: [0],
      parents: [-1],
      ends: [1],
    };
  }

  open(element: PageName, attributes: Iterable<PageName & { value: string }>): void {
    this.current = this.addNamed(nodeKind.element, element, "");
    for (const attribute of attributes) this.addNamed(nodeKind.attribute, attribute, attribute.value);
  }

  close(): void {
    const { parents, ends, kinds } = this.page;
    ends[this.current] = kinds.length;
    this.current = parents[this.current] ?? 0;
  }

  /** Adds a text. Adjacent texts become one node; text outside the root element is ignored. */
  text(value: string): void {
    if (this.current === 0) return;
    const { kinds, parents } = this.page;
    const last = kinds.length - 1;
    const continues = kinds[last] === nodeKind.text && parents[last] === this.current;
    if (!continues) this.add(nodeKind.text, "", "");
    this.page.text += value;
  }

  comment(value: string): void {
    this.add(nodeKind.comment, "", value);
  }

  instruction(target: string, value: string): void {
    this.add(nodeKind.instruction, target, value);
  }

  finish(): PageTree {
    this.page.ends[0] = this.page.kinds.length;
    return this.page;
  }

  private addNamed(kind: NodeKind, { name, prefixedName, namespace = "" }: PageName, value: string): number {
    const node = this.add(kind, name, value);
    if (prefixedName !== undefined) this.page.prefixedNames.set(node, prefixedName);
    if (namespace !== "" && namespace !== htmlNamespace) this.page.namespaces.set(node, namespace);
    return node;
  }

  /** @throws {PageTooLarge} */
  private add(kind: NodeKind, name: string, value: string): number {
    const { kinds, names, values, textStarts, parents, ends } = this.page;
    const node = kinds.length;
    if (node >= maxNodes) throw new PageTooLarge(`more than ${maxNodes} nodes`);
    kinds.push(kind);
    names.push(name);
    values.push(value);
    textStarts.push(this.page.text.length);
    parents.push(this.current);
    ends.push(node + 1);
    return node;
  }
}
