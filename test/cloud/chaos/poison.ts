import { scheduler } from "node:timers/promises";
import { messageQueue } from "../../../shared/adapters/aws/queues.ts";
import { hostPauses } from "../../../shared/adapters/gate/host-pauses.ts";
import { runStore } from "../../../shared/adapters/records/run-store.ts";
import { responsesVariable } from "../../../shared/names.ts";
import { sourceTallyName } from "../../../shared/records/runs/tally-names.ts";

/** Pauses the host of a source, so that a run waits for it. */
export async function holdHost(host: string): Promise<void> {
  await hostPauses().set(host, { since: new Date().toISOString(), by: "chaos", reason: "it is poisoned" });
}

/** Sends, as the answer of a held host, a response that no function can process: its body is lost. */
export async function sendPoison({ host, sourceId }: { host: string; sourceId: string }): Promise<void> {
  const { runId, requestId } = await openRequest(sourceId);
  const url = `http://${host}/feed`;
  const outcome = { type: "answered", status: 200, url, hops: [], headers: {}, elapsedMs: 1 };
  await messageQueue(responsesVariable("feed")).send({
    request: { id: requestId, kind: "feed", url, context: { runId, sourceId } },
    outcome: { ...outcome, bodyKey: "bodies/lost" },
  });
}

/** The request of a source that a run waits for. */
async function openRequest(sourceId: string): Promise<{ runId: string; requestId: string }> {
  const runs = runStore();
  for (;;) {
    for (const { runId } of await runs.listUnfinished("LIVE")) {
      const [requestId] = await runs.openIds(runId, sourceTallyName(sourceId));
      if (requestId !== undefined) return { runId, requestId };
    }
    await scheduler.wait(200);
  }
}
