import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { deliverJournals } from "./chaos/deliver-journals.ts";
import { type Journals, startJournals } from "./chaos/journals.ts";
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

it(`functions-throttled: an account that runs ${limit} functions at once → all articles are delivered, and nothing is a dead letter`, async ({
  signal,
}) => {
  await deliverJournals(journals, signal);
  expect(throttles).toBeGreaterThan(10);
});

it("the API, when a function is throttled → 503, as it does on AWS", async () => {
  await cloud.waitUntilIdle();
  const answers = await Promise.all(
    Array.from({ length: 4 * limit }, async () => (await fetch(`${cloud.apiUrl}/records/none`)).status),
  );
  expect(new Set(answers)).toEqual(new Set([404, 503]));
});
