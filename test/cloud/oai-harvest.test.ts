import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { stepMs } from "../../local/demo/oai-records.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoPapersSource } from "../../local/start/seed.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let site: DemoSite;
let now = new Date("2026-11-20T12:00:00Z");

beforeAll(async () => {
  site = await startDemoSite({ clock: { now: () => now, sleep: async () => undefined } });
  cloud = await testCloud(stateFolder(), { allowedPrivateHosts: [new URL(site.origin).host] });
});
afterAll(() => site.close());

it("an OAI-PMH repository → documents, their files and records; then what changed and what was deleted", async () => {
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
  const { itemStore } = await import("../../shared/harvest/stores/item-store.ts");
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { oaiHarvestStore } = await import("../../shared/harvest/stores/oai-harvest-store.ts");
  const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
  const source = { ...demoPapersSource(site.oaiUrl), deliveryMode: "LIVE" as const, throttleMs: 0 };
  await storeConfiguration([source]);
  const harvest = async (scheduledTime: string) => {
    await messageQueue("runStartsQueue").send({ deliveryMode: "LIVE", scheduledTime });
    await cloud.waitUntilIdle();
    const { documents } = await documentStore().list(source.sourceId, { limit: 50 });
    const present = documents.filter(({ state }) => state === "present");
    return { documents, present: present.length, deleted: documents.length - present.length };
  };

  const first = await harvest("2026-11-20T12:00:00Z");
  expect([first.present, first.deleted]).toEqual([8, 0]);
  expect(first.documents.flatMap(({ outbox }) => outbox)).toEqual([]);
  const items = await itemStore().list(first.documents[0]?.documentId ?? "");
  expect(items).toMatchObject([{ state: "present", url: expect.stringMatching(/\/papers\/\d+\.pdf$/) }]);
  expect(await runStore().get("live-20261120T120000Z")).toMatchObject({ state: "finished" });
  const state = await oaiHarvestStore().get(source.sourceId);
  expect(state).toMatchObject({
    responseDate: "2026-11-20T12:00:00Z",
    last: { completeness: { type: "complete" } },
  });
  const delivered = await cloud.invoke("ingather-operator-api", {
    version: "2.0",
    routeKey: "GET /deliveries",
    rawPath: "/deliveries",
    rawQueryString: "",
    headers: {},
    requestContext: {
      http: { method: "GET", path: "/deliveries" },
      authorizer: { jwt: { claims: { sub: "operator@localhost", "cognito:groups": "[operator]" } } },
    },
    isBase64Encoded: false,
  });
  expect(JSON.parse((delivered as { body: string }).body)).toMatchObject({ deliveries: [{ records: 8 }] });

  now = new Date(now.getTime() + 3 * stepMs);
  const second = await harvest("2026-11-20T13:00:00Z");
  expect([second.present, second.deleted]).toEqual([8, 1]);
  const versions = second.documents.map(
    ({ identifier, versions: all }) =>
      `${identifier[0]?.replace(/.*:/, "")} ${all.map(({ type }) => type).join(" ")}`,
  );
  expect(versions.toSorted()).toEqual([
    "1 new opened",
    "2 new",
    "3 new",
    "4 new",
    "5 new",
    "6 new",
    "7 new",
    "8 new deleted",
    "9 new",
  ]);
});
