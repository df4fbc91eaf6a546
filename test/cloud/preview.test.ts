import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import { tableNames } from "../../shared/names.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";
import { itemsOf } from "./stored-contents.ts";

let cloud: LocalCloud;
let site: DemoSite;

beforeAll(async () => {
  site = await startDemoSite();
  cloud = await testCloud(stateFolder(), { allowedPrivateHosts: [new URL(site.origin).host] });
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([{ ...demoSource(site.feedUrl), deliveryMode: "NONE" }]);
});
afterAll(() => site.close());

const ask = (method: string, path: string, body?: object) =>
  new Operator(cloud).ask<ReturnType<typeof JSON.parse>>(method, path, body);

it("a preview of a source that is switched off → its newest records; none is stored, archived or delivered", async () => {
  const { status, body } = await ask("POST", "/sources/demo-journal/preview?items=2");
  expect([status, body.status]).toEqual([202, "starting"]);
  await cloud.waitUntilIdle();
  const preview = await ask("GET", body.result ?? "");
  expect(preview.status).toBe(200);
  const { records = [], missed = [], ...rest } = preview.body as Record<string, unknown[]>;
  expect(rest).toMatchObject({ status: "finished", source: { entries: 12, requested: 2 } });
  expect(records[0]).toMatchObject({
    outcome: "valid",
    findings: [],
    record: { control: expect.any(Array) },
  });
  expect(records.length + missed.length).toBe(2);
  for (const table of [tableNames.records, tableNames.archive, tableNames.deliveries]) {
    expect(await itemsOf(table), table).toEqual([]);
  }
});

it("the same source as an operator would add it → polls read each of its articles once, and keep its record", async () => {
  const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
  const added = { kind: "source" as const, id: "demo-journal" };
  const before = await configurationStore().item(added);
  if (before === undefined) throw new Error("the source is not stored");
  await configurationStore().replace(
    {
      ...before,
      value: { ...before.value, reading: { mode: "asynchronous", everyMinutes: 60 } },
      addedBy: "api",
    },
    before,
  );
  const poll = async (time: string) => {
    const summary = await cloud.invoke("ingather-poll-sources", { time });
    await cloud.waitUntilIdle();
    return summary;
  };
  // A time to come counts as now.
  const earlier = new Date(Date.now() - 2 * 3_600_000).toISOString();
  expect(await poll(earlier)).toMatchObject({ started: ["demo-journal"], failed: [] });
  const records = await itemsOf(tableNames.records);
  expect(records.length).toBeGreaterThan(5);
  expect(new Set(records.map(({ deliveryMode }) => deliveryMode))).toEqual(new Set(["NONE"]));
  const keys = await itemsOf(tableNames.archive);
  expect(keys.filter(({ key }) => !String(key).startsWith("read:"))).toEqual([]);
  expect(await poll(new Date().toISOString())).toMatchObject({ started: ["demo-journal"] });
  expect(await itemsOf(tableNames.records)).toEqual(records);
  expect(await itemsOf(tableNames.deliveries)).toEqual([]);
});
