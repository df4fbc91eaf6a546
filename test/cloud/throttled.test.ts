import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type Journals, startJournals, throttleMs } from "./chaos/journals.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const limit = 3;
const size = { journals: 6, articles: 8 };
let journals: Journals;
let cloud: LocalCloud;
let throttles = 0;

beforeAll(async () => {
  journals = await startJournals(size);
  cloud = await testCloud(stateFolder(), {
    allowedPrivateHosts: journals.hosts,
    concurrency: { limit, onThrottle: () => void throttles++ },
  });
});
afterAll(() => journals.provider.close());

it(`an account that runs ${limit} functions at once → all articles are delivered, and nothing is a dead letter`, async ({
  signal,
}) => {
  const { storeConfiguration } = await import("../../local/run-delivery.ts");
  const { localGroup } = await import("../../local/seed.ts");
  const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { deadLetters } = await import("../../shared/adapters/aws/dead-letters.ts");
  const { runStore } = await import("../../shared/adapters/aws/harvest/run-store.ts");
  const { followRun } = await import("../../local/follow-run.ts");
  const { buildRunId } = await import("../../shared/runs/run.ts");
  await storeConfiguration(
    journals.hosts.map((host) => ({
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
  expect([run.state, totals.delivered]).toEqual(["finished", size.journals * size.articles]);
  expect(throttles).toBeGreaterThan(10);
  expect(await deadLetters()()).toEqual([]);
});

it("the API, when a function is throttled → 503, as it does on AWS", async () => {
  await cloud.waitUntilIdle();
  const answers = await Promise.all(
    Array.from({ length: 4 * limit }, async () => (await fetch(`${cloud.apiUrl}/records/none`)).status),
  );
  expect(new Set(answers)).toEqual(new Set([404, 503]));
});
