import { SaxesParser } from "saxes";
import {
  commonPrefixes,
  declaredPrefixes,
  type NamespaceScope,
  newScope,
  resolveAttributeName,
  resolveElementName,
  scopeWithin,
} from "./xml-namespaces.ts";

/**
 * An element of a feed or a MODS file, for looking things up by name. Comments, processing instructions and the order of children of
 * different names are not kept.
 */
export interface XmlElement {
  /** Under the fixed prefix of its vocabulary: "item", "atom:entry", "dc:creator". */
  name: string;
  /** Names with a prefix are under the fixed one ("rdf:about"). */
  attributes: Readonly<Record<string, string>>;
  /** By their names. */
  children?: Map<string, XmlElement[]>;
  /** Its text with that of all its descendants; not kept of those that hold nothing but elements. */
  text: string;
  /** What relative URLs in it are relative to. @see https://www.w3.org/TR/xmlbase/ */
  base: string;
  /** The nearest `xml:lang`. */
  language: string | undefined;
}

export type XmlTreeResult =
  | { type: "tree"; root: XmlElement }
  /** `atEnd`: nothing was wrong until the text ended too early. */
  | { type: "broken"; problem: string; atEnd: boolean };

/** Feeds go some 10 levels deep, web pages quoted in Atom some 50. */
const maxDepth = 256;

interface Attribute {
  name: string;
  value: string;
}

interface OpenElement {
  element: XmlElement;
  scope: NamespaceScope;
}

/** What holds nothing but elements: to gather its text would keep the whole feed twice. */
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
 * The tree of a well-formed document, or the first thing that is wrong with it. Nothing is fetched, and no entity is
 * expanded but the five of XML itself.
 * @param from the document's URL; whether prefixes without a declaration are let through
 */
export function parseXmlTree(text: string, from: { url: string; lenient: boolean }): XmlTreeResult {
  const parser = new SaxesParser({ position: false });
  const document: XmlElement = {
    name: "",
    attributes: noAttributes,
    text: "",
    base: from.url,
    language: undefined,
  };
  const prefixes = from.lenient ? commonPrefixes : declaredPrefixes;
  let innermost: OpenElement = { element: document, scope: newScope(prefixes) };
  const outer: OpenElement[] = [];
  let written: Attribute[] = [];
  let ended = false;

  const fail = (problem: string): never => {
    throw new BrokenXml(`line ${parser.line}: ${problem}`);
  };
  const undeclared = (name: string): string =>
    from.lenient ? `unknown:${name}` : fail(`the prefix of ${name} is not declared`);
  const addText = (text: string) => {
    if (!containers.has(innermost.element.name)) innermost.element.text += text;
  };
  parser.on("error", (error) => fail(error.message));
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("attribute", (attribute) => {
    written.push(attribute);
  });
  parser.on("opentag", (tag) => {
    if (outer.length === maxDepth) fail(`elements are nested more than ${maxDepth} deep`);
    const parent = innermost.element;
    const scope = scopeWithin(innermost.scope, tag.name, written);
    const attributes: Record<string, string> = written.length === 0 ? noAttributes : {};
    for (const { name, value } of written)
      attributes[resolveAttributeName(scope, name) ?? undeclared(name)] = value;
    written = [];
    const name = resolveElementName(scope, tag.name) ?? undeclared(tag.name);
    const base = attributes["xml:base"];
    const element: XmlElement = {
      name,
      attributes,
      text: "",
      base: base === undefined ? parent.base : (URL.parse(base, parent.base)?.href ?? parent.base),
      language: attributes["xml:lang"] ?? parent.language,
    };
    addChild(parent, element);
    outer.push(innermost);
    innermost = { element, scope };
  });
  parser.on("closetag", () => {
    const { text } = innermost.element;
    innermost = outer.pop() ?? innermost;
    addText(text);
  });

  try {
    parser.write(text);
    ended = true;
    parser.close();
  } catch (error) {
    if (error instanceof BrokenXml) return { type: "broken", problem: error.message, atEnd: ended };
    throw error;
  }
  const [[root] = []] = document.children?.values() ?? [];
  return root === undefined
    ? { type: "broken", problem: "there is no element", atEnd: true }
    : { type: "tree", root };
}

/** The first child of that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children?.get(name)?.[0];
}

export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children?.get(name) ?? noElements;
}

function addChild(parent: XmlElement, child: XmlElement): void {
  parent.children ??= new Map();
  const namesakes = parent.children.get(child.name);
  if (namesakes === undefined) parent.children.set(child.name, [child]);
  else namesakes.push(child);
}

/** Leaves the parser at the first error; never leaves this module. */
class BrokenXml extends Error {}
