import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { stepMs } from "../../local/demo/oai-records.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoPapersSource } from "../../local/start/seed.ts";
import { inParallel } from "../../shared/core/in-parallel.ts";
import { parseOaiPage } from "../../shared/formats/oai/parse-page.ts";
import { listen } from "../listen.ts";
import { runCommand } from "../local/cli/commands/run-command.ts";
import { marcRecord } from "../shared/give-back/world.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let site: DemoSite;
let now = new Date("2026-11-20T12:00:00Z");

beforeAll(async () => {
  site = await startDemoSite({ clock: { now: () => now, sleep: async () => undefined } });
  cloud = await testCloud(stateFolder(), {
    allowedPrivateHosts: [new URL(site.origin).host],
    context: { "ingather:harvesters": "anybody" },
  });
});
afterAll(() => site.close());

async function ask(query: string, init: RequestInit = {}): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${cloud.apiUrl}/oai${query === "" ? "" : `?${query}`}`, init);
  return { response, text: await response.text() };
}

async function page(query: string) {
  const { text } = await ask(query);
  const result = parseOaiPage(Buffer.from(text), { asXml: true, values: () => false });
  if (result.type !== "page") throw new Error(text);
  return result.page;
}

it("harvested records and documents → given by OAI-PMH, with their changes and deletions", async () => {
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
  const source = { ...demoPapersSource(site.oaiUrl), deliveryMode: "LIVE" as const, throttleMs: 0 };
  await storeConfiguration([source]);
  const harvest = async (scheduledTime: string) => {
    await messageQueue("runStartsQueue").send({ deliveryMode: "LIVE", scheduledTime });
    await cloud.waitUntilIdle();
    return cloud.invoke("ingather-log-changes", {});
  };
  expect((await page("verb=ListRecords&metadataPrefix=oai_dc")).errors).toMatchObject([
    { code: "noRecordsMatch" },
  ]);

  expect(await harvest("2026-11-20T12:00:00Z")).toEqual({ logged: 8 });
  expect(await cloud.invoke("ingather-log-changes", {})).toEqual({ logged: 0 });
  for (const prefix of ["oai_dc", "marcxml", "mods", "raw"]) {
    const { records } = await page(`verb=ListRecords&metadataPrefix=${prefix}`);
    expect(records.map(({ isDeleted, metadata }) => [isDeleted, metadata !== undefined])).toEqual(
      Array.from({ length: 8 }, () => [false, true]),
    );
  }
  const first = await page("verb=ListRecords&metadataPrefix=raw");
  expect(first.records[0]?.sets).toEqual([
    expect.stringMatching(/^collection\./),
    expect.stringMatching(/^group\./),
    "search",
    `source.${source.sourceId}`,
    "state.delivered",
  ]);
  const wick = await page(`verb=ListRecords&metadataPrefix=oai_dc&set=source.${source.sourceId}`);
  expect(wick.records.map(({ metadata }) => metadata).join()).toContain("<dc:title>How to trim a wick");
  const { sets } = await page("verb=ListSets");
  expect(sets.map(({ spec }) => spec)).toEqual(expect.arrayContaining(["search", "state.delivered"]));

  now = new Date(now.getTime() + 3 * stepMs);
  expect(await harvest("2026-11-20T13:00:00Z")).toEqual({ logged: 3 });
  const second = await page("verb=ListIdentifiers&metadataPrefix=raw");
  expect(second.records.map(({ isDeleted }) => isDeleted).toSorted()).toEqual([
    ...Array.from({ length: 8 }, () => false),
    true,
  ]);
  const deleted = second.records.find(({ isDeleted }) => isDeleted)?.identifier ?? "";
  const tombstone = await page(`verb=GetRecord&metadataPrefix=marcxml&identifier=${deleted}`);
  expect(tombstone.records).toMatchObject([{ identifier: deleted, isDeleted: true }]);
});

it("POST, gzip and HEAD → as the protocol has them", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const posted = await ask("", { method: "POST", headers, body: "verb=Identify" });
  expect(posted.text).toContain("<deletedRecord>persistent</deletedRecord>");
  expect(posted.text).toContain(`<baseURL>${cloud.apiUrl}/oai</baseURL>`);
  const twice = await ask("verb=Identify", { method: "POST", headers, body: "verb=Identify" });
  expect(twice.text).toContain('code="badVerb"');
  expect(posted.response.headers.get("content-type")).toBe("text/xml; charset=utf-8");
  const plain = await cloud.invoke(
    "ingather-oai-provider",
    apiEvent("verb=ListRecords&metadataPrefix=mods", {}),
  );
  const packed = await cloud.invoke(
    "ingather-oai-provider",
    apiEvent("verb=ListRecords&metadataPrefix=mods", { "accept-encoding": "gzip" }),
  );
  const { body, isBase64Encoded } = packed as { body: string; isBase64Encoded: boolean };
  expect(isBase64Encoded).toBe(true);
  expect(gunzipSync(Buffer.from(body, "base64")).toString()).toBe((plain as { body: string }).body);
  expect((await ask("verb=Identify", { method: "HEAD" })).response.status).toBe(200);
});

function apiEvent(rawQueryString: string, headers: Record<string, string>) {
  return {
    version: "2.0",
    routeKey: "GET /oai",
    rawPath: "/oai",
    rawQueryString,
    headers,
    requestContext: { http: { method: "GET", path: "/oai" } },
    isBase64Encoded: false,
  };
}

it("Ingather harvests Ingather, stopped six times while records change → the same records, then the changes", async () => {
  const { recordStore } = await import("../../shared/adapters/records/record-store.ts");
  const records = recordStore();
  const put = async (ids: string[], title: string) => {
    const keys = await records.storeMarcs(ids.map((recordId) => marcRecord(recordId, title)));
    await inParallel(ids, 16, (recordId, index) =>
      records.save({
        recordId,
        sourceId: "given",
        groupId: "Given",
        collectionId: "given",
        runId: title,
        deliveryMode: "LIVE",
        title,
        landingUrl: "https://a.example/",
        syndicatedAt: "2026-11-20T12:00:00.000Z",
        hash: `${recordId} ${title}`,
        recordKey: keys[index] ?? "",
        state: "harvested",
        updatedAt: "2026-11-20T12:00:00.000Z",
      }),
    );
    return cloud.invoke("ingather-log-changes", {});
  };
  const ids = Array.from({ length: 730 }, (_, number) => `given-${number}`);
  expect(await put(ids, "0")).toEqual({ logged: 730 });
  const log = async () => (await page("verb=Identify")).responseDate;
  const from = await log();

  let stop = new AbortController();
  let requests = 0;
  const changed = new Map(ids.map((id) => [id, "0"]));
  // Each third request stops the harvest, after some records have changed, half of which are already in the list.
  const proxy = createServer(async ({ url }, response) => {
    requests += 1;
    if (requests % 3 === 0 && requests <= 18) {
      const some = ids.filter((_, index) => index % 19 === requests);
      await put(some, String(requests));
      for (const id of some) changed.set(id, String(requests));
      stop.abort();
    }
    const answer = await fetch(`${cloud.apiUrl}${url}`);
    response.setHeader("content-type", "text/xml").end(await answer.text());
  });
  const origin = await listen(proxy);
  const harvest = async (folder: string, more: string[]) => {
    const args = ["harvest", `${origin}/oai`, "--set", "source.given", "--prefix", "marcxml", ...more];
    let stops = 0;
    for (;;) {
      stop = new AbortController();
      const options = ["--out", folder, "--delay", "0", "--allow-private"];
      const { code, stderr } = await runCommand([...args, ...options], { signal: stop.signal });
      if (!stop.signal.aborted) {
        expect([code, stderr]).toEqual([0, expect.stringContaining("complete")]);
        return { stops, titles: titlesIn(readFileSync(join(folder, "records.xml"), "utf8")) };
      }
      stops += 1;
    }
  };
  const first = await harvest(join(stateFolder(), "out"), []);
  expect(first.stops).toBeGreaterThanOrEqual(4);
  expect([...first.titles.keys()].toSorted()).toEqual(ids.toSorted());
  const { titles } = await harvest(join(stateFolder(), "out"), ["--from", from ?? ""]);
  expect(new Map([...first.titles, ...titles])).toEqual(changed);
  proxy.close();
});

/** The titles of the records in a file, by their ids. */
function titlesIn(xml: string): Map<string, string> {
  const found = xml.matchAll(/tag="001">([^<]*)<[\s\S]*?tag="245"[\s\S]*?code="a">([^<]*)</g);
  return new Map([...found].map(([, id = "", title = ""]) => [id, title]));
}
