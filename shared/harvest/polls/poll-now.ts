import type { Clock } from "../../core/clock.ts";
import { harvestIdOf } from "../../records/runs/long-harvest.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { isOff, readingOf } from "../../records/sources/reading.ts";
import type { Source, StoredSource } from "../../records/sources/source.ts";
import { claimSource } from "../oai/start.ts";
import type { OaiHarvestState } from "../oai-state/harvest-state.ts";
import { type SettlePollPorts, settlePoll } from "./settle-poll.ts";

interface PollNowPorts extends SettlePollPorts {
  runs: RunStore;
  clock: Clock;
}

/** A poll of a source that is being read, or that the next run of `poll-sources` will start to read. */
interface PollOfSource extends Pick<Run, "startedAt"> {
  harvestId: string;
  state: "requested" | "harvesting";
}

/**
 * Returns why a source cannot be polled on request, and how it is read instead.
 * @returns undefined when it can be polled
 */
export function whyNotPolled(source: StoredSource): string | undefined {
  const { type } = source;
  if (type === "UPLOAD") return "has the type UPLOAD, and is not polled: POST /documents gives it documents";
  if (isOff(source))
    return `has the type ${type} and the deliveryMode NONE, and is not polled: POST /sources/{id}/preview reads it without a delivery`;
  if (readingOf(source) === undefined)
    return `has the type ${type} and no \`reading\`, and is not polled: POST /runs reads it now, with the other sources`;
  return undefined;
}

/**
 * Claims a source for a poll that an operator requests, unless a poll is in progress. The next run of `poll-sources`
 * finds the claimed source without a harvest, and starts the harvest. Repeatable.
 */
export async function pollNow(source: Source, ports: PollNowPorts): Promise<PollOfSource> {
  const { sourceId, deliveryMode } = source;
  const at = ports.clock.now();
  const known = await ports.oaiHarvests.get(sourceId);
  if (known !== undefined) await settlePoll(source, known, at, ports);
  const startedAt = at.toISOString();
  const wanted = { runId: `operator-${startedAt.replaceAll(/[-:.]/g, "")}`, deliveryMode, startedAt };
  const { startedBy = wanted } = await claimSource(sourceId, wanted, ports);
  const harvestId = harvestIdOf(sourceId, startedBy);
  const harvest = await ports.runs.get(harvestId);
  const state = harvest === undefined ? "requested" : "harvesting";
  return { harvestId, startedAt: startedBy.startedAt, state };
}

/**
 * Returns the poll of a source that is claimed and has not begun.
 * @returns undefined when there is none
 */
export async function requestedPoll(
  { sourceId, startedBy, last }: OaiHarvestState,
  { runs }: { runs: Pick<RunStore, "get"> },
): Promise<PollOfSource | undefined> {
  if (startedBy === undefined) return undefined;
  const harvestId = harvestIdOf(sourceId, startedBy);
  if (last?.harvestId === harvestId || (await runs.get(harvestId)) !== undefined) return undefined;
  return { harvestId, startedAt: startedBy.startedAt, state: "requested" };
}
