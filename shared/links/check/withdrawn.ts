import type { OutboundRequest } from "../../web/gate/request.ts";
import { type InboundResponse, withdrawn } from "../../web/gate/response.ts";
import { effectiveCollection, isExcludedFromChecks } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import { findCheck } from "./link-check.ts";

/**
 * Why a check is not wanted any more when its turn comes: attempts are asked for days before, and their collection may be
 * held by then. One that is asked for by a sweep or a drawing was looked at just before, and is not looked at again.
 * @returns undefined when it is wanted, as all other requests are; so is one that is no check: its reader says what is
 * wrong with it, while here it would hold up the line of its host
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
  return `collection ${collectionId} is ${collection.hold ? "held" : "not to be checked"}`;
}

/** Whether the gate has let a request be, as it was not wanted any more. */
export function isWithdrawn({ outcome }: InboundResponse): boolean {
  return outcome.type === "refused" && outcome.reason === withdrawn;
}
