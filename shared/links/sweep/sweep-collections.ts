import { digest } from "../../core/digest.ts";
import { Failures } from "../../core/failures.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ExpectedDelayOf } from "../../web/gate/expected-delay.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import { type BusyHostStore, maxBusyHosts } from "../capacity/busy-hosts.ts";
import { HostPlan, linksByHost } from "../capacity/host-plan.ts";
import { type Collection, isExcludedFromChecks, type UnusableCollection } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { attemptNumber, type LinkStatus, lostBefore } from "../status/link-status.ts";
import type { SampledLink, Sweep, SweepStore } from "../status/stored-sweep.ts";
import { sweepIntervalHours } from "../status/sweep-interval.ts";
import { draftLostAttempts } from "./lost-attempts.ts";
import { isOpen, openSamples, openSweep, sampleOldestAndNewest, sweepIdOf } from "./sweep.ts";

const collectionsAtOnce = 16;
const intervalMs = sweepIntervalHours * 3_600_000;

interface SweepCollectionsPorts {
  records: Pick<LinkRecords, "oldest" | "newest" | "overduePages">;
  sweeps: Pick<SweepStore, "open" | "get" | "latest">;
  collections: Pick<CollectionStore, "all" | "linkStatuses">;
  requests: RequestQueue;
  busyHosts: Pick<BusyHostStore, "save">;
  delayOf: ExpectedDelayOf;
  networkIsDown(): Promise<boolean>;
}

interface SweepSummary {
  network: "up" | "down";
  swept: number;
  /** The number of collections that wait for a turn at a busy host. */
  waiting: number;
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
 * further sweep. When a host has no time for the checks of all its collections before the next sweep, the collections
 * take turns; the one that was swept longest ago is first. Held and deleted collections, and those with an inactive
 * rule, are skipped. While our network is down, all are skipped.
 * @param at when the sweep was due: the same time yields the same sweep
 * @throws PlatformError when some collections could not be swept; the others were
 */
export async function sweepCollections(at: Date, ports: SweepCollectionsPorts): Promise<SweepSummary> {
  if (await ports.networkIsDown())
    return { network: "down", swept: 0, waiting: 0, lost: 0, requests: 0, unusable: [] };
  const [{ collections, unusable }, linkStatuses] = await Promise.all([
    ports.collections.all(),
    ports.collections.linkStatuses(),
  ]);
  const requestedAt = at.toISOString();
  const swept = collections.filter((each) => isSwept(each, linkStatuses.get(each.collectionId)));
  const latest = await ports.sweeps.latest(swept.map(({ collectionId }) => collectionId));
  const plan = new HostPlan({ delayOf: ports.delayOf, intervalMs });
  const failures = new Failures();
  const { opened, waiting } = await openSweeps(swept, { at, linkStatuses, latest, plan, failures, ports });
  const busy = plan.busyHosts().slice(0, maxBusyHosts);
  await ports.busyHosts.save({ at: requestedAt, intervalMs, hosts: busy });
  const known = {
    collections: new Map(collections.map((each) => [each.collectionId, each])),
    unusable: new Set(unusable.map(({ collectionId }) => collectionId)),
  };
  const lost = await draftLostAttempts(at, known, ports);
  const requests = [...opened.flat(), ...lost];
  await ports.requests.send(requests);
  failures.throwAny((ids) => `these collections could not be swept: ${ids.join(", ")}`);
  return {
    network: "up",
    swept: opened.length,
    waiting,
    lost: lost.length,
    requests: requests.length,
    unusable,
  };
}

interface Turns {
  at: Date;
  linkStatuses: ReadonlyMap<string, LinkStatus>;
  /** The last sweep of each collection. */
  latest: ReadonlyMap<string, Sweep>;
  plan: HostPlan;
  failures: Failures;
  ports: SweepCollectionsPorts;
}

/** Opens the sweeps for which their hosts have time. @returns the requests of each, and the number that must wait */
async function openSweeps(
  swept: readonly Collection[],
  { at, linkStatuses, latest, plan, failures, ports }: Turns,
): Promise<{ opened: NewRequest[][]; waiting: number }> {
  const requestedAt = at.toISOString();
  const isSweepOpen = ({ collectionId }: Collection) => {
    const sweep = latest.get(collectionId);
    return sweep !== undefined && sweep.requestedAt !== requestedAt && isOpen(sweep, requestedAt);
  };
  const { open = [], closed = [] } = Object.groupBy(swept, (each) => (isSweepOpen(each) ? "open" : "closed"));
  for (const each of open) {
    const sweep = latest.get(each.collectionId) as Sweep;
    await plan.addOpen(hostsOf(openSamples(sweep)), each);
    await plan.addNeed(hostsOf(sweep.samples), each);
  }
  let waiting = 0;
  const draft = async (each: Collection): Promise<NewRequest[]> => {
    const { collectionId } = each;
    const linkStatus = linkStatuses.get(collectionId);
    const nextAttemptAt = linkStatus?.nextAttemptAt;
    if (nextAttemptAt !== undefined && nextAttemptAt <= requestedAt) {
      const dueAttempt = await ports.sweeps.get(sweepIdOf(collectionId, nextAttemptAt));
      if (dueAttempt !== undefined && isOpen(dueAttempt, requestedAt)) return [];
    }
    const before = latest.get(collectionId);
    const hostsBefore = before && hostsOf(before.samples);
    // Reading the records of a collection that must wait would show nothing.
    const mustWait = hostsBefore !== undefined && !plan.hasRoom(hostsBefore);
    const links = mustWait ? [] : await sampleOldestAndNewest(collectionId, ports.records);
    const hosts = mustWait ? hostsBefore : hostsOf(links);
    await plan.addNeed(hosts, each);
    if (mustWait || !(await plan.reserve(hosts, each))) {
      waiting += 1;
      return [];
    }
    const attempt = attemptNumber(linkStatus, lostBefore("collection", at));
    return openSweep(each, { links, requestedAt, attempt, nextAttemptAt }, ports.sweeps);
  };
  const drafts = await inParallel(
    inTurn(closed, latest, requestedAt),
    collectionsAtOnce,
    async (each) => (await failures.try(each.collectionId, () => draft(each))) ?? [],
  );
  return { opened: drafts.filter(({ length }) => length > 0), waiting };
}

function hostsOf(links: readonly Pick<SampledLink, "url">[]) {
  return linksByHost(links.map(({ url }) => url));
}

/**
 * Orders the collections by their last sweep, the one that was swept longest ago first. Collections of the same sweep
 * are ordered differently each time: when several of them are on one dead host, only the first one finds the host dead,
 * and the others find it unavailable.
 */
function inTurn(
  collections: readonly Collection[],
  latest: ReadonlyMap<string, Sweep>,
  requestedAt: string,
): Collection[] {
  const sweptAt = (collectionId: string) => {
    const before = latest.get(collectionId)?.requestedAt ?? "";
    // A repeated invocation keeps the order.
    return before === requestedAt ? "" : before;
  };
  return collections
    .map((each) => ({
      each,
      turn: `${sweptAt(each.collectionId)} ${digest(requestedAt, each.collectionId)}`,
    }))
    .sort((a, b) => (a.turn < b.turn ? -1 : 1))
    .map(({ each }) => each);
}

function isSwept(collection: Collection, linkStatus: LinkStatus | undefined): boolean {
  return !isExcludedFromChecks(collection) && linkStatus?.status !== "deleted";
}
