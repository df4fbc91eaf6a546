import { SaxesParser } from "saxes";
import { type PageName, type PageTree, PageTreeBuilder, xmlNamespace } from "./page-tree.ts";

/** The namespaces in scope, by prefix; the empty prefix stands for the default namespace. */
class NamespaceScope {
  /** By prefix, the innermost declaration last. */
  private readonly declared = new Map([["xml", [xmlNamespace]]]);
  /** The prefixes that each open element declares. */
  private readonly opened: string[][] = [];

  open(attributes: Record<string, string>): void {
    const prefixes: string[] = [];
    for (const [name, value] of Object.entries(attributes)) {
      if (!isDeclaration(name)) continue;
      const prefix = name.slice("xmlns:".length);
      const namespaces = this.declared.get(prefix) ?? [];
      this.declared.set(prefix, namespaces);
      namespaces.push(value);
      prefixes.push(prefix);
    }
    this.opened.push(prefixes);
  }

  close(): void {
    for (const prefix of this.opened.pop() ?? []) this.declared.get(prefix)?.pop();
  }

  /** The default namespace applies to elements only. */
  expand(qualifiedName: string, kind: "element" | "attribute"): PageName {
    const colon = qualifiedName.indexOf(":");
    const namespace =
      colon === -1 && kind === "attribute"
        ? undefined
        : this.declared.get(qualifiedName.slice(0, Math.max(0, colon)))?.at(-1);
    if (colon === -1) return { name: qualifiedName, namespace };
    return { name: qualifiedName.slice(colon + 1), prefixedName: qualifiedName, namespace };
  }
}

/**
 * Parses XML, in contrast to HTML: names keep their case, and `<p/>` is an empty element.
 * @returns undefined when the text is not well-formed
 * @throws {PageTooLarge}
 */
export function readXml(text: string): PageTree | undefined {
  const builder = new PageTreeBuilder({ isHtml: false });
  const parser = new SaxesParser();
  let problem: Error | undefined;
  parser.on("error", (error) => {
    problem ??= error;
  });
  const scope = new NamespaceScope();
  parser.on("opentag", ({ name, attributes }) => {
    scope.open(attributes);
    builder.open(scope.expand(name, "element"), attributesOf(attributes, scope));
  });
  parser.on("closetag", () => {
    scope.close();
    builder.close();
  });
  parser.on("text", (value) => builder.text(value));
  parser.on("cdata", (value) => builder.text(value));
  parser.on("comment", (value) => builder.comment(value));
  parser.on("processinginstruction", ({ target, body }) => builder.instruction(target, body));
  parser.write(text);
  if (problem === undefined) parser.close();
  return problem === undefined ? builder.finish() : undefined;
}

/** Without namespace declarations, which are not attributes in XPath. */
function* attributesOf(
  attributes: Record<string, string>,
  scope: NamespaceScope,
): Iterable<PageName & { value: string }> {
  for (const [name, value] of Object.entries(attributes)) {
    if (!isDeclaration(name)) yield { ...scope.expand(name, "attribute"), value };
  }
}

function isDeclaration(attribute: string): boolean {
  return attribute === "xmlns" || attribute.startsWith("xmlns:");
}
