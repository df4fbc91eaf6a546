import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { OaiHarvestStore } from "../shared/harvest/oai-state/harvest-state.ts";

/** Starts the repository of `oai.ts` in a separate process, which the caller must kill. */
export async function startRepository() {
  const process = fork(join(import.meta.dirname, "oai.ts"), ["serve"]);
  const [port] = (await once(process, "message")) as [number];
  return { process, url: `http://127.0.0.1:${port}/oai` };
}

/**
 * Stores an OAI-PMH source with this number of records in the open cloud. @returns a function that starts its
 * harvest
 */
export async function storeOaiSource({
  sourceId,
  url,
  records,
  throttleMs,
}: {
  sourceId: string;
  url: string;
  records: number;
  throttleMs: number;
}): Promise<{ oaiHarvests: OaiHarvestStore; start(): Promise<unknown> }> {
  // Loaded late, because these modules read environment variables that are set when the cloud is opened.
  const { storeConfiguration } = await import("../local/start/run-delivery.ts");
  const { localGroup } = await import("../local/local-group.ts");
  const { oaiHarvestStore } = await import("../shared/harvest/stores/oai-harvest-store.ts");
  const { runStore } = await import("../shared/adapters/records/run-store.ts");
  const { requestsQueue } = await import("../shared/adapters/aws/queues.ts");
  const { systemClock } = await import("../shared/core/clock.ts");
  const { startHarvestNow } = await import("../shared/harvest/oai/control-harvest.ts");
  const { group } = await import("../shared/records/sources/group.ts");
  const { source } = await import("../shared/records/sources/source.ts");
  const wanted = {
    sourceId,
    title: "Measured",
    type: "OAI-PMH" as const,
    url,
    groupId: localGroup.groupId,
    deliveryMode: "TEST" as const,
    throttleMs,
    oai: { set: String(records) },
  };
  await storeConfiguration([wanted]);
  const oaiHarvests = oaiHarvestStore();
  const ports = { runs: runStore(), requests: requestsQueue(), oaiHarvests, clock: systemClock };
  return {
    oaiHarvests,
    start: () => startHarvestNow(source.parse(wanted), group.parse(localGroup), { isFull: false }, ports),
  };
}
