import type { Clock } from "../../core/clock.ts";
import { endLongHarvest, harvestIdOf } from "../../records/runs/long-harvest.ts";
import { acceptsOutcomes, type Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import {
  changeHarvestState,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
import { fileHoldsOf } from "../oai-state/held-deletions.ts";
import { startOaiHarvest } from "./start.ts";

export interface ControlHarvestPorts {
  runs: RunStore;
  requests: RequestQueue;
  oaiHarvests: OaiHarvestStore;
  clock: Clock;
}

/** The harvest of a source that is in progress; undefined when there is none. */
export async function harvestUnderWay(
  sourceId: string,
  { startedBy }: Pick<OaiHarvestState, "startedBy">,
  { runs }: Pick<ControlHarvestPorts, "runs">,
): Promise<Run | undefined> {
  const harvest = startedBy && (await runs.get(harvestIdOf(sourceId, startedBy)));
  return acceptsOutcomes(harvest) ? harvest : undefined;
}

/**
 * Starts a harvest of a source now, unless one is in progress.
 * @param options.isFull reads the whole list, whatever was read before, and forgets sizes that the repository states
 * wrongly
 * @returns the harvest in progress
 */
export async function startHarvestNow(
  source: Source,
  group: Group,
  { isFull }: { isFull: boolean },
  ports: ControlHarvestPorts,
): Promise<Run> {
  const { sourceId, deliveryMode } = source;
  if (isFull) {
    await changeHarvestState(
      sourceId,
      async ({ miscounts: _forgotten, ...state }) => ({ ...state, isFullWanted: true }),
      ports.oaiHarvests,
    );
  }
  const startedAt = ports.clock.now().toISOString();
  const start = { runId: `operator-${startedAt.replaceAll(/[-:.]/g, "")}`, deliveryMode, startedAt };
  return startOaiHarvest(source, group, start, ports);
}

/**
 * Ends the harvest of a source that is in progress. What it has found is kept and delivered; the next harvest lists
 * again from where this one began: a poll starts it when the source's interval is over, or an operator.
 * @param options.isCancelled no delivery takes what it has found and not delivered yet; documents and their events stay
 * @returns whether one was in progress
 */
export async function stopHarvest(
  sourceId: string,
  ports: Pick<ControlHarvestPorts, "runs" | "oaiHarvests" | "clock">,
  { isCancelled = false } = {},
): Promise<boolean> {
  const state = await ports.oaiHarvests.get(sourceId);
  const harvest = state && (await harvestUnderWay(sourceId, state, ports));
  if (harvest === undefined) return false;
  const { runId: harvestId } = harvest;
  const completeness = {
    type: "interrupted" as const,
    reason: `${isCancelled ? "cancelled" : "stopped"} by an operator`,
  };
  const at = ports.clock.now().toISOString();
  const last = { harvestId, completeness, at, isStopped: true as const };
  // First: a poll must not take the ended harvest for one that is retried.
  await changeHarvestState(
    sourceId,
    async (now) => (now.last?.harvestId === harvestId ? undefined : { ...now, last }),
    ports.oaiHarvests,
  );
  if (isCancelled) {
    await ports.runs.changeState(harvestId, ["starting", "harvesting"], {
      state: "finished",
      finishedAt: at,
    });
  } else await endLongHarvest(harvestId, ports.runs);
  return true;
}

/**
 * Ends the harvest of a source that was deleted, and forgets what was read: the same source, added again, is read
 * again. Repeatable: harvests that have started since belong to the source that was added again.
 * @param deletedAt when it was deleted. ISO 8601 in UTC
 */
export async function endHarvests(
  sourceId: string,
  deletedAt: string,
  { runs, oaiHarvests }: Pick<ControlHarvestPorts, "runs" | "oaiHarvests">,
): Promise<void> {
  const isOfLater = ({ startedBy }: OaiHarvestState) =>
    startedBy !== undefined && Date.parse(startedBy.startedAt) > Date.parse(deletedAt);
  const state = await oaiHarvests.get(sourceId);
  if (state !== undefined && isOfLater(state)) return;
  await changeHarvestState(
    fileHoldsOf(sourceId),
    async ({ heldDeletions, releasedDeletions, droppedMark, ...others }) =>
      (heldDeletions ?? releasedDeletions ?? droppedMark) === undefined ? undefined : others,
    oaiHarvests,
  );
  if (state === undefined) return;
  const harvest = await harvestUnderWay(sourceId, state, { runs });
  if (harvest !== undefined) await endLongHarvest(harvest.runId, runs);
  // Its revision stays: a late writer must not take the next state for the one that it has read.
  await changeHarvestState(
    sourceId,
    async (now) => {
      const { revision, ...known } = now;
      return Object.keys(known).length > 1 && !isOfLater(now) ? { sourceId, revision } : undefined;
    },
    oaiHarvests,
  );
}

/** The harvests of sources, for those who delete sources. */
export function harvestsOf(ports: Parameters<typeof endHarvests>[2]): {
  end(sourceId: string, deletedAt: string): Promise<void>;
} {
  return { end: (sourceId, deletedAt) => endHarvests(sourceId, deletedAt, ports) };
}
