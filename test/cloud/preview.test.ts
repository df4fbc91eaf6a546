import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import { tableNames } from "../../shared/names.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
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

async function ask(method: string, path: string) {
  const authorization = `Bearer ${await cloud.issueToken({ sub: "operator@localhost" })}`;
  const answer = await fetch(cloud.apiUrl + path, { method, headers: { authorization } });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
}

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
