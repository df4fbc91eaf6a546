import { expect } from "vitest";
import { type Journals, throttleMs } from "./journals.ts";

/** Delivers all articles of these journals by one run of the open cloud; no message is left as a dead letter. */
export async function deliverJournals({ hosts, titles }: Journals, signal: AbortSignal): Promise<void> {
  const { storeConfiguration } = await import("../../../local/start/run-delivery.ts");
  const { localGroup } = await import("../../../local/local-group.ts");
  const { messageQueue } = await import("../../../shared/adapters/aws/queues.ts");
  const { deadLetters } = await import("../../../shared/operations/stores/dead-letters.ts");
  const { runStore } = await import("../../../shared/adapters/records/run-store.ts");
  const { followRun } = await import("../../../local/start/follow-run.ts");
  const { buildRunId } = await import("../../../shared/records/runs/run.ts");
  await storeConfiguration(
    hosts.map((host) => ({
      sourceId: `journal-${host.replace(/\W/g, "-")}`,
      title: host,
      type: "RSS" as const,
      url: `http://${host}/feed`,
      groupId: localGroup.groupId,
      deliveryMode: "LIVE" as const,
      throttleMs: throttleMs(host),
    })),
  );
  const start = { deliveryMode: "LIVE" as const, scheduledTime: new Date().toISOString() };
  await messageQueue("runStartsQueue").send(start);
  const { run, totals } = await followRun(buildRunId(start), runStore(), { print: () => {}, signal });
  expect([run.state, totals.delivered]).toEqual(["finished", titles.length]);
  expect(await deadLetters()()).toEqual([]);
}
