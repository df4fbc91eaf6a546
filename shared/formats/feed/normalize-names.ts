import { childOf, childrenOf, type XmlElement } from "../../xml/xml-tree.ts";

/** RSS names that are not all in lower case. */
const camelCase: ReadonlyMap<string, string> = new Map(
  ["pubDate", "lastBuildDate", "isPermaLink"].map((name) => [name.toLowerCase(), name]),
);

/**
 * Corrects wrong names: Atom without a namespace, and RSS with other upper and lower case.
 * @returns undefined when the names need no correction
 */
export function normalizeNames(root: XmlElement): { root: XmlElement; problem: string } | undefined {
  if (root.name === "feed" && childrenOf(root, "entry").some(isAtomEntry)) {
    const inAtom = (name: string) => `atom:${name}`;
    return {
      root: renameElements(root, { element: inAtom, attribute: (name) => name }),
      problem: "<feed> is in no namespace",
    };
  }
  if (root.name.toLowerCase() !== "rss" || root.name === "rss") return undefined;
  const inRss = (name: string) => camelCase.get(name.toLowerCase()) ?? name.toLowerCase();
  return {
    root: renameElements(root, { element: inRss, attribute: inRss }),
    problem: `<${root.name}> should be <rss>`,
  };
}

/** Other formats also have `feed` and `entry` elements. */
function isAtomEntry(entry: XmlElement): boolean {
  return [childOf(entry, "link")?.attributes.href, childOf(entry, "id")].some((part) => part !== undefined);
}

interface NameMapping {
  element(name: string): string;
  attribute(name: string): string;
}

/** Renames all elements and attributes without a namespace. */
function renameElements(element: XmlElement, spelling: NameMapping): XmlElement {
  const under = (name: string, spell: (name: string) => string) => (name.includes(":") ? name : spell(name));
  const children = [...(element.children?.values() ?? [])]
    .flat()
    .map((child) => renameElements(child, spelling));
  const attributes = Object.entries(element.attributes).map(([name, value]) => [
    under(name, spelling.attribute),
    value,
  ]);
  return {
    ...element,
    name: under(element.name, spelling.element),
    attributes: Object.fromEntries(attributes),
    ...(element.children !== undefined && { children: Map.groupBy(children, ({ name }) => name) }),
  };
}
