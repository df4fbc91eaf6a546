import { childrenOf, type XmlElement } from "../../../xml/xml-tree.ts";

/** Returns the children with a name of MODS, given without prefix. */
export function modsChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return childrenOf(element, `mods:${name}`);
}

/** Returns the descendants along a path of names. */
export function modsPath(element: XmlElement, ...path: string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (found, name) => found.flatMap((each) => modsChildren(each, name)),
    [element],
  );
}

/** Returns the texts of the children with a name. */
export function modsTexts(element: XmlElement, name: string): string[] {
  return textsOf(modsChildren(element, name));
}

export function textsOf(elements: readonly XmlElement[]): string[] {
  return elements.map(({ text }) => text.trim()).filter(Boolean);
}

/** Returns the `xlink:href` of an element, or the URI of its value. */
export function linkOf({ attributes }: XmlElement): string | undefined {
  return attributes["unknown:href"] ?? attributes.valueURI;
}

/**
 * Returns the second indicator and $2 of a subject or a similar field.
 * @see https://www.loc.gov/marc/bibliographic/bd650.html
 */
export function authorityOf(...elements: (XmlElement | undefined)[]): { indicator: string; code?: string } {
  const authority = elements
    .map((element) => element?.attributes.authority)
    .find((found) => found !== undefined);
  if (authority === undefined) return { indicator: "4" };
  const indicator = authorities.get(authority.toLowerCase());
  return indicator === undefined ? { indicator: "7", code: authority } : { indicator };
}

const authorities: ReadonlyMap<string, string> = new Map([
  ["lcsh", "0"],
  ["lcshac", "1"],
  ["mesh", "2"],
  ["csh", "3"],
  ["nal", "5"],
  ["rvm", "6"],
]);
