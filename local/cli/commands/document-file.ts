import { buffer } from "node:stream/consumers";
import { InputError } from "../../../shared/core/errors.ts";
import { readUtf8 } from "../../../shared/core/utf8-lines.ts";
import { parseOaiPage } from "../../../shared/formats/oai/parse-page.ts";
import { controlFieldValue } from "../../../shared/marc/fields.ts";
import { writeMarcXml } from "../../../shared/marc/marcxml-writer.ts";
import { MalformedXml } from "../../../shared/xml/malformed-xml.ts";
import { declaredPrefix, oaiNamespace } from "../../../shared/xml/namespaces.ts";
import { XmlParser } from "../../../shared/xml/xml-parser.ts";
import type { InputFile } from "./open-input.ts";
import type { RecordFile } from "./record-file.ts";

/** A document in a file. */
export interface FileDocument {
  /** The position in the file, and the OAI identifier or field 001. */
  place: string;
  /** A standalone XML document, or the reason why it cannot be read. */
  content: { raw: string } | { problem: string };
}

/** Root elements that contain one document per child. */
const collections: ReadonlySet<string> = new Set(["modsCollection"]);

/**
 * Reads the records of a file of MARCXML or ISO 2709, or of an OAI-PMH response with MARCXML. Reading
 * continues after an unreadable record.
 * @throws InputError, with the argument as its field, when the file has no record
 */
export async function* readMarcDocuments(
  argument: string,
  name: string,
  file: RecordFile,
): AsyncGenerator<FileDocument> {
  let count = 0;
  const problems: string[] = [];
  for await (const outcome of file.outcomes()) {
    if (outcome.type === "broken") {
      problems.push(outcome.reason);
      continue;
    }
    count += 1;
    const isRecord = outcome.type === "record";
    const id = isRecord ? controlFieldValue(outcome.record, "001") : outcome.controlNumber;
    const place = `document ${count} ${id?.trim() ?? ""}`.trim();
    const content = isRecord
      ? { raw: Buffer.from(writeMarcXml([outcome.record])).toString() }
      : { problem: outcome.reason };
    yield { place, content };
  }
  if (count === 0) throw new InputError(argument, name, problems.join("; ") || "has no record");
  yield* problems.map((problem) => ({ place: "the file", content: { problem } }));
}

/**
 * Reads the documents of an XML file: an OAI-PMH response, the `records.xml` of a harvest, a MODS collection,
 * or a single document. Deleted OAI-PMH records are left out.
 * @throws InputError, with the argument as its field, when the file cannot be read or is not well-formed
 */
export async function readDocumentFile(
  argument: string,
  name: string,
  { chunks }: InputFile,
): Promise<FileDocument[]> {
  const fail = (problem: string): never => {
    throw new InputError(argument, name, problem);
  };
  const reading = readUtf8(await buffer(chunks));
  const text = reading.type === "text" ? reading.text : fail(`line ${reading.line} is not UTF-8`);
  const root = rootOf(text) ?? fail("is not XML");
  if (root === "OAI-PMH" || root === "ListRecords") return readOaiRecords(text, root, fail);
  if (!collections.has(root)) return [{ place: "document 1", content: { raw: text } }];
  return splitCollection(text, fail).map((raw, at) => ({ place: `document ${at + 1}`, content: { raw } }));
}

/** Returns the local name of the root element. */
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
    metadata === undefined
      ? []
      : [{ place: `document ${at + 1} ${identifier}`.trim(), content: { raw: metadata } }],
  );
}

/** Returns the children of the root element, each with the namespaces that the root declares. */
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
      // In XML, a tag cannot contain `<`.
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
