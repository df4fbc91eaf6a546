import { beforeAll, expect, it } from "vitest";
import { inParallel } from "../../shared/core/in-parallel.ts";
import type { ListDriftedSources } from "../../shared/deliver/quality/quality-store.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

/** The requests to DynamoDB. */
const requests: string[] = [];
let list: ListDriftedSources;

const since = "2026-11-20T19:00:00.000Z";
const drift = {
  ...{ driftId: "d", field: "abstract" as const, foundIn: "r", foundAt: since },
  ...{ now: { has: 3, of: 40 }, before: { has: 38, of: 40 } },
};

beforeAll(async () => {
  await testCloud(stateFolder(), { polling: false });
  const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
  const { driftedSources, qualityStore } = await import("../../shared/deliver/stores/quality-store.ts");
  const quality = qualityStore();
  const sources = Array.from({ length: 641 }, (_, at) => at);
  await inParallel(sources, 16, async (at) => {
    const day = String((at % 28) + 1).padStart(2, "0");
    const drifts = at < 25 ? [{ ...drift, since: `2026-11-${day}T19:00:00.000Z` }] : [];
    await quality.saveDrifts({ sourceId: `s${at}`, title: "J", judged: since, revision: 1, drifts });
  });
  list = driftedSources();
  dynamodb.middlewareStack.add(
    (next, { commandName = "" }) =>
      (args) => {
        requests.push(commandName);
        return next(args);
      },
    { step: "initialize" },
  );
});

it("641 sources, of which 25 have drifted → the latest twenty for Today, by one query", async () => {
  const found = await list(20);
  expect(found.map(({ drifts: [first] }) => first?.since.slice(8, 10))).toEqual(
    Array.from({ length: 20 }, (_, at) => String(25 - at).padStart(2, "0")),
  );
  expect(requests).toEqual(["QueryCommand"]);
});
