import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import type { Run } from "../../shared/records/runs/run.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let site: DemoSite;
beforeAll(async () => {
  site = await startDemoSite();
  await testCloud(stateFolder(), { allowedPrivateHosts: [new URL(site.origin).host] });
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)]);
});
afterAll(() => site.close());

const sourceId = "demo-journal";
const day = 86_400_000;

describe("npm start after a run that broke off when its sources were read", () => {
  it.each<[string, Pick<Run, "state" | "failure">, number]>([
    [
      "at its delivery",
      { state: "failed", failure: { stage: "validate", reason: "no", at: "2026-11-19T19:00:00.000Z" } },
      day,
    ],
    ["at its harvest, a day ago", { state: "harvesting" }, -day],
  ])("%s → that is finished, and the source harvested again", async (when, run, deadlineInMs) => {
    const { runDelivery } = await import("../../local/start/run-delivery.ts");
    const { runStore } = await import("../../shared/adapters/records/run-store.ts");
    const runs = runStore();
    const now = Date.now();
    const runId = `live-${when.length}`;
    const startedAt = new Date(now - day).toISOString();
    await runs.create({
      ...run,
      runId,
      deliveryMode: "LIVE",
      startedAt,
      deadlineAt: new Date(now + deadlineInMs).toISOString(),
    });
    const listing = { sourceId, title: "J", entries: 0, known: {}, requested: 0, dropped: [] };
    await runs.saveListingOutcome(runId, "start", { ...listing, state: "read" });
    const { signal } = new AbortController();
    const reports = await runDelivery([{ sourceId }], { print: () => {}, signal });
    expect(reports).toMatchObject([
      { run: { runId, state: "finished" } },
      { run: { state: "finished" }, sources: [{ sourceId, entries: 12 }] },
    ]);
    expect(await runs.listUnfinished("LIVE")).toEqual([]);
  });
});

it("npm start after a delivery that was killed → it is finished, and nothing is harvested again", async () => {
  const { runDelivery } = await import("../../local/start/run-delivery.ts");
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { stageQueues } = await import("../../shared/adapters/aws/queues.ts");
  const runs = runStore();
  const startedAt = new Date().toISOString();
  const deadlineAt = new Date(Date.now() + day).toISOString();
  await runs.create({ runId: "killed", deliveryMode: "LIVE", state: "delivering", startedAt, deadlineAt });
  const listing = { sourceId, title: "J", entries: 3, known: {}, requested: 0, dropped: [] };
  await runs.saveListingOutcome("killed", "start", { ...listing, state: "read" });
  // As the killed process has left it in the queue.
  await stageQueues().validate.send({ runId: "killed" });
  const { signal } = new AbortController();
  const reports = await runDelivery([{ sourceId }], { print: () => {}, signal });
  expect(reports).toMatchObject([{ run: { runId: "killed", state: "finished" }, sources: [{ entries: 3 }] }]);
});
