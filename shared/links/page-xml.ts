import { SaxesParser } from "saxes";
import { type Page, PageBuilder } from "./page.ts";

/**
 * Reads XML by its own rules: names keep their case, lose their prefix, and `<p/>` is complete.
 * @returns undefined when the text is not well-formed
 * @throws {PageTooLarge}
 */
export function readXml(text: string): Page | undefined {
  const builder = new PageBuilder({ isHtml: false });
  const parser = new SaxesParser();
  let problem: Error | undefined;
  parser.on("error", (error) => {
    problem ??= error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    builder.open(localName(name), attributesOf(attributes));
  });
  parser.on("closetag", () => builder.close());
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
    if (name !== "xmlns" && !name.startsWith("xmlns:")) yield { name: localName(name), value };
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
