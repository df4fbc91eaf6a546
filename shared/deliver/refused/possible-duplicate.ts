import { inParallel } from "../../core/in-parallel.ts";
import { truncateText } from "../../core/truncate-text.ts";
import type { ArchiveEntry } from "../../records/archive/archive-entry.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { ConvertedDocument } from "../../records/runs/run.ts";
import type { Finding } from "../validation/finding.ts";

/** A valid article that matches a delivered record in journal, issue, page and title, but has another address. */
export interface PossibleDuplicate extends ConvertedDocument {
  delivered: Pick<ArchiveEntry, "recordId" | "title" | "urls">;
}

/**
 * The maximum number of possible duplicates of one source in one run. Titles are occasionally repeated. If more
 * articles than this match delivered records, the journal has probably moved to another host.
 */
export const maxPossibleDuplicates = 5;

const maxParallelLookups = 16;

type PossibleDuplicateArchive = Pick<ArchiveStore, "knownReasons" | "entry">;

/**
 * Separates the articles that are possible duplicates of a delivered record. Articles with different DOIs are never
 * duplicates.
 */
export async function separatePossibleDuplicates(
  documents: ConvertedDocument[],
  archive: PossibleDuplicateArchive,
): Promise<{ alike: PossibleDuplicate[]; others: ConvertedDocument[] }> {
  const matchKeys = documents.flatMap(({ matchKey }) => matchKey ?? []);
  if (matchKeys.length === 0) return { alike: [], others: documents };
  const known = await archive.knownReasons(matchKeys);
  const compared = await inParallel(documents, maxParallelLookups, async (document) => {
    const { matchKey, recordId, doi } = document;
    if (matchKey === undefined || !known.has(matchKey)) return { document };
    const entry = await archive.entry(matchKey);
    const isOther = entry !== undefined && entry.recordId !== recordId;
    // The article itself has meanwhile been delivered, so the plan leaves it out as a duplicate.
    const isKnown = isOther && (await archive.knownReasons(document.archiveKeys)).size > 0;
    const isDistinct = doi !== undefined && entry?.doi !== undefined;
    if (!isOther || isKnown || isDistinct) return { document };
    const { title, urls } = entry;
    return { document, delivered: { recordId: entry.recordId, title, urls } };
  });
  return {
    alike: compared.flatMap(({ document, delivered }) =>
      delivered === undefined ? [] : [{ ...document, delivered }],
    ),
    others: compared.flatMap(({ document, delivered }) => (delivered === undefined ? [document] : [])),
  };
}

/** Builds the finding because of which an article waits for an operator's decision. */
export function possibleDuplicateFinding({ delivered }: PossibleDuplicate, count: number): Finding {
  const reason = `waiting, with ${count} of its source: ${describePossibleDuplicate(delivered)}`;
  return { ruleId: "perhaps-the-same", tag: "773", reason: truncateText(reason), record: "" };
}

/** Describes the record that an article may duplicate, for people. */
export function describePossibleDuplicate({ recordId, title, urls }: PossibleDuplicate["delivered"]): string {
  const address = urls[0] === undefined ? "" : ` <${urls[0]}>`;
  return `possible duplicate of record ${recordId} "${title}"${address}: journal, year, volume, issue, first page and title agree`;
}
