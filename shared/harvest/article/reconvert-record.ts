// Input: a delivered record. Output: the record that its stored page or document yields now. Called by
// functions/delivery/reconvert-records.ts.

import { dayIn } from "../../core/day.ts";
import { buildArchiveKeys } from "../../records/archive/archive-keys.ts";
import type { DocumentVersion } from "../../records/documents/document.ts";
import type { DocumentStore } from "../../records/documents/document-store.ts";
import type { Reconvert, Reconverted, ReconvertedRecord } from "../../records/reconversions/reconverted.ts";
import { convertDocument } from "../convert/crosswalks/convert-document.ts";
import type { PageStore } from "../stored-pages/stored-page.ts";
import { type ReconvertArticlePorts, reconvertArticle } from "./reconvert-article.ts";

interface ReconvertPorts extends ReconvertArticlePorts {
  pages: Pick<PageStore, "load">;
  documents: Pick<DocumentStore, "getMany" | "loadContent">;
}

/** Returns the conversion of delivered records: of articles from their stored pages, of all others from documents. */
export function reconvertWith(ports: ReconvertPorts): Reconvert {
  return async (record, reconversion) => {
    const source = await ports.sources.source(record.sourceId);
    if (source === undefined) return { type: "unconvertible", reason: "its source has been deleted" };
    if (source.groupId !== record.groupId) {
      const reason = `its source now belongs to the group ${source.groupId}, and the record was delivered to ${record.groupId}`;
      return { type: "unconvertible", reason };
    }
    if (record.pageKey === undefined) return reconvertDocument(record, ports);
    const page = await ports.pages.load(record.pageKey);
    if (page === undefined) return { type: "gone", reason: "its stored page has been deleted" };
    if ("oversizeBytes" in page) {
      return { type: "gone", reason: `its page was too large to be stored: ${page.oversizeBytes} bytes` };
    }
    return reconvertArticle(page, record, reconversion, ports);
  };
}

/** Converts the last content of a document again. */
async function reconvertDocument(
  { recordId, sourceId, landingUrl, deliveryMode }: ReconvertedRecord,
  { documents, sources, timeZone }: ReconvertPorts,
): Promise<Reconverted> {
  const [document] = await documents.getMany(sourceId, [recordId]);
  const version = document?.versions.findLast(hasContent);
  if (version === undefined) return { type: "gone", reason: "its page was not stored" };
  const source = await sources.source(sourceId);
  const group = source === undefined ? undefined : await sources.group(source.groupId);
  if (source === undefined || group === undefined)
    return { type: "unconvertible", reason: `source ${sourceId}, or its group, is no longer configured` };
  const { raw } = await documents.loadContent(version.content);
  // A record without a page of its own points to the landing URL.
  const context = { source, group, settings: await sources.settings(), harvestedUrl: landingUrl };
  const conversion = convertDocument(raw, context, dayIn(timeZone, new Date(version.at)));
  if (conversion.type === "dropped") {
    return { type: "unconvertible", reason: `${conversion.reason}: ${conversion.detail}` };
  }
  const { record, hash, doi, urls, title } = conversion;
  return {
    type: "converted",
    record,
    content: {
      hash,
      ...(doi !== undefined && { doi }),
      urls,
      archiveKeys: buildArchiveKeys({ doi, urls }, deliveryMode),
      title,
      landingUrl: urls[0] ?? landingUrl,
    },
    events: [],
  };
}

function hasContent(
  version: DocumentVersion,
): version is DocumentVersion & { content: NonNullable<DocumentVersion["content"]> } {
  return version.content !== undefined;
}
