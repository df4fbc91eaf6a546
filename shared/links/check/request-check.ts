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

/** The time during which further requests to check the same record do nothing. */
export const coalesceWindowMs = 6 * 3_600_000;

export interface RequestCheckPorts {
  collections: Pick<CollectionStore, "get">;
  records: Pick<LinkRecords, "claimCheck" | "releaseCheck">;
  /** The queue of requests that yield to all other requests. */
  requests: RequestQueue;
  shares: Pick<HostShares, "take">;
  /** The maximum number of checks per host and hour that readers may cause. */
  hourlyShare: number;
  clock: Clock;
}

/**
 * The outcome of requesting a check:
 * - `requested`: the check waits until its host is idle
 * - `recent`: a check was requested within the time window
 * - `excluded`: the collection is not checked, or the record is deleted
 * - `over-share`: readers have used up the host's share of checks for this hour
 */
export type CheckRequest =
  | { type: "requested" | "recent" | "excluded" }
  | { type: "over-share"; retryAt: Date };

/**
 * Requests a check of a record when a reader opens its page. The check is claimed first, so that many readers cause
 * only one request. If sending the request fails, the claim is released. After a crash between claiming and sending,
 * the first reader after the time window requests the check again.
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
    await ports.requests.send([draftCheck(landingUrl, check, collection)]);
  } catch (error) {
    await ports.records.releaseCheck(recordId, requestedAt);
    throw error;
  }
  return { type: "requested" };
}
