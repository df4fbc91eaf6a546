import { parseXmlTree } from "../xml/xml-tree.ts";
import { maxTagsPerKind } from "./limits.ts";
import { readDublinCore } from "./page/dublin-core.ts";
import type { RecordFileResult } from "./record-file-result.ts";

/**
 * Parses a file with one simple Dublin Core record. Its elements have the same meanings as the meta tags of the same
 * name.
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#dublincore
 */
export function parseOaiDc(text: string): RecordFileResult {
  const reading = parseXmlTree(text, { url: "https://dc.invalid/", lenient: false });
  if (reading.type === "broken") return { type: "unreadable", detail: reading.problem };
  const metas = [...(reading.root.children ?? [])].flatMap(([name, elements]) =>
    elements.map((element) => ({
      name: name.toLowerCase(),
      content: element.text,
      language: element.language,
    })),
  );
  const record = readDublinCore(metas.slice(0, maxTagsPerKind));
  return record === undefined
    ? { type: "unreadable", detail: "it has no Dublin Core element" }
    : { type: "records", records: [record] };
}
