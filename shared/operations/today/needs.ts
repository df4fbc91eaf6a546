import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { Drift } from "../../deliver/quality/drift.ts";
import { isOpen } from "../../deliver/quality/drift.ts";
import type { ListDriftedSources } from "../../deliver/quality/quality-store.ts";
import type { RefusalGroup } from "../../deliver/refused/refusal-reason.ts";
import type { RefusedStore } from "../../deliver/refused/refused-store.ts";
import type { ListHeldDeletions, SourceWithHeldDeletions } from "../../harvest/oai-state/held-deletions.ts";
import { type BusyHostStore, type OverbookedHost, overbookedHosts } from "../../links/capacity/busy-hosts.ts";
import type {
  ListSuppressedCollections,
  SuppressedCollection,
} from "../../links/status/suppressed-collection.ts";
import type { FailedMessageList, FailedMessageSummary } from "../../records/messages/failed-message.ts";
import { isLateHarvest } from "../../records/runs/late-harvest.ts";
import type { OverdueSource } from "../../records/runs/overdue-sources.ts";
import { stillOverdue } from "../../records/runs/overdue-sources.ts";
import type { deliveredModes, Run, RunFailure } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { sourcesTallyName } from "../../records/runs/tally-names.ts";
import type { SourceStatusStore } from "../../records/sources/source-status.ts";
import type {
  HostPauses,
  ListUnavailableHosts,
  PausedHost,
  UnavailableHost,
} from "../../web/gate/host-state.ts";
import type { NetworkState } from "../../web/network/probe-network.ts";

type Mode = (typeof deliveredModes)[number];

/** Messages that failed permanently, in the dead-letter queue of a queue. */
export interface DeadLetters {
  queue: string;
  messages: number;
}

/** A source that was not finished when its run was delivered. It is still being read for the next delivery. */
interface LateSource {
  mode: Mode;
  runId: string;
  sourceId: string;
  /** The time until which the source is read. */
  until: string;
}

/** A source whose records have lost fields: its pages have probably changed. */
interface DriftedSource {
  sourceId: string;
  title: string;
  fields: Pick<Drift, "field" | "now" | "before">[];
}

/** An item that needs attention. The types are in the order of urgency. */
export type Need =
  | ({ type: "network-down" } & Pick<NetworkState, "since" | "why">)
  | ({ type: "run-failed"; mode: Mode; runId: string } & RunFailure)
  | { type: "failed-messages"; messages: number; queue: string; reason: string }
  | ({ type: "dead-letters" } & DeadLetters)
  | ({ type: "refused"; mode: Mode } & RefusalGroup)
  | ({ type: "deletions-held" } & SourceWithHeldDeletions)
  | ({ type: "quality-drifted" } & DriftedSource)
  | ({ type: "late" } & LateSource)
  | ({ type: "overdue" } & OverdueSource)
  | ({ type: "collection-suppressed" } & SuppressedCollection)
  | ({ type: "host-paused" } & PausedHost)
  | ({ type: "host-unavailable" } & UnavailableHost)
  | ({ type: "host-overbooked" } & OverbookedHost);

export interface NeedPorts {
  runs: Pick<RunStore, "listUnfinished" | "listLongHarvests" | "openIds" | "stageResult">;
  refusedRecords: Pick<RefusedStore, "reasons">;
  status: Pick<SourceStatusStore, "statuses">;
  heldDeletions: ListHeldDeletions;
  driftedSources: ListDriftedSources;
  suppressedCollections: ListSuppressedCollections;
  unavailableHosts: ListUnavailableHosts;
  pausedHosts: HostPauses["list"];
  busyHosts: Pick<BusyHostStore, "latest">;
  network: { get(): Promise<NetworkState | undefined> };
  /** Returns the queues with dead letters. */
  deadLetters(): Promise<DeadLetters[]>;
  failedMessages: Pick<FailedMessageList, "list">;
  clock: Pick<Clock, "now">;
}

const maxParallelRuns = 4;

/** The maximum number of needs of a kind; a page about the kind lists the others. */
const maxNeedsPerKind = 20;

/** The maximum number of failed messages that are counted; a page lists all of them. */
const maxFailedMessages = 200;

/**
 * Returns the items that need attention now. Overdue sources are those that the last run found, without those that have
 * been delivered since.
 * @param lastRun the last finished live run
 */
export async function findNeeds(lastRun: Run | undefined, ports: NeedPorts): Promise<Need[]> {
  const now = ports.clock.now();
  const [
    network,
    live,
    test,
    failed,
    deadLetters,
    refused,
    held,
    drifted,
    late,
    overdue,
    collections,
    paused,
    hosts,
    overbooked,
  ] = await Promise.all([
    ports.network.get(),
    ports.runs.listUnfinished("LIVE"),
    ports.runs.listUnfinished("TEST"),
    ports.failedMessages.list({ limit: maxFailedMessages }),
    ports.deadLetters(),
    ports.refusedRecords.reasons("LIVE"),
    ports.heldDeletions(maxNeedsPerKind),
    ports.driftedSources(maxNeedsPerKind),
    stillLate(now, ports),
    stillOverdue(lastRun, ports),
    ports.suppressedCollections(maxNeedsPerKind),
    ports.pausedHosts(maxNeedsPerKind),
    ports.unavailableHosts(now, maxNeedsPerKind),
    overbookedHosts(ports.busyHosts),
  ]);
  const first = <Item>(items: Item[]) => items.slice(0, maxNeedsPerKind);
  return [
    ...(network?.state === "down"
      ? [{ type: "network-down" as const, since: network.since, why: network.why }]
      : []),
    ...first([...live, ...test].flatMap(failedRun)),
    ...first(failedMessageGroups(failed)),
    ...first(deadLetters).map((each) => ({ type: "dead-letters" as const, ...each })),
    ...first(refused).map((each) => ({ type: "refused" as const, mode: "LIVE" as const, ...each })),
    ...held.map((each) => ({ type: "deletions-held" as const, ...each })),
    ...drifted.map(({ sourceId, title, drifts }) => ({
      type: "quality-drifted" as const,
      sourceId,
      title,
      fields: drifts.filter(isOpen).map(({ field, now, before }) => ({ field, now, before })),
    })),
    ...first(late).map((each) => ({ type: "late" as const, ...each })),
    ...first(overdue).map((each) => ({ type: "overdue" as const, ...each })),
    ...collections.map((each) => ({ type: "collection-suppressed" as const, ...each })),
    ...paused.map((each) => ({ type: "host-paused" as const, ...each })),
    ...hosts.map((each) => ({ type: "host-unavailable" as const, ...each })),
    ...first(overbooked).map((each) => ({ type: "host-overbooked" as const, ...each })),
  ];
}

/** Groups the latest failed messages by queue, with the reason of the last message. */
function failedMessageGroups(messages: FailedMessageSummary[]): Extract<Need, { type: "failed-messages" }>[] {
  return [...Map.groupBy(messages, ({ queue }) => queue)].map(([queue, own]) => ({
    type: "failed-messages",
    queue,
    messages: own.length,
    reason: own[0]?.reason ?? "",
  }));
}

function failedRun({ state, failure, runId, deliveryMode }: Run): Extract<Need, { type: "run-failed" }>[] {
  if (state !== "failed" || failure === undefined || deliveryMode === "NONE") return [];
  return [{ type: "run-failed", mode: deliveryMode, runId, ...failure }];
}

/** Returns the late sources of live runs that are still being read. */
async function stillLate(now: Date, { runs }: Pick<NeedPorts, "runs">): Promise<LateSource[]> {
  const mode = "LIVE";
  const harvests = (await runs.listLongHarvests(mode)).filter(isLateHarvest);
  const underWay = harvests.filter(
    ({ state, deadlineAt }) => state === "harvesting" && Date.parse(deadlineAt) > now.getTime(),
  );
  const late = await inParallel(underWay, maxParallelRuns, async ({ harvestOf: runId, deadlineAt: until }) =>
    (await runs.openIds(runId, sourcesTallyName)).map(
      (sourceId) => ({ mode, runId, sourceId, until }) as const,
    ),
  );
  return late.flat();
}
