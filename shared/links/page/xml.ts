import { SaxesParser } from "saxes";
import { type PageTree, PageTreeBuilder } from "./page-tree.ts";

/** The namespaces that prefixes stand for where the reader is; the empty prefix is the default's. */
class Prefixes {
  /** By prefix, the innermost last. */
  private readonly bound = new Map<string, string[]>();
  /** The prefixes that each open element has bound. */
  private readonly opened: string[][] = [];

  open(attributes: Record<string, string>): void {
    const prefixes: string[] = [];
    for (const [name, value] of Object.entries(attributes)) {
      if (!isDeclaration(name)) continue;
      const prefix = name.slice("xmlns:".length);
      const namespaces = this.bound.get(prefix) ?? [];
      this.bound.set(prefix, namespaces);
      namespaces.push(value);
      prefixes.push(prefix);
    }
    this.opened.push(prefixes);
  }

  close(): void {
    for (const prefix of this.opened.pop() ?? []) this.bound.get(prefix)?.pop();
  }

  namespaceOf(name: string): string {
    const prefix = name.slice(0, Math.max(0, name.indexOf(":")));
    return this.bound.get(prefix)?.at(-1) ?? "";
  }
}

/**
 * Reads XML by its own rules: names keep their case, lose their prefix, and `<p/>` is complete.
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
  const prefixes = new Prefixes();
  parser.on("opentag", ({ name, attributes }) => {
    prefixes.open(attributes);
    builder.open(localName(name), attributesOf(attributes), prefixes.namespaceOf(name));
  });
  parser.on("closetag", () => {
    prefixes.close();
    builder.close();
  });
  parser.on("text", (value) => builder.text(value));
  parser.on("cdata", (value) => builder.text(value));
  parser.on("comment", (value) => builder.comment(value));
  parser.write(text);
  if (problem === undefined) parser.close();
  return problem === undefined ? builder.finish() : undefined;
}

/** Declarations of namespaces are no attributes for XPath. */
function* attributesOf(attributes: Record<string, string>): Iterable<{ name: string; value: string }> {
  for (const [name, value] of Object.entries(attributes)) {
    if (!isDeclaration(name)) yield { name: localName(name), value };
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function isDeclaration(attribute: string): boolean {
  return attribute === "xmlns" || attribute.startsWith("xmlns:");
}
