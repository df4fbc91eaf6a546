import { buildArchiveKeys } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { countKnownReasons, findKnownReason } from "../../archive/known-reason.ts";
import { convertDocument, crosswalkFormat } from "../../convert/crosswalks/convert-document.ts";
import type { Clock } from "../../core/clock.ts";
import { dayIn } from "../../core/day.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ListedDocument } from "../../documents/document.ts";
import { listedDocumentId, recordIdOf } from "../../documents/document-identity.ts";
import { type KeepPorts, keepDocuments } from "../../documents/keep-documents.ts";
import type { RecordStore } from "../../documents/stored-record.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { OaiRecord } from "../../oai/page.ts";
import { oaiRequestUrl, parseOaiUrl } from "../../oai/request-url.ts";
import type { ConvertedDocument, DocumentOutcome, SourceOutcome } from "../../runs/run.ts";
import type { Group } from "../../sources/group.ts";
import type { Settings } from "../../sources/settings.ts";
import type { Source } from "../../sources/source.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import type { BaseListingContext } from "../listing/process-listing.ts";
import { listRecord } from "./listed-records.ts";

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
 * Keeps the records of a page as documents; those of Dublin Core, MODS and MARCXML also become records of the delivery, unless the archive
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
  const resolved = await resolveRecords(documents, page, ports);
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

/** The outcomes of the documents that can become MARC-21 records, each identifier once. */
async function resolveRecords(
  documents: ListedDocument[],
  page: RecordPage,
  ports: KeepRecordsPorts,
): Promise<DocumentOutcome[]> {
  const byIdentifier = new Map(documents.map((document) => [document.identifier[0], document]));
  const convertible = [...byIdentifier.values()].filter(
    ({ content }) => content !== undefined && crosswalkFormat(content.raw) !== undefined,
  );
  if (convertible.length === 0) return [];
  const [group, settings] = await Promise.all([
    ports.sources.group(page.source.groupId),
    ports.sources.settings(),
  ]);
  if (group === undefined) return [];
  const today = dayIn(ports.timeZone, ports.clock.now());
  const described = convertible.map((document) =>
    describeRecord(document, { ...page, group, settings, today }),
  );
  const keys = described.flatMap(({ outcome }) => (outcome.state === "converted" ? outcome.archiveKeys : []));
  const known = await ports.archive.knownReasons([...new Set(keys)]);
  return inParallel(described, maxParallelRecords, async ({ outcome, record, date }) => {
    if (outcome.state !== "converted" || record === undefined) return outcome;
    const { requestId, sourceId, url, title } = outcome;
    const as = findKnownReason(outcome.archiveKeys, known);
    if (as !== undefined) {
      return { requestId, sourceId, url, ...(title !== undefined && { title }), state: "known" as const, as };
    }
    const converted = { ...outcome, recordKey: await ports.records.storeMarc(outcome.recordId, record) };
    if (page.frame.run.deliveryMode !== "NONE") await saveRecord(converted, date, page, ports);
    return converted;
  });
}

/** What the delivery needs of a document's record; its key follows when it is stored. */
function describeRecord(
  { identifier, title: listedTitle, content }: ListedDocument,
  { source, frame, group, settings, today }: RecordPage & { group: Group; settings: Settings; today: string },
): { outcome: DocumentOutcome; record?: MarcRecord; date?: string | undefined } {
  const { sourceId, groupId } = source;
  const identity = { sourceId, identifier };
  const harvestedUrl = getRecordUrl(source, identifier[0]);
  const conversion = convertDocument(content?.raw ?? "", { source, group, settings, harvestedUrl }, today);
  const base = { requestId: listedDocumentId(frame.listingId, identity), sourceId, url: harvestedUrl };
  if (conversion.type !== "converted") {
    const reason = `${conversion.reason}: ${conversion.detail}`;
    return { outcome: { ...base, title: listedTitle ?? identifier[0], state: "dropped", reason } };
  }
  const { record, hash, title, doi, date, urls, warnings } = conversion;
  return {
    record,
    date,
    outcome: {
      ...base,
      title,
      state: "converted",
      url: urls[0] ?? harvestedUrl,
      recordId: recordIdOf(identity),
      groupId,
      hash,
      ...(doi !== undefined && { doi }),
      urls,
      recordKey: "",
      archiveKeys: buildArchiveKeys({ doi, urls }, frame.run.deliveryMode),
      warnings,
    },
  };
}

/** Where the repository gives one record. */
function getRecordUrl({ url, oai: { metadataPrefix } }: Source, identifier: string): string {
  const baseUrl = parseOaiUrl(url)?.baseUrl ?? url;
  return oaiRequestUrl(baseUrl, "GetRecord", { identifier, metadataPrefix });
}

async function saveRecord(
  { recordId, hash, recordKey, url, title = "" }: ConvertedDocument,
  date: string | undefined,
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
    syndicatedAt: date === undefined ? now : `${date}T00:00:00.000Z`,
    hash,
    recordKey,
    state: "harvested",
    updatedAt: now,
  });
}
