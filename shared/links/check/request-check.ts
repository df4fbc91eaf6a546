import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import { endOfHour, type HostShares } from "../../web/gate/host-shares.ts";
import type { RequestQueue } from "../../web/request/request.ts";
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
  /** The queue of the requests that yield to all others. */
  requests: RequestQueue;
  shares: Pick<HostShares, "take">;
  /** How many checks readers may cause per host and hour. */
  hourlyShare: number;
  clock: Clock;
}

/**
 * - `requested`: the check waits until its host is idle
 * - `recent`: one was requested within the window
 * - `excluded`: the collection is not checked, or the record is deleted
 * - `over-share`: readers have caused as many checks of the host as they may in this hour
 */
export type CheckRequest =
  | { type: "requested" | "recent" | "excluded" }
  | { type: "over-share"; retryAt: Date };

/**
 * Requests a check of a record when a reader opens its page. The check is claimed first, so that many readers cause only
 * one request; the claim is released when the request cannot be sent. After a crash between the two, the first reader after
 * the time window requests the check.
 */
export async function requestCheck(record: RecordLink, ports: RequestCheckPorts): Promise<CheckRequest> {
  const { recordId, collectionId, landingUrl, link } = record;
  if (link?.status === "deleted") return { type: "excluded" };
  const collection = effectiveCollection(await ports.collections.get(collectionId), collectionId);
  if (isExcludedFromChecks(collection)) return { type: "excluded" };
  const now = ports.clock.now();
  const notSince = new Date(now.getTime() - coalesceWindowMs).toISOString();
  const requestedAt = now.toISOString();
  if (!(await ports.records.claimCheck(recordId, { requestedAt, notSince }))) return { type: "recent" };
  try {
    if (!(await ports.shares.take(hostKeyOf(landingUrl), now, ports.hourlyShare))) {
      await ports.records.releaseCheck(recordId, requestedAt);
      return { type: "over-share", retryAt: endOfHour(now) };
    }
    const checkId = digest("on-demand", recordId, requestedAt);
    const purpose = { type: "record" as const, attempt: attemptNumber(link, lostBefore("record", now)) };
    const check = { checkId, recordId, collectionId, requestedAt, purpose };
    const notAfter = new Date(now.getTime() + coalesceWindowMs).toISOString();
    await ports.requests.send([{ ...draftCheck(landingUrl, check, collection), notAfter }]);
  } catch (error) {
    await ports.records.releaseCheck(recordId, requestedAt);
    throw error;
  }
  return { type: "requested" };
}
