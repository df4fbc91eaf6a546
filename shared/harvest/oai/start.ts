import { closeSource } from "../../records/runs/completion.ts";
import { harvestIdOf, startLongHarvest } from "../../records/runs/long-harvest.ts";
import { acceptsOutcomes, type Run } from "../../records/runs/run.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";
import { type StartSource, type StartSourcePorts, startListings } from "../listing/start-listings.ts";
import {
  changeHarvestState,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
import { planList } from "../oai-state/plan-list.ts";
import { requestPolicyFor } from "../request-policy.ts";
import { beginList } from "./list-parts.ts";
import { buildOaiRequest } from "./oai-requests.ts";

/**
 * OAI-PMH: starts a long harvest, which the run waits for until its deadline. A run does not wait for a harvest that an
 * earlier start began. A preview reads the list itself. Read by `read-oai-response.ts`.
 */
export const startOai: StartSource = async (source, context, ports) => {
  const { run, group, requestPolicy } = context;
  const { sourceId } = source;
  if (run.deliveryMode === "NONE") {
    const plan = planList(source, { state: undefined, identity: undefined, now: new Date(run.startedAt) });
    const list = beginList(plan);
    const request = buildOaiRequest(source, { runId: run.runId, place: 0, list }, requestPolicy);
    return startListings([request], source, context, ports);
  }
  const harvest = await startOaiHarvest(source, group, run, ports);
  // The reader of the last page closes the source in the run that began its harvest.
  const isWaiting = harvest.runId === harvestIdOf(sourceId, run) && acceptsOutcomes(harvest);
  if (!isWaiting) await closeSource(run.runId, sourceId, ports);
  return { type: "started" };
};

/**
 * Starts the harvest of a source unless one is in progress, however many start it at once. A start that was killed is
 * finished by the next one.
 * @param start the run, or the poll, by which it starts
 * @returns the harvest that is in progress
 */
export async function startOaiHarvest(
  source: Source,
  group: Group,
  start: Pick<Run, "runId" | "deliveryMode" | "startedAt">,
  ports: Pick<StartSourcePorts, "runs" | "requests"> & { oaiHarvests: OaiHarvestStore },
): Promise<Run> {
  const { sourceId, oai } = source;
  const { startedBy = start } = await claimSource(sourceId, start, ports);
  return startLongHarvest(
    sourceId,
    startedBy,
    (harvest) =>
      buildOaiRequest(
        source,
        { runId: harvest.runId, place: 0, deliveryRunId: startedBy.runId },
        requestPolicyFor(source, group, harvest),
      ),
    ports,
    { joinsWhenComplete: oai.deliver === "complete-lists" },
  );
}

/** Claims the source for this start, unless the harvest of another one is in progress. */
export function claimSource(
  sourceId: string,
  { runId, deliveryMode, startedAt }: Pick<Run, "runId" | "deliveryMode" | "startedAt">,
  { runs, oaiHarvests }: Pick<StartSourcePorts, "runs"> & { oaiHarvests: OaiHarvestStore },
): Promise<OaiHarvestState> {
  const startedBy = { runId, deliveryMode, startedAt };
  return changeHarvestState(
    sourceId,
    async (state) => {
      if (state.startedBy === undefined) return { ...state, startedBy };
      const harvest = await runs.get(harvestIdOf(sourceId, state.startedBy));
      // A start that was killed before it created its harvest is finished first.
      return harvest === undefined || acceptsOutcomes(harvest) ? undefined : { ...state, startedBy };
    },
    oaiHarvests,
  );
}
