import { MalformedXml } from "../../xml/malformed-xml.ts";
import { declaredNamespaces, declaredPrefix } from "../../xml/namespaces.ts";
import { OpenNamespaces } from "../../xml/open-namespaces.ts";
import { XmlParser } from "../../xml/xml-parser.ts";
import { type PageName, type PageTree, PageTreeBuilder } from "./page-tree.ts";

/**
 * Parses XML. In contrast to HTML, names keep their case, and `<p/>` is an empty element.
 * @returns undefined when the text is not well-formed
 * @throws {PageTooLarge}
 */
export function readXml(text: string): PageTree | undefined {
  const builder = new PageTreeBuilder({ isHtml: false });
  const namespaces = new OpenNamespaces();
  const parser = new XmlParser({
    open({ name, attributes }) {
      namespaces.open(declaredNamespaces(attributes));
      builder.open(expand(name, "element", namespaces), attributesOf(attributes, namespaces));
    },
    close() {
      namespaces.close();
      builder.close();
    },
    text: (value) => builder.text(value),
    comment: (value) => builder.comment(value),
    instruction: ({ target, body }) => builder.instruction(target, body),
  });
  try {
    parser.write(text);
    parser.close();
  } catch (error) {
    if (error instanceof MalformedXml) return undefined;
    throw error;
  }
  return builder.finish();
}

/** Expands a qualified name. The default namespace applies to elements only. */
function expand(qualifiedName: string, kind: "element" | "attribute", namespaces: OpenNamespaces): PageName {
  const colon = qualifiedName.indexOf(":");
  const namespace =
    colon === -1 && kind === "attribute"
      ? undefined
      : namespaces.namespaceOf(qualifiedName.slice(0, Math.max(0, colon)));
  if (colon === -1) return { name: qualifiedName, namespace };
  return { name: qualifiedName.slice(colon + 1), prefixedName: qualifiedName, namespace };
}

/** Yields the attributes without namespace declarations, which are not attributes in XPath. */
function* attributesOf(
  attributes: Readonly<Record<string, string>>,
  namespaces: OpenNamespaces,
): Iterable<PageName & { value: string }> {
  for (const [name, value] of Object.entries(attributes)) {
    if (declaredPrefix(name) === undefined) yield { ...expand(name, "attribute", namespaces), value };
  }
}
