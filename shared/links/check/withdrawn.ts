import type { HostPause } from "../../web/gate/host-state.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import { type InboundResponse, withdrawn } from "../../web/request/response.ts";
import { effectiveCollection, isExcludedFromChecks } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import { findCheck } from "./link-check.ts";

/**
 * Returns why a check is no longer wanted when its turn comes. The check may have waited for hours behind others of its
 * host, or may have been scheduled days ahead, and its collection may have been held meanwhile. While an operator
 * pauses the host, checks of sweeps and estimates are withdrawn, because the next ones follow anyway; checks of records
 * wait.
 * @returns undefined for a wanted check and for all other requests; also for an invalid check, which the reader of its
 * response rejects, because an error here would block the queue of the host
 */
export async function findWithdrawalReason(
  request: OutboundRequest,
  { collections, pause }: { collections: Pick<CollectionStore, "get">; pause?: HostPause | undefined },
): Promise<string | undefined> {
  if (request.kind !== "link") return undefined;
  const check = findCheck(request);
  if (check === undefined) return undefined;
  if (pause !== undefined && check.purpose.type !== "record") return `its host is paused by ${pause.by}`;
  const { collectionId } = check;
  const collection = effectiveCollection(await collections.get(collectionId), collectionId);
  if (!isExcludedFromChecks(collection)) return undefined;
  return `collection ${collectionId} is ${collection.hold ? "held" : "not checked"}`;
}

/** Returns whether the gate dropped the request because it was withdrawn. */
export function isWithdrawn({ outcome }: InboundResponse): boolean {
  return outcome.type === "refused" && outcome.reason === withdrawn;
}
