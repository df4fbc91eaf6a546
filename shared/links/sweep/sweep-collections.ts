import { digest } from "../../core/digest.ts";
import { Failures } from "../../core/failures.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import { type Collection, isExcludedFromChecks, type UnusableCollection } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { attemptNumber, type LinkStatus, lostBefore } from "../status/link-status.ts";
import type { SweepStore } from "../status/stored-sweep.ts";
import { draftLostAttempts } from "./lost-attempts.ts";
import { isOpen, openSweep, sampleOldestAndNewest, sweepIdOf } from "./sweep.ts";

const collectionsAtOnce = 16;

interface SweepCollectionsPorts {
  records: Pick<LinkRecords, "oldest" | "newest" | "overduePages">;
  sweeps: Pick<SweepStore, "open" | "get">;
  collections: Pick<CollectionStore, "all" | "linkStatuses">;
  requests: RequestQueue;
  networkIsDown(): Promise<boolean>;
}

interface SweepSummary {
  network: "up" | "down";
  swept: number;
  /** The number of lost attempts of records that are requested again. */
  lost: number;
  requests: number;
  /** The collections that are not swept because their configuration is invalid. */
  unusable: UnusableCollection[];
}

/**
 * Requests checks of the oldest and newest records of each collection, and repeats the lost attempts of records. Sweeps
 * include suppressed collections, because they may be alive again. A suppressed collection can fail only in its
 * scheduled attempts, or in a sweep that replaces a lost attempt. A collection with an open sweep or attempt gets no
 * further sweep. Held and deleted collections, and those with an inactive rule, are skipped. While our network is down,
 * all are skipped.
 * @param at when the sweep was due: the same time yields the same sweep
 * @throws PlatformError when some collections could not be swept; the others were
 */
export async function sweepCollections(at: Date, ports: SweepCollectionsPorts): Promise<SweepSummary> {
  if (await ports.networkIsDown()) return { network: "down", swept: 0, lost: 0, requests: 0, unusable: [] };
  const [{ collections, unusable }, linkStatuses] = await Promise.all([
    ports.collections.all(),
    ports.collections.linkStatuses(),
  ]);
  const requestedAt = at.toISOString();
  const swept = collections
    .filter((each) => isSwept(each, linkStatuses.get(each.collectionId)))
    .sort(byTurn(requestedAt));
  const failures = new Failures();
  const draft = async (each: Collection) => {
    const { collectionId } = each;
    const linkStatus = linkStatuses.get(collectionId);
    const nextAttemptAt = linkStatus?.nextAttemptAt;
    if (nextAttemptAt !== undefined && nextAttemptAt <= requestedAt) {
      const dueAttempt = await ports.sweeps.get(sweepIdOf(collectionId, nextAttemptAt));
      if (dueAttempt !== undefined && isOpen(dueAttempt, requestedAt)) return [];
    }
    const attempt = attemptNumber(linkStatus, lostBefore("collection", at));
    const links = await sampleOldestAndNewest(collectionId, ports.records);
    return openSweep(each, { links, requestedAt, attempt, nextAttemptAt }, ports.sweeps);
  };
  const drafts = await inParallel(
    swept,
    collectionsAtOnce,
    async (each) => (await failures.try(each.collectionId, () => draft(each))) ?? [],
  );
  const known = {
    collections: new Map(collections.map((each) => [each.collectionId, each])),
    unusable: new Set(unusable.map(({ collectionId }) => collectionId)),
  };
  const lost = await draftLostAttempts(at, known, ports);
  const requests = [...drafts.flat(), ...lost];
  await ports.requests.send(requests);
  failures.throwAny((ids) => `these collections could not be swept: ${ids.join(", ")}`);
  const opened = drafts.filter((each) => each.length > 0).length;
  return { network: "up", swept: opened, lost: lost.length, requests: requests.length, unusable };
}

/**
 * Orders the collections differently at each sweep. When several collections are on one dead host, only the first one
 * finds the host dead; the others find it unavailable.
 */
function byTurn(requestedAt: string) {
  const turns = new Map<string, string>();
  const turnOf = ({ collectionId }: Collection) => {
    const turn = turns.get(collectionId) ?? digest(requestedAt, collectionId);
    turns.set(collectionId, turn);
    return turn;
  };
  return (a: Collection, b: Collection) => (turnOf(a) < turnOf(b) ? -1 : 1);
}

function isSwept(collection: Collection, linkStatus: LinkStatus | undefined): boolean {
  return !isExcludedFromChecks(collection) && linkStatus?.status !== "deleted";
}
