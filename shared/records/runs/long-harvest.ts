import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";
import { sourcesTallyName, sourceTallyName } from "./tally-names.ts";

/**
 * A long harvest is a separate run that outlives deliveries. It reads one source whose list may take days. Each
 * delivery of its mode takes the documents found so far, or waits until the list has been read, depending on the
 * settings of the source. States: `harvesting`; `delivering`, when its list is complete or its time has run out;
 * `finished`, when a delivery has taken the last documents.
 */
const defaultMaxDays = 60;

interface LongHarvestPorts {
  runs: RunStore;
  requests: RequestQueue;
}

/**
 * Starts a long harvest of a source, unless one is in progress. If an earlier start was interrupted, a repeated start
 * completes it.
 * @param delivery the run whose start begins the harvest
 * @param buildFirstRequest builds the request for the first page of the list, counted in the given run
 * @param options.joinsWhenComplete whether deliveries take its documents only after its list has been read
 * @returns the harvest that is in progress
 */
export async function startLongHarvest(
  sourceId: string,
  delivery: Pick<Run, "runId" | "deliveryMode" | "startedAt">,
  buildFirstRequest: (harvest: Run) => NewRequest,
  { runs, requests }: LongHarvestPorts,
  { joinsWhenComplete = false } = {},
): Promise<Run> {
  const { deliveryMode, startedAt } = delivery;
  const unfinished = await runs.listLongHarvests(deliveryMode);
  const underWay = unfinished.find(
    ({ harvestOf, state }) => harvestOf === sourceId && state === "harvesting",
  );
  if (underWay !== undefined) return underWay;
  const runId = harvestIdOf(sourceId, delivery);
  const harvest = await createLongHarvest(
    runId,
    { sourceId, deliveryMode, startedAt, joinsWhenComplete },
    runs,
  );
  if (harvest.state !== "starting") return harvest;
  const request = buildFirstRequest(harvest);
  await runs.updateTally(runId, sourcesTallyName, { opened: [sourceId] });
  await runs.updateTally(runId, sourceTallyName(sourceId), { opened: [request.id] });
  await requests.send([request]);
  await runs.changeState(runId, ["starting"], { state: "harvesting" });
  return { ...harvest, state: "harvesting" };
}

/**
 * Creates a long harvest unless it exists.
 * @returns the stored harvest
 */
export function createLongHarvest(
  runId: string,
  {
    sourceId,
    deliveryMode,
    startedAt,
    joinsWhenComplete,
    maxDays = defaultMaxDays,
  }: Pick<Run, "deliveryMode" | "startedAt"> & {
    sourceId: string;
    joinsWhenComplete: boolean;
    maxDays?: number;
  },
  runs: Pick<RunStore, "create">,
): Promise<Run> {
  return runs.create({
    runId,
    harvestOf: sourceId,
    ...(joinsWhenComplete && { joinsWhenComplete }),
    deliveryMode,
    state: "starting",
    startedAt,
    deadlineAt: new Date(Date.parse(startedAt) + maxDays * dayMs).toISOString(),
  });
}

/** Ends a long harvest, so that the next delivery takes its last documents. */
export async function endLongHarvest(runId: string, runs: Pick<RunStore, "changeState">): Promise<void> {
  await runs.changeState(runId, ["starting", "harvesting"], { state: "delivering" });
}

/**
 * Returns the long harvests that a delivery joins, in their current state. A harvest whose time has run out is ended.
 */
export async function longHarvestsToJoin(
  { deliveryMode }: Pick<Run, "deliveryMode">,
  { runs, clock }: { runs: RunStore; clock: Pick<Clock, "now"> },
): Promise<Run[]> {
  if (deliveryMode === "NONE") return [];
  const harvests: Run[] = [];
  for (const { runId, deadlineAt } of await runs.listLongHarvests(deliveryMode)) {
    if (Date.parse(deadlineAt) <= clock.now().getTime()) await endLongHarvest(runId, runs);
    // The list may be out of date.
    const harvest = await runs.get(runId);
    if (harvest !== undefined && isToJoin(harvest)) harvests.push(harvest);
  }
  return harvests;
}

/** Returns the id of the harvest that a start begins. */
export function harvestIdOf(sourceId: string, { runId }: Pick<Run, "runId">): string {
  return `harvest-${sourceId}-${runId}`;
}

function isToJoin({ state, joinsWhenComplete }: Run): boolean {
  return joinsWhenComplete ? state === "delivering" : state !== "finished";
}
