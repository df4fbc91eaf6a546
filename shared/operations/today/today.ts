import type { Share } from "../../links/sweep/estimate.ts";
import type { LinkSamples } from "../../links/sweep/link-samples.ts";
import { dailyRunHour } from "../../names.ts";
import { deliveredModes, type Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { NetworkState } from "../../web/network/probe-network.ts";
import { findNeeds, type Need, type NeedPorts } from "./needs.ts";
import { nextDaily } from "./next-runs.ts";
import { type UnfinishedRun, type UnfinishedRunPorts, unfinishedRuns } from "./unfinished-runs.ts";

export interface TodayPorts extends NeedPorts, Omit<UnfinishedRunPorts, "runs" | "clock"> {
  runs: NeedPorts["runs"] & UnfinishedRunPorts["runs"] & Pick<RunStore, "listLatest">;
  samples: Pick<LinkSamples, "overall">;
  /** The IANA time zone of the daily schedules. */
  timeZone: string;
}

/** The state of the whole system, with the tasks that need a person. */
interface Today {
  needs: Need[];
  network: Pick<NetworkState, "state"> & Partial<Pick<NetworkState, "since" | "why">>;
  /**
   * The share of dead links over all collections, according to the last daily report. Absent before the first sample.
   */
  links?: Share;
  /** The last live runs, newest first, including those in progress. */
  runs: Run[];
  /** The runs that still read sources, with these sources. */
  unfinished: UnfinishedRun[];
  /** ISO 8601, UTC. */
  nextRuns: { mode: (typeof deliveredModes)[number]; at: string }[];
}

/** The maximum number of runs: one per day for a month, and some that operators started. */
const maxRuns = 40;

export async function readToday(ports: TodayPorts): Promise<Today> {
  const runs = await ports.runs.listLatest("LIVE", { limit: maxRuns });
  const lastRun = runs.find(({ state }) => state === "finished");
  const [needs, network, links] = await Promise.all([
    findNeeds(lastRun, ports),
    ports.network.get(),
    ports.samples.overall(),
  ]);
  const unfinished = await unfinishedRuns(network, ports);
  const at = nextDaily(dailyRunHour, ports.timeZone, ports.clock.now()).toISOString();
  return {
    needs,
    network:
      network === undefined
        ? { state: "up" }
        : { state: network.state, since: network.since, why: network.why },
    ...(links !== undefined && links.judged > 0 && { links }),
    runs,
    unfinished,
    nextRuns: deliveredModes.map((mode) => ({ mode, at })),
  };
}
