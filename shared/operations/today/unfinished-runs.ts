import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { acceptsOutcomes, deliveredModes, type Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { sourcesTallyName } from "../../records/runs/tally-names.ts";
import type { Source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { HostReader } from "../../web/gate/host-reader.ts";
import { describeHost } from "../../web/gate/host-status.ts";
import type { NetworkState } from "../../web/network/probe-network.ts";

/**
 * The cause for which a source waits:
 * - `network`: our own network is down
 * - `paused`: an operator has paused its host
 * - `unavailable`, `back-off` (after errors, or by Retry-After), `delay`: its host may be requested again at `until`
 * - `response`: a request to its host is in progress
 * - `queue`: its next request or response waits for its turn; also used for a source whose articles are on other hosts
 */
export const waitReasons = [
  "network",
  "paused",
  "unavailable",
  "back-off",
  "delay",
  "response",
  "queue",
] as const;

/** A source for which a run waits. */
interface OpenSource {
  sourceId: string;
  title: string;
  /** The host key of the source's address; absent for a source that is no longer configured. */
  hostKey?: string;
  waitsFor: (typeof waitReasons)[number];
  /** The end of the wait at the latest; absent when it is unknown. ISO 8601 in UTC. */
  until?: string;
}

/** A run that still reads its sources, with the sources for which it waits. */
export interface UnfinishedRun extends Pick<Run, "runId" | "startedAt" | "softDeadlineAt" | "deadlineAt"> {
  mode: (typeof deliveredModes)[number];
  openCount: number;
  /** The first of these sources, sorted by id. */
  sources: OpenSource[];
}

export interface UnfinishedRunPorts {
  runs: Pick<RunStore, "listUnfinished" | "get" | "openIds">;
  sources: Pick<SourceStore, "sourcesById">;
  hosts: Pick<HostReader, "state">;
  clock: Pick<Clock, "now">;
}

const maxSources = 20;
const maxParallelHosts = 8;

/**
 * Returns why runs are not finished: the sources for which they wait, with the end of each wait at the latest, if
 * known.
 */
export async function unfinishedRuns(
  network: NetworkState | undefined,
  ports: UnfinishedRunPorts,
): Promise<UnfinishedRun[]> {
  const { runs, clock } = ports;
  const listed = await Promise.all(
    deliveredModes.map(async (mode) =>
      (await runs.listUnfinished(mode)).map(({ runId }) => ({ mode, runId })),
    ),
  );
  const found = await Promise.all(
    listed.flat().map(async ({ mode, runId }) => ({ mode, run: await runs.get(runId) })),
  );
  const reading = found.flatMap(({ mode, run }) => (acceptsOutcomes(run) ? [{ mode, run }] : []));
  return Promise.all(
    reading.map(async ({ mode, run: { runId, startedAt, softDeadlineAt, deadlineAt } }) => {
      const open = (await runs.openIds(runId, sourcesTallyName)).toSorted();
      const shown = open.slice(0, maxSources);
      const { sources, unusable } = await ports.sources.sourcesById(shown);
      const titles = new Map([...sources, ...unusable].map((each) => [each.sourceId, each.title]));
      const byId = new Map(sources.map((source) => [source.sourceId, source]));
      const described = await inParallel(shown, maxParallelHosts, async (sourceId) => ({
        sourceId,
        title: titles.get(sourceId) ?? sourceId,
        ...(await waitOf(byId.get(sourceId), { network, now: clock.now() }, ports)),
      }));
      return {
        runId,
        mode,
        startedAt,
        ...(softDeadlineAt !== undefined && { softDeadlineAt }),
        deadlineAt,
        openCount: open.length,
        sources: described,
      };
    }),
  );
}

async function waitOf(
  source: Source | undefined,
  { network, now }: { network: NetworkState | undefined; now: Date },
  { hosts }: Pick<UnfinishedRunPorts, "hosts">,
): Promise<Pick<OpenSource, "hostKey" | "waitsFor" | "until">> {
  const hostKey = source === undefined || URL.parse(source.url) === null ? undefined : hostKeyOf(source.url);
  const known = hostKey === undefined ? {} : { hostKey };
  if (network?.state === "down") return { ...known, waitsFor: "network" };
  const state = hostKey === undefined ? undefined : await hosts.state(hostKey);
  if (state === undefined) return { ...known, waitsFor: "queue" };
  const { paused, unavailable, nextAllowedAt, waitReason, leasedUntil } = describeHost(state, now);
  if (paused !== undefined) return { ...known, waitsFor: "paused" };
  const [first] = unavailable;
  if (first !== undefined) return { ...known, waitsFor: "unavailable", until: first.until };
  if (nextAllowedAt !== undefined)
    return { ...known, waitsFor: waitReason === "delay" ? "delay" : "back-off", until: nextAllowedAt };
  if (leasedUntil !== undefined) return { ...known, waitsFor: "response" };
  return { ...known, waitsFor: "queue" };
}
