import { MalformedXml } from "../../xml/malformed-xml.ts";
import { XmlParser } from "../../xml/xml-parser.ts";
import { type RecordFormat, recordFormats } from "./parse-record-file.ts";

/** A format that an unAPI server offers, with its parser. */
interface UnapiFormat {
  /** The server's name for the format, which the next request uses. */
  name: string;
  kind: RecordFormat;
}

/**
 * Chooses the best supported format from an unAPI server's response to `?id=`. In broken markup, the formats before the
 * fault are considered.
 * @returns undefined when no format is supported
 * @see https://web.archive.org/web/2014/http://unapi.info/specs/
 */
export function chooseUnapiFormat(xml: string): UnapiFormat | undefined {
  const formats: UnapiFormat[] = [];
  const parser = new XmlParser(
    {
      open({ name: element, attributes: { name, type = "", docs = "" } }) {
        if (element !== "format" || name === undefined) return;
        const kind = recordFormatOf(name, type, docs);
        if (kind !== undefined) formats.push({ name, kind });
      },
    },
    { hasColumns: false },
  );
  try {
    parser.write(xml);
  } catch (error) {
    if (!(error instanceof MalformedXml)) throw error;
  }
  return recordFormats
    .map((kind) => formats.find((format) => format.kind === kind))
    .find((format) => format !== undefined);
}

function recordFormatOf(name: string, type: string, docs: string): RecordFormat | undefined {
  if (/^mods\d*\b/i.test(name) || /mods\+xml/i.test(type)) return "mods";
  if (/^ris\b/i.test(name) || /research-info-systems/i.test(type) || /risformat/i.test(docs)) return "ris";
  if (/^bibtex\b/i.test(name) || /bibtex/i.test(type)) return "bibtex";
  if (/^(?:oai_)?dc\b/i.test(name) || /\boai_dc\b/i.test(docs)) return "oai-dc";
  return undefined;
}
