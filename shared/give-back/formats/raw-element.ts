import { oaiNamespace } from "../../xml/namespaces.ts";
import { parseXmlTree } from "../../xml/xml-tree.ts";

/** An XML element that declares its namespaces. */
export interface RawElement {
  xml: string;
  namespace: string;
}

/** What may precede the root element: a declaration, comments and processing instructions. */
const prolog = /^\ufeff?(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/;

const rootTag = /^<(?:([^\s:/>]+):)?[^\s:/>]+((?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*)/;

/**
 * Reads metadata that are to be given as their source sent them.
 * @returns undefined for metadata that cannot be part of a response: not well-formed, with a document type, or without
 * a namespace of their own
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#XMLResponse
 */
export function readRawElement(text: string): RawElement | undefined {
  const xml = text.replace(prolog, "");
  const [start, prefix, attributes = ""] = rootTag.exec(xml) ?? [];
  if (start === undefined) return undefined;
  const declaration = prefix === undefined ? "xmlns" : `xmlns:${prefix}`;
  const [, , , namespace] =
    new RegExp(`(^|\\s)(${declaration})\\s*=\\s*["']([^"']+)["']`).exec(attributes) ?? [];
  if (namespace === undefined || namespace === oaiNamespace) return undefined;
  const { type } = parseXmlTree(xml, { url: "https://raw.invalid/", lenient: false });
  if (type !== "tree") return undefined;
  const isDefaultDeclared = /(?:^|\s)xmlns\s*=/.test(attributes);
  if (isDefaultDeclared || !unprefixedTag.test(xml)) return { xml, namespace };
  return { xml: `${start} xmlns=""${xml.slice(start.length)}`, namespace };
}

/** An element without a prefix, which must not get the namespace of the response. */
const unprefixedTag = /<[^\s<:!?/>]+[\s/>]/;
