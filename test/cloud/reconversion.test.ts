import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

let cloud: LocalCloud;
let site: DemoSite;

beforeAll(async () => {
  site = await startDemoSite();
  cloud = await testCloud(stateFolder(), { allowedPrivateHosts: [new URL(site.origin).host] });
  const { storeConfiguration, runDelivery } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)]);
  const { signal } = new AbortController();
  await runDelivery([{ sourceId: "demo-journal" }], { print: () => {}, signal });
  await cloud.waitUntilIdle();
});
afterAll(() => site.close());

const ask = (method: string, path: string, body?: object) =>
  new Operator(cloud).ask<ReturnType<typeof JSON.parse>>(method, path, body);

/** Requests a reconversion, and returns it when its records are compared. */
async function tried(path: string, body?: object) {
  const started = await ask("POST", path, body);
  expect(started.status).toBe(202);
  await cloud.waitUntilIdle();
  const { body: found } = await ask("GET", started.body.result);
  return found;
}

async function updatedTitles(fileName: string): Promise<string[]> {
  const { deliveryStore } = await import("../../shared/deliver/stores/delivery-store.ts");
  const { deliveries } = (await ask("GET", "/deliveries?limit=50")).body;
  const { key } = deliveries.find((file: { fileName: string }) => file.fileName === fileName);
  let text = "";
  for await (const piece of deliveryStore().readFile(key)) text += new TextDecoder().decode(piece);
  return [...text.matchAll(/<leader>.{5}(.)/g)].map(([, status]) => status ?? "");
}

describe("the delivered records of a source, converted again", () => {
  it("after no change → all the same, and no page requested", async () => {
    const requests = site.requests().length;
    const found = await tried("/reconversions", { source: "demo-journal" });
    expect(found.state).toBe("tried");
    expect(Object.keys(found.counts)).toEqual(["same"]);
    expect(site.requests()).toHaveLength(requests);
    expect((await ask("POST", `/reconversions/${found.reconversionId}/deliver`)).status).toBe(409);
    expect((await ask("POST", `/reconversions/${found.reconversionId}/cancel`)).status).toBe(204);
  });

  it("after the source has changed → the differences, an update file, and a reversal", async () => {
    const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
    const item = { kind: "source" as const, id: "demo-journal" };
    const before = await configurationStore().item(item);
    if (before === undefined) throw new Error("the source is not stored");
    // None of its records is in Latin.
    const expectedLanguages = { codes: ["lat"] };
    await configurationStore().replace({ ...before, value: { ...before.value, expectedLanguages } }, before);
    const found = await tried("/reconversions", { source: "demo-journal" });
    const { changed } = found.counts;
    expect(changed).toBeGreaterThan(0);
    const path = `/reconversions/${found.reconversionId}`;
    const { records } = (await ask("GET", `${path}/records?outcome=changed`)).body;
    expect(records).toHaveLength(changed);
    expect(records[0].changes).toEqual([
      { tag: "041", before: [expect.stringMatching(/^__ \$a (eng|ger)$/)], after: [] },
    ]);
    expect((await ask("POST", `${path}/deliver`)).status).toBe(202);
    await cloud.waitUntilIdle();
    const delivered = (await ask("GET", path)).body;
    expect(delivered).toMatchObject({ state: "delivered", counts: { delivered: changed } });
    const [file] = delivered.files;
    expect(file).toMatch(/^Ingather_zotero_\d{6}_001_updates\.xml$/);
    expect(await updatedTitles(file)).toEqual(Array(changed).fill("c"));
    const { versions } = (await ask("GET", `/records/${records[0].recordId}/versions`)).body;
    expect(versions).toHaveLength(2);
    const archived = (await ask("GET", `/archive/${records[0].recordId}`)).body;
    expect(archived).toMatchObject({ state: "automatic", file });

    const reversal = await tried(`${path}/reverse`);
    expect(reversal).toMatchObject({ state: "tried", counts: { changed } });
    expect((await ask("POST", `/reconversions/${reversal.reconversionId}/deliver`)).status).toBe(202);
    await cloud.waitUntilIdle();
    const { body: list } = await ask("GET", "/reconversions?source=demo-journal");
    expect(list.reconversions).toHaveLength(3);
    expect(list.reconversions[0]).toMatchObject({
      state: "delivered",
      files: [file.replace("_001_", "_002_")],
    });
    expect(await updatedTitles(file.replace("_001_", "_002_"))).toEqual(Array(changed).fill("c"));
  });

  it("whose page an operator has deleted → gone", async () => {
    const { archiveStore } = await import("../../shared/adapters/records/archive-store.ts");
    const keys: string[] = [];
    for await (const page of archiveStore().entryKeysOfSource("demo-journal", "LIVE", {})) keys.push(...page);
    const record = keys[0]?.replace("record:", "");
    const path = `/records/${record}/stored-page`;
    expect((await ask("GET", path)).body).toMatchObject({ sizeBytes: expect.any(Number) });
    expect((await ask("DELETE", path)).status).toBe(204);
    expect((await ask("GET", path)).status).toBe(404);
    const found = await tried("/reconversions", { record });
    expect(found.counts).toEqual({ gone: 1 });
    const { records } = (await ask("GET", `/reconversions/${found.reconversionId}/records`)).body;
    expect(records).toMatchObject([{ outcome: "gone", reason: "its stored page has been deleted" }]);
  });
});

it("a source, record or reconversion that does not exist → 404; no selection, or two → 400", async () => {
  const post = async (body: object) => (await ask("POST", "/reconversions", body)).status;
  expect(await post({ record: "aNdcU5jd5mS_2oqd" })).toBe(404);
  expect(await post({ reconversion: "20261120T190000Z-1b4e28ba", outcome: "gone" })).toBe(404);
  expect(await post({})).toBe(400);
  expect(await post({ source: "demo-journal", record: "aNdcU5jd5mS_2oqd" })).toBe(400);
  expect(await post({ source: "demo-journal", from: "2026-11-02", to: "2026-11-01" })).toBe(400);
  expect((await ask("GET", "/reconversions/20261120T190000Z-1b4e28ba")).status).toBe(404);
});
