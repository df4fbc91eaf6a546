import { buildArchiveKeys } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { countKnownReasons, findKnownReason } from "../../archive/known-reason.ts";
import { finishRecord } from "../../convert/finish-record.ts";
import type { Clock } from "../../core/clock.ts";
import { dayIn } from "../../core/day.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ListedDocument } from "../../documents/document.ts";
import { listedDocumentId, recordIdOf } from "../../documents/document-identity.ts";
import { type KeepPorts, keepDocuments } from "../../documents/keep-documents.ts";
import type { RecordStore } from "../../documents/stored-record.ts";
import { findFirstDoi } from "../../identifiers/doi.ts";
import { subfieldValues } from "../../marc/fields.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { OaiRecord } from "../../oai/page.ts";
import type { ConvertedDocument, DocumentOutcome, SourceOutcome } from "../../runs/run.ts";
import type { Group } from "../../sources/group.ts";
import type { Settings } from "../../sources/settings.ts";
import type { Source } from "../../sources/source.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import type { BaseListingContext } from "../listing/process-listing.ts";
import { listRecord, readMarc } from "./listed-records.ts";

export interface KeepRecordsPorts {
  /** Absent in a process that only previews. */
  kept: KeepPorts | undefined;
  sources: Pick<SourceStore, "group" | "settings">;
  records: Pick<RecordStore, "storeMarc" | "save">;
  archive: Pick<ArchiveStore, "knownReasons">;
  clock: Clock;
  timeZone: string;
}

interface KeptRecords {
  resolved: DocumentOutcome[];
  counts: Pick<SourceOutcome, "entries" | "known" | "requested" | "dropped">;
}

interface RecordPage {
  source: Source;
  frame: BaseListingContext;
}

const maxParallelRecords = 16;

/**
 * Keeps the records of a page as documents; those that are MARC-21 also become records of the delivery, unless the archive
 * knows them. A preview keeps no documents. A record that cannot be used is dropped with its reason.
 */
export async function keepRecords(
  records: readonly OaiRecord[],
  page: RecordPage & { isFull: boolean; listedAt: string },
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
  if (run.harvestOf !== undefined && ports.kept !== undefined && documents.length > 0) {
    const harvest = isFull ? { harvestId: run.runId } : {};
    const { throttleMs, obeyRobots } = source;
    const fileRequests = { obeyRobots, ...(throttleMs !== undefined && { throttleMs }) };
    await keepDocuments({ sourceId, listedAt, ...harvest, fileRequests, documents }, ports.kept);
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
  documents: ListedDocument[],
  page: RecordPage,
  ports: KeepRecordsPorts,
): Promise<DocumentOutcome[]> {
  const byIdentifier = new Map(documents.map((document) => [document.identifier[0], document]));
  const marc = [...byIdentifier.values()].flatMap((document) => {
    const record = document.content && readMarc(document.content.raw);
    return record === undefined ? [] : [{ document, record }];
  });
  if (marc.length === 0) return [];
  const [group, settings] = await Promise.all([
    ports.sources.group(page.source.groupId),
    ports.sources.settings(),
  ]);
  if (group === undefined) return [];
  const today = dayIn(ports.timeZone, ports.clock.now());
  const described = marc.map(({ document, record }) =>
    describeRecord(document, record, { ...page, group, settings, today }),
  );
  const keys = described.flatMap(({ outcome }) => (outcome.state === "converted" ? outcome.archiveKeys : []));
  const known = await ports.archive.knownReasons([...new Set(keys)]);
  return inParallel(described, maxParallelRecords, async ({ outcome, record }) => {
    if (outcome.state !== "converted") return outcome;
    const { requestId, sourceId, url, title } = outcome;
    const as = findKnownReason(outcome.archiveKeys, known);
    if (as !== undefined) {
      return { requestId, sourceId, url, ...(title !== undefined && { title }), state: "known" as const, as };
    }
    const converted = { ...outcome, recordKey: await ports.records.storeMarc(outcome.recordId, record) };
    if (page.frame.run.deliveryMode !== "NONE") await saveRecord(converted, page, ports);
    return converted;
  });
}

/** What the delivery needs of a MARC-21 record; its key follows when it is stored. */
function describeRecord(
  { identifier, title: listedTitle }: ListedDocument,
  marc: MarcRecord,
  { source, frame, group, settings, today }: RecordPage & { group: Group; settings: Settings; today: string },
): { outcome: DocumentOutcome; record: MarcRecord } {
  const { sourceId, groupId } = source;
  const identity = { sourceId, identifier };
  const title = listedTitle ?? subfieldValues(marc, "245", "a")[0] ?? identifier[0];
  const doi = findFirstDoi(subfieldValues(marc, "024", "a"));
  const control = marc.control.filter(([tag]) => tag !== "001");
  const conversion = finishRecord(
    {
      record: { ...marc, control },
      title,
      ...(doi !== undefined && { doi }),
      notes: new Map(),
      warnings: [],
    },
    { source, group, settings },
    today,
  );
  const base = { requestId: listedDocumentId(frame.listingId, identity), sourceId, url: source.url, title };
  if (conversion.type !== "converted") {
    return { record: marc, outcome: { ...base, state: "dropped", reason: conversion.detail } };
  }
  const { record, hash, urls, warnings } = conversion;
  const archiveKeys = buildArchiveKeys({ doi, urls }, frame.run.deliveryMode);
  return {
    record,
    outcome: {
      ...base,
      state: "converted",
      url: urls[0] ?? source.url,
      recordId: recordIdOf(identity),
      groupId,
      hash,
      ...(doi !== undefined && { doi }),
      urls,
      recordKey: "",
      archiveKeys,
      warnings,
    },
  };
}

async function saveRecord(
  { recordId, hash, recordKey, url, title = "" }: ConvertedDocument,
  { source, frame }: RecordPage,
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
