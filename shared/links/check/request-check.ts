import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { RequestQueue } from "../../web/gate/request.ts";
import { effectiveCollection, isExcludedFromChecks } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { attemptNumber, lostBefore } from "../status/link-status.ts";
import type { RecordLink } from "../status/record-link.ts";
import { draftCheck } from "./link-check.ts";

/** Checks of one record that readers ask for within this time are one. */
export const coalesceWindowMs = 6 * 3_600_000;

export interface RequestCheckPorts {
  collections: Pick<CollectionStore, "get">;
  records: Pick<LinkRecords, "claimCheck" | "releaseCheck">;
  requests: RequestQueue;
  clock: Clock;
}

/**
 * Asks for the check of a record whose page a reader opens, unless one was asked for not long ago, its
 * collection is left alone, or it is given up. The claim comes first, so that a crowd of readers makes one request; it is
 * given back when the request could not be sent. Were we to break off in between, the next reader after the time would ask.
 */
export async function requestCheck(
  record: RecordLink,
  ports: RequestCheckPorts,
): Promise<"asked" | "not-asked"> {
  const { recordId, collectionId, landingUrl, link } = record;
  if (link?.status === "deleted") return "not-asked";
  const collection = effectiveCollection(await ports.collections.get(collectionId), collectionId);
  if (isExcludedFromChecks(collection)) return "not-asked";
  const now = ports.clock.now();
  const notSince = new Date(now.getTime() - coalesceWindowMs).toISOString();
  const askedAt = now.toISOString();
  if (!(await ports.records.claimCheck(recordId, { askedAt, notSince }))) return "not-asked";
  const checkId = digest("on-demand", recordId, askedAt);
  const purpose = { type: "record" as const, attempt: attemptNumber(link, lostBefore("record", now)) };
  const request = draftCheck(landingUrl, { checkId, recordId, collectionId, askedAt, purpose }, collection);
  try {
    await ports.requests.send([request]);
  } catch (error) {
    await ports.records.releaseCheck(recordId, askedAt);
    throw error;
  }
  return "asked";
}
