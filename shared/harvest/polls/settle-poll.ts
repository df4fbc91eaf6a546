import { digest } from "../../core/digest.ts";
import type { Completeness } from "../../formats/oai/completeness.ts";
import type { Events } from "../../records/events/events.ts";
import { endLongHarvest, harvestIdOf } from "../../records/runs/long-harvest.ts";
import { acceptsOutcomes, type Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { readingOf } from "../../records/sources/reading.ts";
import type { Source } from "../../records/sources/source.ts";
import { noteDelivery } from "../oai-state/after-list.ts";
import {
  changeHarvestState,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
import { listKeyOf } from "../oai-state/plan-list.ts";

export interface SettlePollPorts {
  runs: Pick<RunStore, "get" | "changeState" | "sourceOutcome">;
  oaiHarvests: OaiHarvestStore;
  events: Events;
}

/** The state of the latest poll of a source. `free` means that no poll is in progress. */
type PollState = { type: "underWay" } | { type: "unstarted" } | { type: "free"; state: OaiHarvestState };

/**
 * Stores how the latest poll of a source has ended, if it has. The readers of the poll cannot store this, because each
 * reader knows only its own listing. A source that is read once is closed if its list was readable. A poll that takes
 * too long is ended. Repeatable.
 */
export async function settlePoll(
  source: Source,
  state: OaiHarvestState,
  at: Date,
  ports: SettlePollPorts,
): Promise<PollState> {
  const { sourceId } = source;
  const { startedBy } = state;
  if (startedBy === undefined) return { type: "free", state };
  const harvestId = harvestIdOf(sourceId, startedBy);
  if (state.last?.harvestId === harvestId) return { type: "free", state };
  const harvest = await ports.runs.get(harvestId);
  if (harvest === undefined || harvest.state === "starting") return { type: "unstarted" };
  const isOver = harvest.state === "harvesting" && Date.parse(harvest.deadlineAt) <= at.getTime();
  if (acceptsOutcomes(harvest) && !isOver) return { type: "underWay" };
  if (isOver) await endLongHarvest(harvestId, ports.runs);
  const completeness = await judgePoll(source, harvest, { isOver }, ports);
  if (completeness.type === "complete" && readingOf(source)?.mode === "synchronous") {
    const changeId = digest("source.closed", sourceId, harvestId);
    const detail = { sourceUri: `/sources/${sourceId}`, sourceId };
    await ports.events.publish({ type: "source.closed", changeId, detail });
  }
  // The interval is measured from start to start, because the duration of the reading is not known.
  const last = { harvestId, completeness, at: startedBy.startedAt };
  const settled = await changeHarvestState(
    sourceId,
    async (now) =>
      now.last?.harvestId === harvestId || now.startedBy?.runId !== startedBy.runId
        ? undefined
        : { ...noteDelivery(now, harvest, completeness), last, listKey: listKeyOf(source) },
    ports.oaiHarvests,
  );
  return { type: "free", state: settled };
}

async function judgePoll(
  { sourceId }: Source,
  { runId }: Run,
  { isOver }: { isOver: boolean },
  { runs }: SettlePollPorts,
): Promise<Completeness> {
  if (isOver) return { type: "interrupted", reason: "it was not read within a day" };
  const outcome = await runs.sourceOutcome(runId, sourceId);
  if (outcome?.state !== "failed") return { type: "complete" };
  return { type: "interrupted", reason: outcome.reason ?? "it could not be read" };
}
