// Input: a converted article. Output: its outcome; the MARC record is stored. Called by convert-article.ts.

import type { Clock } from "../../core/clock.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { buildMatchKey } from "../../records/archive/archive-keys.ts";
import { recordIdOf } from "../../records/documents/document-identity.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Events } from "../../records/events/events.ts";
import { summarizeOrigin } from "../../records/origin/origin-summary.ts";
import type { DocumentOutcome, Run } from "../../records/runs/run.ts";
import type { Converted } from "../convert/conversion.ts";
import type { Origin } from "./complete-statements.ts";

export interface StoreRecordPorts {
  records: Pick<RecordStore, "storeMarc" | "save">;
  events: Events;
  clock: Clock;
}

interface StoreContext {
  runId: string;
  run: Run;
  entry: FeedEntry;
  /** The keys of the record in the archive. */
  keys: string[];
}

/**
 * Stores the record, and publishes `document.new` when the record is new, and an event for each retraction and
 * correction. A preview does not publish events.
 */
export async function storeRecord(
  document: Pick<DocumentOutcome, "requestId" | "sourceId" | "url">,
  conversion: Converted & { groupId: string; collectionId: string; origin: Origin },
  { runId, run, entry, keys }: StoreContext,
  { records, events, clock }: StoreRecordPorts,
): Promise<DocumentOutcome> {
  const { sourceId } = document;
  const { record, hash, title, doi, urls, warnings, groupId, collectionId, date } = conversion;
  const { provenance, findings, notices } = conversion.origin;
  const recordId = recordIdOf({ sourceId, identifier: [entry.id, entry.url] });
  const recordKey = await records.storeMarc(recordId, record);
  const summary = summarizeOrigin(provenance);
  const isPreview = run.deliveryMode === "NONE" && run.harvestOf === undefined;
  const isNew =
    !isPreview &&
    (await records.save({
      recordId,
      sourceId,
      groupId,
      collectionId,
      runId,
      deliveryMode: run.deliveryMode,
      title,
      landingUrl: urls[0] ?? document.url,
      syndicatedAt: syndicatedAtIso(entry.publishedIso ?? date, clock.now()),
      hash,
      recordKey,
      provenance,
      origin: summary,
      originFindings: findings,
      state: "harvested",
      updatedAt: clock.now().toISOString(),
    }));
  if (isNew) {
    await events.publish({
      type: "document.new",
      // Only the first storing is published, because a repeated conversion may have another hash.
      changeId: `${recordId}/1`,
      detail: {
        sourceUri: `/sources/${sourceId}`,
        documentUri: `/records/${recordId}`,
        sourceId,
        title,
      },
    });
  }
  if (!isPreview) {
    const detail = {
      sourceUri: `/sources/${sourceId}`,
      documentUri: `/records/${recordId}`,
      sourceId,
      title,
    };
    for (const { kind, type, of, by, day } of notices) {
      await events.publish({
        type: `document.${kind}`,
        // A repeated harvest publishes the same event again.
        changeId: `${recordId}/${kind}/${of}/${by}`,
        detail: { ...detail, doi: of, notice: { type, doi: by, ...(day !== undefined && { day }) } },
      });
    }
  }
  const matchKey = buildMatchKey(record, run.deliveryMode);
  return {
    ...document,
    state: "converted",
    title,
    recordId,
    groupId,
    hash,
    ...(doi !== undefined && { doi }),
    urls,
    recordKey,
    archiveKeys: keys,
    ...(matchKey !== undefined && { matchKey }),
    warnings,
    ...(findings.length > 0 && { originFindings: findings }),
    ...(summary && { origin: summary }),
    ...(isPreview && { provenance }),
  };
}

/**
 * Returns the date of a feed entry, which may have any precision and time zone. An unreadable date is replaced by the
 * time of the harvest.
 */
function syndicatedAtIso(published: string | undefined, harvestedAt: Date): string {
  const ms = Date.parse(published ?? "");
  return (Number.isNaN(ms) ? harvestedAt : new Date(ms)).toISOString();
}
