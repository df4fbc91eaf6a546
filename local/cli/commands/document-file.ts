import { InputError } from "../../../shared/core/errors.ts";
import { parseOaiPage } from "../../../shared/formats/oai/parse-page.ts";
import { MalformedXml } from "../../../shared/xml/malformed-xml.ts";
import { declaredPrefix, oaiNamespace } from "../../../shared/xml/namespaces.ts";
import { XmlParser } from "../../../shared/xml/xml-parser.ts";
import { readTextFile } from "./read-text-file.ts";

/** A document of a file. */
export interface FileDocument {
  /** Its place in the file, and its OAI identifier. */
  place: string;
  /** A standalone XML document. */
  raw: string;
}

/** Roots that hold one document per child. */
const collections: ReadonlySet<string> = new Set(["modsCollection", "collection"]);

/**
 * Reads the documents of an XML file: an answer of OAI-PMH, the `records.xml` of a harvest, a collection of MODS or MARCXML,
 * or a single document. Deleted records of OAI-PMH are left out.
 * @throws InputError, with the argument as its field, when the file cannot be read or is not well-formed
 */
export async function readDocumentFile(argument: string, name: string): Promise<FileDocument[]> {
  const text = await readTextFile(argument, name);
  const fail = (problem: string): never => {
    throw new InputError(argument, name, problem);
  };
  const root = rootOf(text) ?? fail("is not XML");
  if (root === "OAI-PMH" || root === "ListRecords") return readOaiRecords(text, root, fail);
  if (!collections.has(root)) return [{ place: "document 1", raw: text }];
  return splitCollection(text, fail).map((raw, at) => ({ place: `document ${at + 1}`, raw }));
}

/** The local name of the root. */
function rootOf(text: string): string | undefined {
  return /^(?:\s|<\?(?:(?!\?>)[\s\S])*\?>|<!--(?:(?!-->)[\s\S])*-->)*<(?:[\w.-]+:)?([\w.-]+)/.exec(text)?.[1];
}

function readOaiRecords(text: string, root: string, fail: (problem: string) => never): FileDocument[] {
  const page =
    root === "OAI-PMH"
      ? text
      : `<OAI-PMH xmlns="${oaiNamespace}">${text.replace(/^\s*<\?xml[^>]*\?>/, "")}</OAI-PMH>`;
  const parsed = parseOaiPage(Buffer.from(page), { asXml: true });
  if (parsed.type === "malformed") return fail(`is not well-formed: ${parsed.problem}`);
  if (parsed.type !== "page") return fail("is not an OAI-PMH response");
  return parsed.page.records.flatMap(({ identifier, metadata }, at) =>
    metadata === undefined ? [] : [{ place: `document ${at + 1} ${identifier}`.trim(), raw: metadata }],
  );
}

/** The children of the root, each with the namespaces that the root declares. */
function splitCollection(text: string, fail: (problem: string) => never): string[] {
  const documents: string[] = [];
  const declared = new Map<string, string>();
  let depth = 0;
  let startsAt = 0;
  const parser = new XmlParser({
    open({ attributes }) {
      depth += 1;
      if (depth === 1) {
        for (const [name, value] of Object.entries(attributes)) {
          if (declaredPrefix(name) !== undefined) declared.set(name, value);
        }
      }
      // XML forbids `<` inside a tag.
      if (depth === 2) startsAt = text.lastIndexOf("<", parser.position - 1);
    },
    close() {
      if (depth === 2) documents.push(withNamespaces(text.slice(startsAt, parser.position), declared));
      depth -= 1;
    },
  });
  try {
    parser.write(text);
    parser.close();
  } catch (error) {
    if (error instanceof MalformedXml) return fail(`is not well-formed: ${error.message}`);
    throw error;
  }
  return documents;
}

function withNamespaces(xml: string, declared: ReadonlyMap<string, string>): string {
  const [startTag = "", name = ""] = /^<([^\s/>]+)(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(xml) ?? [];
  const missing = [...declared].filter(([attribute]) => !new RegExp(`\\s${attribute}\\s*=`).test(startTag));
  const attributes = missing.map(
    ([attribute, value]) => ` ${attribute}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`,
  );
  return `<${name}${attributes.join("")}${xml.slice(name.length + 1)}`;
}
