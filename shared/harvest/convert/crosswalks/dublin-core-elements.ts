import { collapseSpace } from "../../../formats/plain-text.ts";
import { childrenInOrder, type XmlElement } from "../../../xml/xml-tree.ts";

/** A value of an element of Dublin Core, without the element's prefix. */
export interface DublinCoreValue {
  element: string;
  text: string;
  /** The encoding scheme or type that qualifies the value: `dcterms:LCSH`, `doi`. */
  scheme: string;
}

/**
 * The Dublin Core elements, in the order of the document. Empty elements and elements of other namespaces are left out.
 */
export class DublinCoreElements {
  readonly values: DublinCoreValue[];

  constructor(values: DublinCoreValue[]) {
    this.values = values;
  }

  static of(root: XmlElement): DublinCoreElements {
    const values = childrenInOrder(root).flatMap(({ name, text, attributes }) => {
      const element = /^(?:dc:|dcterms:)?([A-Za-z]+)$/.exec(name)?.[1];
      if (element === undefined || text.trim() === "") return [];
      const scheme = attributes["unknown:type"] ?? attributes.type ?? attributes.scheme ?? "";
      return [{ element, text: collapseSpace(text), scheme: scheme.replace(/^dcterms:/i, "") }];
    });
    return new DublinCoreElements(values);
  }

  without(elements: readonly string[]): DublinCoreElements {
    return new DublinCoreElements(this.values.filter(({ element }) => !elements.includes(element)));
  }

  of(...elements: string[]): DublinCoreValue[] {
    return this.values.filter(({ element }) => elements.includes(element));
  }

  texts(...elements: string[]): string[] {
    return this.of(...elements).map(({ text }) => text);
  }
}
