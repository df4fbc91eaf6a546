import { buildArchiveKeys } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { countKnownReasons, findKnownReason } from "../../archive/known-reason.ts";
import { recordHash } from "../../convert/record-hash.ts";
import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { listedDocumentId, recordIdOf } from "../../documents/document-identity.ts";
import type { RecordStore } from "../../documents/stored-record.ts";
import { findFirstDoi } from "../../identifiers/doi.ts";
import { subfieldValues } from "../../marc/fields.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { OaiRecord } from "../../oai/page.ts";
import type { ConvertedDocument, DocumentOutcome, SourceOutcome } from "../../runs/run.ts";
import type { Source } from "../../sources/source.ts";
import type { BaseListingContext } from "../listing/process-listing.ts";
import { type ListedRecord, listRecord, readMarc } from "./listed-records.ts";

/** The listed documents of a page, for the store of documents. */
export interface ListedPage {
  sourceId: string;
  /** ISO 8601, UTC. */
  listedAt: string;
  /** Set in a full harvest. */
  harvestId?: string;
  documents: ListedRecord[];
}

export interface KeepRecordsPorts {
  documents: {
    /** Keeps the documents of a page, and publishes what changed. Repeatable. */
    keep(page: ListedPage): Promise<void>;
    deleteUnlisted(sourceId: string, harvest: { harvestId: string; listedAt: string }): Promise<void>;
  };
  records: Pick<RecordStore, "storeMarc" | "save">;
  archive: Pick<ArchiveStore, "knownReasons">;
  clock: Clock;
}

interface KeptRecords {
  resolved: DocumentOutcome[];
  counts: Pick<SourceOutcome, "entries" | "known" | "requested" | "dropped">;
}

const maxParallelRecords = 16;

/**
 * Keeps the records of a page as documents; those that are MARC-21 also become records of the delivery, unless the archive
 * knows them. A preview keeps no documents. A record that cannot be used is dropped with its reason.
 */
export async function keepRecords(
  records: readonly OaiRecord[],
  page: { source: Source; frame: BaseListingContext; isFull: boolean; listedAt: string },
  ports: KeepRecordsPorts,
): Promise<KeptRecords> {
  const { source, frame, isFull, listedAt } = page;
  const { sourceId } = source;
  const { metadataPrefix, files } = source.oai;
  const listed = records.map((record) => ({ record, listed: listRecord(record, { metadataPrefix, files }) }));
  const dropped = listed.flatMap(({ record, listed: one }) =>
    "problem" in one ? [{ entry: record.identifier || "a record", reason: one.problem }] : [],
  );
  const documents = listed.flatMap(({ listed: one }) => ("problem" in one ? [] : [one]));
  const { run } = frame;
  if (run.harvestOf !== undefined && documents.length > 0) {
    const harvest = isFull ? { harvestId: run.runId } : {};
    await ports.documents.keep({ sourceId, listedAt, ...harvest, documents });
  }
  const resolved = await resolveMarc(documents, page, ports);
  const known = resolved.flatMap((outcome) => (outcome.state === "known" ? [outcome.as] : []));
  return {
    resolved,
    counts: {
      entries: records.length,
      known: countKnownReasons(known),
      requested: resolved.length - known.length,
      dropped,
    },
  };
}

/** The outcomes of the records that are MARC-21, each identifier once. */
async function resolveMarc(
  documents: ListedRecord[],
  { source, frame }: { source: Source; frame: BaseListingContext },
  ports: KeepRecordsPorts,
): Promise<DocumentOutcome[]> {
  const { deliveryMode } = frame.run;
  const byIdentifier = new Map(documents.map((document) => [document.identifier[0], document]));
  const described = [...byIdentifier.values()].flatMap((document) => {
    const record = document.content && readMarc(document.content.raw);
    return record === undefined ? [] : [describeRecord(document, record, { source, frame })];
  });
  const keys = described.flatMap(({ outcome }) => outcome.archiveKeys);
  const known = await ports.archive.knownReasons([...new Set(keys)]);
  return inParallel(described, maxParallelRecords, async ({ outcome, record }) => {
    const { requestId, sourceId, url, title } = outcome;
    const base = { requestId, sourceId, url, ...(title !== undefined && { title }) };
    const as = findKnownReason(outcome.archiveKeys, known);
    if (as !== undefined) return { ...base, state: "known" as const, as };
    const recordKey = await ports.records.storeMarc(outcome.recordId, record);
    const converted = { ...outcome, recordKey };
    if (deliveryMode !== "NONE") await saveRecord(converted, { source, frame }, ports);
    return converted;
  });
}

/** What the delivery needs of a MARC-21 record; its key follows when it is stored. */
function describeRecord(
  { identifier, title }: ListedRecord,
  record: MarcRecord,
  { source, frame }: { source: Source; frame: BaseListingContext },
): { outcome: ConvertedDocument; record: MarcRecord } {
  const { sourceId, groupId } = source;
  const identity = { sourceId, identifier };
  const urls = subfieldValues(record, "856", "u").filter((url) => URL.canParse(url));
  const doi = findFirstDoi(subfieldValues(record, "024", "a"));
  const ownTitle = title ?? subfieldValues(record, "245", "a")[0];
  return {
    record,
    outcome: {
      state: "converted",
      requestId: listedDocumentId(frame.listingId, identity),
      sourceId,
      url: urls[0] ?? source.url,
      ...(ownTitle !== undefined && { title: ownTitle }),
      recordId: recordIdOf(identity),
      groupId,
      hash: recordHash(record),
      ...(doi !== undefined && { doi }),
      urls,
      recordKey: "",
      archiveKeys: buildArchiveKeys({ doi, urls }, frame.run.deliveryMode),
      warnings: [],
    },
  };
}

async function saveRecord(
  { recordId, hash, recordKey, url, title = "" }: ConvertedDocument,
  { source, frame }: { source: Source; frame: BaseListingContext },
  { records, clock }: KeepRecordsPorts,
): Promise<void> {
  const { sourceId, groupId, collectionId = sourceId } = source;
  const now = clock.now().toISOString();
  await records.save({
    recordId,
    sourceId,
    groupId,
    collectionId,
    runId: frame.run.runId,
    deliveryMode: frame.run.deliveryMode,
    title,
    landingUrl: url,
    syndicatedAt: now,
    hash,
    recordKey,
    state: "harvested",
    updatedAt: now,
  });
}
