import { inParallel } from "../../core/in-parallel.ts";
import type { OaiRecord } from "../../formats/oai/page.ts";
import { currentVersion, type Document } from "../../records/documents/document.ts";
import { recordIdOf } from "../../records/documents/document-identity.ts";
import { type KeepPorts, keepDocuments, markListed } from "../../records/documents/keep-documents.ts";
import { isRepetition, type PagePlace } from "../../records/documents/list-marks.ts";

const maxParallel = 16;

/**
 * Compares the headers of a page with the documents of a source: marks those that are listed, and makes tombstones of those
 * that are deleted. New and changed records that the next list of changes has are left to it.
 * @param list.changesFrom the datestamp at which the next list of changes begins
 * @returns `wanted`: identifiers of records that are new or have changed, and that no list of changes will have;
 * `repeated`: headers that the list had before
 */
export async function keepHeaders(
  headers: readonly OaiRecord[],
  list: { sourceId: string; mark: string; page: PagePlace; listedAt: string; changesFrom: string },
  ports: KeepPorts,
): Promise<{ wanted: string[]; repeated: number }> {
  const { sourceId, mark: harvestId, page, listedAt, changesFrom } = list;
  const named = headers.filter(({ identifier }) => identifier.trim() !== "");
  const idOf = ({ identifier }: OaiRecord) => recordIdOf({ sourceId, identifier: [identifier] });
  const deleted = named.filter(({ isDeleted }) => isDeleted);
  let repeatedTombstones = 0;
  if (deleted.length > 0) {
    const documents = deleted.map(({ identifier, datestamp, sets }) => ({
      identifier: [identifier] as const,
      sets,
      isDeleted: true,
      ...(datestamp !== "" && { datestamp }),
    }));
    const kept = await keepDocuments({ sourceId, listedAt, harvestId, page, documents }, ports);
    repeatedTombstones = deleted.length - kept.length + kept.filter(({ isRepeated }) => isRepeated).length;
  }
  const present = new Map(
    named.filter(({ isDeleted }) => !isDeleted).map((header) => [idOf(header), header]),
  );
  const known = await ports.documents.getMany(sourceId, [...present.keys()]);
  await inParallel(known, maxParallel, (document) => markListed(document, { harvestId, page }, ports));
  const byId = new Map(known.map((document) => [document.documentId, document]));
  const wanted = [...present].flatMap(([documentId, header]) => {
    const isLate = isBefore(header.datestamp, changesFrom);
    return isLate && isNews(header, byId.get(documentId)) ? [header.identifier] : [];
  });
  const again = known.filter((document) => isRepetition(document, page)).length;
  const repeated = repeatedTombstones + named.length - deleted.length - present.size + again;
  return { wanted, repeated };
}

function isNews({ datestamp }: OaiRecord, document: Document | undefined): boolean {
  if (document === undefined || document.state === "deleted") return true;
  const kept = currentVersion(document).datestamp ?? "";
  return isBefore(kept, datestamp) || isBefore(datestamp, kept);
}

/** Whether a datestamp is before another one, to the precision of both: one verb may give days, another seconds. */
function isBefore(datestamp: string, other: string): boolean {
  const chars = Math.min(datestamp.length, other.length);
  return datestamp.slice(0, chars) < other.slice(0, chars);
}
