import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { RequestQueue } from "../../web/gate/request.ts";
import { effectiveCollection, isExcludedFromChecks } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { attemptNumber, lostBefore } from "../status/link-status.ts";
import type { RecordLink } from "../status/record-link.ts";
import { draftCheck } from "./link-check.ts";

/** Within this time after a reader requested a check of a record, further requests do nothing. */
export const coalesceWindowMs = 6 * 3_600_000;

export interface RequestCheckPorts {
  collections: Pick<CollectionStore, "get">;
  records: Pick<LinkRecords, "claimCheck" | "releaseCheck">;
  requests: RequestQueue;
  clock: Clock;
}

/**
 * Requests a check of a record whose page a reader opens, unless one was requested recently, the collection is excluded
 * from checks, or the record is deleted. The claim comes first, so that many readers cause one request; it is released
 * when the request cannot be sent. After a crash in between, the next reader after the window requests the check.
 */
export async function requestCheck(
  record: RecordLink,
  ports: RequestCheckPorts,
): Promise<"requested" | "not-requested"> {
  const { recordId, collectionId, landingUrl, link } = record;
  if (link?.status === "deleted") return "not-requested";
  const collection = effectiveCollection(await ports.collections.get(collectionId), collectionId);
  if (isExcludedFromChecks(collection)) return "not-requested";
  const now = ports.clock.now();
  const notSince = new Date(now.getTime() - coalesceWindowMs).toISOString();
  const requestedAt = now.toISOString();
  if (!(await ports.records.claimCheck(recordId, { requestedAt, notSince }))) return "not-requested";
  const checkId = digest("on-demand", recordId, requestedAt);
  const purpose = { type: "record" as const, attempt: attemptNumber(link, lostBefore("record", now)) };
  const request = draftCheck(
    landingUrl,
    { checkId, recordId, collectionId, requestedAt, purpose },
    collection,
  );
  try {
    await ports.requests.send([request]);
  } catch (error) {
    await ports.records.releaseCheck(recordId, requestedAt);
    throw error;
  }
  return "requested";
}
