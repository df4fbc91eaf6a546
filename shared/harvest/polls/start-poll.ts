import { closeSource } from "../../records/runs/completion.ts";
import { createLongHarvest, harvestIdOf } from "../../records/runs/long-harvest.ts";
import { failedSourceOutcome, type Run } from "../../records/runs/run.ts";
import { sourcesTallyName } from "../../records/runs/tally-names.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";
import { noDelivery } from "../listing/no-delivery.ts";
import type { StartSourcePorts } from "../listing/start-listings.ts";
import { claimSource } from "../oai/start.ts";
import { requestPolicyFor } from "../request-policy.ts";
import { startByType } from "../source-types.ts";

export type StartPollPorts = Omit<StartSourcePorts, "delivery">;

/**
 * The maximum duration of a poll in days. After this time, the source is polled again even if responses are missing.
 */
const maxDays = 1;

/** The listing under which a start stores its outcome, before any response has been read. */
const startListingId = "start";

/**
 * Reads a source of any type except OAI-PMH in a separate harvest, unless one is in progress. If a start was
 * interrupted, the next start completes it. Deliveries take the source's records as they arrive.
 */
export async function startPoll(
  source: Source,
  group: Group,
  start: Pick<Run, "runId" | "deliveryMode" | "startedAt">,
  ports: StartPollPorts,
): Promise<Run> {
  const { sourceId, type } = source;
  const { startedBy = start } = await claimSource(sourceId, start, ports);
  const { deliveryMode, startedAt } = startedBy;
  const runId = harvestIdOf(sourceId, startedBy);
  const wanted = { sourceId, deliveryMode, startedAt, joinsWhenComplete: false, maxDays };
  const harvest = await createLongHarvest(runId, wanted, ports.runs);
  if (harvest.state !== "starting") return harvest;
  await ports.runs.updateTally(runId, sourcesTallyName, { opened: [sourceId] });
  const requestPolicy = requestPolicyFor(source, group, harvest);
  const context = { run: harvest, group, requestPolicy, listingId: startListingId };
  const result = await startByType[type](source, context, { ...ports, delivery: noDelivery });
  if (result.type === "problem") {
    const failed = failedSourceOutcome(source, result.problem);
    await ports.runs.saveListingOutcome(runId, startListingId, failed);
    await closeSource(runId, sourceId, { ...ports, delivery: noDelivery });
  }
  await ports.runs.changeState(runId, ["starting"], { state: "harvesting" });
  return harvest;
}
