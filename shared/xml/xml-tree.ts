import {
  commonPrefixes,
  declaredPrefixes,
  type NamespaceScope,
  newScope,
  resolveAttributeName,
  resolveElementName,
  scopeWithin,
} from "./fixed-prefixes.ts";
import { MalformedXml } from "./malformed-xml.ts";
import { XmlParser, type XmlTag } from "./xml-parser.ts";

/** An element with its children by name. Comments and processing instructions are dropped. */
export interface XmlElement {
  /** The name with the fixed prefix of its namespace: "item", "atom:entry", "dc:creator". */
  name: string;
  /** Prefixed names have the fixed prefix ("rdf:about"). */
  attributes: Readonly<Record<string, string>>;
  /** The number of elements that begin before this one. It determines the order of children with different names. */
  order: number;
  /** By name. */
  children?: Map<string, XmlElement[]>;
  /** The text of the element and its descendants; empty for containers, which have only elements. */
  text: string;
  /** The base of relative URLs in the element. @see https://www.w3.org/TR/xmlbase/ */
  base: string;
  /** The nearest `xml:lang`. */
  language: string | undefined;
}

type XmlTreeResult =
  | { type: "tree"; root: XmlElement }
  /**
   * `atEnd`: the only fault is that the text ends too early. `isTooLarge`: the document has more elements than are
   * kept.
   */
  | { type: "broken"; problem: string; atEnd: boolean; isTooLarge: boolean };

/** The nesting of feeds is about 10 levels deep, that of web pages quoted in Atom about 50. */
const maxDepth = 256;

/** A feed of 32 MiB has about 600,000 elements. Each element takes about 150 bytes of memory. */
const maxElements = 2_000_000;

interface Attribute {
  name: string;
  value: string;
}

interface OpenElement {
  element: XmlElement;
  scope: NamespaceScope;
}

/** Elements that contain only elements. If their text were collected, the whole feed would be stored twice. */
const containers: ReadonlySet<string> = new Set([
  "",
  "rss",
  "rdf:RDF",
  "channel",
  "item",
  "atom:feed",
  "atom:entry",
]);

const noAttributes: Readonly<Record<string, string>> = {};
const noElements: readonly XmlElement[] = [];

/**
 * Parses a well-formed document, or returns its first fault. Nothing is fetched, and only the five predefined entities
 * are expanded.
 * @param from.lenient permits undeclared prefixes
 */
export function parseXmlTree(text: string, from: { url: string; lenient: boolean }): XmlTreeResult {
  const document: XmlElement = {
    name: "",
    attributes: noAttributes,
    order: 0,
    text: "",
    base: from.url,
    language: undefined,
  };
  const prefixes = from.lenient ? commonPrefixes : declaredPrefixes;
  let innermost: OpenElement = { element: document, scope: newScope(prefixes) };
  const outer: OpenElement[] = [];
  let pendingAttributes: Attribute[] = [];
  let ended = false;
  let elements = 0;

  const fail = (problem: string): never => {
    throw new MalformedXml(problem);
  };
  const undeclared = (name: string): string =>
    from.lenient ? `unknown:${name}` : fail(`the prefix of ${name} is not declared`);
  const addText = (text: string) => {
    if (!containers.has(innermost.element.name)) innermost.element.text += text;
  };
  const open = (tag: XmlTag) => {
    if (outer.length === maxDepth) fail(`elements are nested more than ${maxDepth} deep`);
    elements += 1;
    if (elements > maxElements) fail(`there are more than ${maxElements} elements`);
    const parent = innermost.element;
    const scope = scopeWithin(innermost.scope, tag.name, pendingAttributes);
    const attributes: Record<string, string> = pendingAttributes.length === 0 ? noAttributes : {};
    for (const { name, value } of pendingAttributes)
      attributes[resolveAttributeName(scope, name) ?? undeclared(name)] = value;
    pendingAttributes = [];
    const name = resolveElementName(scope, tag.name) ?? undeclared(tag.name);
    const base = attributes["xml:base"];
    const element: XmlElement = {
      name,
      attributes,
      order: elements,
      text: "",
      base: base === undefined ? parent.base : (URL.parse(base, parent.base)?.href ?? parent.base),
      language: attributes["xml:lang"] ?? parent.language,
    };
    addChild(parent, element);
    outer.push(innermost);
    innermost = { element, scope };
  };
  const close = () => {
    const { text } = innermost.element;
    innermost = outer.pop() ?? innermost;
    addText(text);
  };
  const attribute = (given: Attribute) => {
    pendingAttributes.push(given);
  };
  const parser = new XmlParser({ attribute, open, text: addText, close }, { hasColumns: false });

  try {
    parser.write(text);
    ended = true;
    parser.close();
  } catch (error) {
    const isTooLarge = elements > maxElements;
    if (!(error instanceof MalformedXml)) throw error;
    return {
      type: "broken",
      problem: `line ${parser.line}: ${error.message}`,
      atEnd: ended,
      isTooLarge,
    };
  }
  const [[root] = []] = document.children?.values() ?? [];
  return root === undefined
    ? { type: "broken", problem: "it has no element", atEnd: true, isTooLarge: false }
    : { type: "tree", root };
}

/** Returns the first child with that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children?.get(name)?.[0];
}

export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children?.get(name) ?? noElements;
}

/** Returns all children in document order. */
export function childrenInOrder({ children }: XmlElement): XmlElement[] {
  return [...(children?.values() ?? [])].flat().sort((a, b) => a.order - b.order);
}

function addChild(parent: XmlElement, child: XmlElement): void {
  parent.children ??= new Map();
  const namesakes = parent.children.get(child.name);
  if (namesakes === undefined) parent.children.set(child.name, [child]);
  else namesakes.push(child);
}
