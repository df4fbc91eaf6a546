import type { Clock } from "../../core/clock.ts";
import { dayIn } from "../../core/day.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { buildArchiveKeys } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { findKnownReason } from "../../records/archive/known-reason.ts";
import type { ListedDocument } from "../../records/documents/document.ts";
import { listedDocumentId, recordIdOf } from "../../records/documents/document-identity.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { ConvertedDocument, DocumentOutcome } from "../../records/runs/run.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { convertDocument, crosswalkFormat } from "../convert/crosswalks/convert-document.ts";
import type { BaseListingContext } from "./process-listing.ts";

export interface ResolveDocumentsPorts {
  sources: Pick<SourceStore, "group" | "settings">;
  records: Pick<RecordStore, "storeMarcs" | "save">;
  archive: Pick<ArchiveStore, "knownReasons">;
  clock: Clock;
  timeZone: string;
}

/** The documents of one page of a source. */
interface ResolvedPage {
  source: Source;
  frame: BaseListingContext;
  /** Returns the address of a document by its identifier. It is the URL of a record that contains none. */
  urlOf(identifier: string): string;
  /** Returns the collection of the document's record, if it is not the collection of the source. */
  collectionOf?(document: ListedDocument): string | undefined;
}

const maxParallelRecords = 16;

/** Returns the outcomes of the documents that can become MARC-21 records. Each identifier has one outcome. */
export async function resolveDocuments(
  documents: ListedDocument[],
  page: ResolvedPage,
  ports: ResolveDocumentsPorts,
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
  const resolved = described.map((one) => ({ ...one, outcome: withoutKnown(one.outcome, known) }));
  const toStore = resolved.filter(({ outcome }) => outcome.state === "converted");
  const recordKeys = await ports.records.storeMarcs(toStore.flatMap(({ record }) => record ?? []));
  const keyOf = new Map(toStore.map(({ outcome: { requestId } }, index) => [requestId, recordKeys[index]]));
  return inParallel(resolved, maxParallelRecords, async ({ outcome, ...described }) => {
    const recordKey = keyOf.get(outcome.requestId);
    if (outcome.state !== "converted" || recordKey === undefined) return outcome;
    const converted = { ...outcome, recordKey };
    if (page.frame.run.deliveryMode !== "NONE") await saveRecord(converted, described, page, ports);
    return converted;
  });
}

/** Returns the outcome of a document. It is `known` when the archive contains the document. */
function withoutKnown(
  outcome: DocumentOutcome,
  known: Parameters<typeof findKnownReason>[1],
): DocumentOutcome {
  if (outcome.state !== "converted") return outcome;
  const as = findKnownReason(outcome.archiveKeys, known);
  if (as === undefined) return outcome;
  const { requestId, sourceId, url, title } = outcome;
  return { requestId, sourceId, url, ...(title !== undefined && { title }), state: "known", as };
}

/**
 * Returns the data of a document's record that the delivery needs. The record's key is added when the record is stored.
 */
function describeRecord(
  document: ListedDocument,
  {
    source,
    frame,
    urlOf,
    collectionOf,
    group,
    settings,
    today,
  }: ResolvedPage & { group: Group; settings: Settings; today: string },
): { outcome: DocumentOutcome; record?: MarcRecord } & RecordFacts {
  const { identifier, title: listedTitle, content } = document;
  const { sourceId, groupId } = source;
  const identity = { sourceId, identifier };
  const harvestedUrl = urlOf(identifier[0]);
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
    collectionId: collectionOf?.(document),
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

/** The data of a record in addition to its outcome. */
interface RecordFacts {
  date?: string | undefined;
  collectionId?: string | undefined;
}

async function saveRecord(
  { recordId, hash, recordKey, url, title = "" }: ConvertedDocument,
  { date, collectionId }: RecordFacts,
  { source, frame }: ResolvedPage,
  { records, clock }: ResolveDocumentsPorts,
): Promise<void> {
  const { sourceId, groupId } = source;
  const now = clock.now().toISOString();
  await records.save({
    recordId,
    sourceId,
    groupId,
    collectionId: collectionId ?? source.collectionId ?? sourceId,
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
