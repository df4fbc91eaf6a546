import type { OutboundRequest } from "../../web/gate/request.ts";
import { type InboundResponse, withdrawn } from "../../web/gate/response.ts";
import { effectiveCollection, isExcludedFromChecks } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import { findCheck } from "./link-check.ts";

/**
 * Why a check is no longer wanted when its turn comes: attempts are scheduled days ahead, and their collection may be held
 * by then. Checks of a sweep or an estimate were drafted just before, so their collection is not read again.
 * @returns undefined for a check that is wanted and for all other requests; also for an invalid check, which its reader
 * rejects: an error here would block the queue of its host
 */
export async function findWithdrawalReason(
  request: OutboundRequest,
  { collections }: { collections: Pick<CollectionStore, "get"> },
): Promise<string | undefined> {
  if (request.kind !== "link") return undefined;
  const check = findCheck(request);
  if (check === undefined || check.known !== undefined) return undefined;
  const { collectionId } = check;
  const collection = effectiveCollection(await collections.get(collectionId), collectionId);
  if (!isExcludedFromChecks(collection)) return undefined;
  return `collection ${collectionId} is ${collection.hold ? "held" : "not checked"}`;
}

/** Whether the gate dropped the request because it was withdrawn. */
export function isWithdrawn({ outcome }: InboundResponse): boolean {
  return outcome.type === "refused" && outcome.reason === withdrawn;
}
