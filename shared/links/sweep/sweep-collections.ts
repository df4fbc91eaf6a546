import { inParallel } from "../../core/in-parallel.ts";
import type { RequestQueue } from "../../web/gate/request.ts";
import { type Collection, isExcludedFromChecks, type UnusableCollection } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { attemptNumber, type LinkStatus, lostBefore } from "../status/link-status.ts";
import { draftLostAttempts } from "./lost-attempts.ts";
import { openSweep, type SweepStore, sampleOldestAndNewest } from "./sweep.ts";

const collectionsAtOnce = 16;

export interface SweepCollectionsPorts {
  records: Pick<LinkRecords, "oldest" | "newest" | "overduePages">;
  sweeps: Pick<SweepStore, "create">;
  collections: Pick<CollectionStore, "all" | "linkStatuses">;
  requests: RequestQueue;
  networkIsDown(): Promise<boolean>;
}

export interface SweepSummary {
  network: "up" | "down";
  swept: number;
  /** Attempts at records that had got lost. */
  lost: number;
  requests: number;
  /** Collections whose configuration is not valid, with the reason. */
  unusable: UnusableCollection[];
}

/**
 * Has the oldest and newest records of each collection checked, and the attempts made that got lost. A suppressed
 * collection is looked at too, as it may be back; but only its attempts can fail it, and a sweep in their place when they
 * are late. What is held, deleted or has an inactive rule is left alone; and while our network is down all is: the next
 * sweep comes soon enough.
 * @param at when the sweep was due: the same time is the same sweep
 */
export async function sweepCollections(at: Date, ports: SweepCollectionsPorts): Promise<SweepSummary> {
  if (await ports.networkIsDown()) return { network: "down", swept: 0, lost: 0, requests: 0, unusable: [] };
  const [{ collections, unusable }, linkStatuses] = await Promise.all([
    ports.collections.all(),
    ports.collections.linkStatuses(),
  ]);
  const wanted = collections.filter((each) => isSwept(each, linkStatuses.get(each.collectionId)));
  const askedAt = at.toISOString();
  const drafts = await inParallel(wanted, collectionsAtOnce, async (each) => {
    const attempt = attemptNumber(linkStatuses.get(each.collectionId), lostBefore("collection", at));
    const links = await sampleOldestAndNewest(each.collectionId, ports.records);
    return openSweep(each, { links, askedAt, attempt, isNow: true }, ports.sweeps);
  });
  const known = {
    collections: new Map(collections.map((each) => [each.collectionId, each])),
    unusable: new Set(unusable.map(({ collectionId }) => collectionId)),
  };
  const lost = await draftLostAttempts(at, known, ports);
  const requests = [...drafts.flat(), ...lost];
  await ports.requests.send(requests);
  return { network: "up", swept: wanted.length, lost: lost.length, requests: requests.length, unusable };
}

function isSwept(collection: Collection, linkStatus: LinkStatus | undefined): boolean {
  return !isExcludedFromChecks(collection) && linkStatus?.status !== "deleted";
}
