/** The scenarios of `bench/cost.ts`. Each runs the deployed functions on the local cloud with a meter. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { LocalCloud } from "../local/cloud/cloud.ts";
import { openCloud } from "../local/open-cloud.ts";
import type { MarcRecord } from "../shared/marc/record.ts";
import type { IndexRequest } from "../shared/snapshots/index/build/index-build.ts";
import { startRepository, storeOaiSource } from "./oai-harvest.ts";
import { type Line, Usage } from "./usage.ts";

/** The billed amounts, and the number of units to which they apply. */
export interface Measured {
  of: string;
  count: number;
  calls: number;
  lines: Line[];
}

interface World {
  cloud: LocalCloud;
  usage: Usage;
}

/** Sites on loopback hosts, and a cloud that is permitted to request them. */
interface Site {
  origins: string[];
  stop(): void;
}

async function startSites(hosts: number, articles: number): Promise<Site> {
  const sites = fork(join(import.meta.dirname, "local-cloud-sites.ts"), [String(hosts), String(articles)]);
  const [port] = (await once(sites, "message")) as [number];
  const origins = Array.from({ length: hosts }, (_, index) => `http://127.0.2.${index + 1}:${port}`);
  return { origins, stop: () => sites.kill() };
}

async function openMetered(
  stateDir: string,
  origins: string[],
  delayMs: number,
  context: Record<string, string> = {},
): Promise<World> {
  const usage = new Usage();
  const cloud = await openCloud({
    stateDir,
    context,
    apiPort: 0,
    schedules: "none",
    allowedPrivateHosts: origins.map((origin) => new URL(origin).host),
    defaultDelayMs: delayMs,
    onLog: (line) => line.level === "ERROR" && console.error(`${line.functionName}: ${line.message}`),
    meter: usage,
  });
  return { cloud, usage };
}

function taken(of: string, count: number, { usage }: World): Measured {
  const { calls } = usage;
  usage.calls = 0;
  return { of, count, calls, lines: usage.take() };
}

/** Harvests and delivers new articles, and then reads feeds without new articles. */
async function articles(stateDir: string, [hosts, each, delayMs]: number[]): Promise<Measured[]> {
  const site = await startSites(hosts ?? 0, each ?? 0);
  const world = await openMetered(stateDir, site.origins, delayMs ?? 0);
  const { runDelivery, storeConfiguration } = await import("../local/start/run-delivery.ts");
  const { feedSource } = await import("../local/local-group.ts");
  const sources = site.origins.map((origin) => ({
    ...feedSource(`${origin}/feed`),
    throttleMs: delayMs ?? 0,
  }));
  await storeConfiguration(sources);
  const deliver = async () => {
    const { signal } = new AbortController();
    await runDelivery(sources, { print: () => undefined, signal });
    await world.cloud.waitUntilIdle();
  };
  await deliver();
  const first = taken("records", sources.length * (each ?? 0), world);
  await deliver();
  const second = taken("feeds", sources.length, world);
  await world.cloud.stop();
  site.stop();
  return [first, second];
}

/** Checks single records. Their rule reads the status and, if requested, the page. */
async function links(stateDir: string, [hosts, each, delayMs, hasXPath]: number[]): Promise<Measured[]> {
  const site = await startSites(hosts ?? 0, each ?? 0);
  const world = await openMetered(stateDir, site.origins, delayMs ?? 0);
  const { requestsQueue } = await import("../shared/adapters/aws/queues.ts");
  const { draftCheck } = await import("../shared/links/check/link-check.ts");
  const { readCollection } = await import("../shared/links/status/collection.ts");
  const collectionId = "measured";
  const wanted = readCollection({
    collectionId,
    title: "Measured",
    rule: {
      throttleSeconds: (delayMs ?? 0) / 1000,
      ...(hasXPath && { xpath: "//p[contains(., 'Lorem')]/@hidden" }),
    },
  });
  const { hold: _hold, ...collection } = wanted;
  const records = await seedRecords(collection, site.origins, each ?? 0);
  const requestedAt = new Date().toISOString();
  const requests = records.map(({ recordId, landingUrl }) => {
    const purpose = { type: "record" as const, attempt: 0 };
    const check = { checkId: `check-${recordId}`, recordId, collectionId, requestedAt, purpose };
    return draftCheck(landingUrl, check, { rule: collection.rule });
  });
  world.usage.take();
  await requestsQueue().send(requests);
  await world.cloud.waitUntilIdle();
  const measured = taken("links", requests.length, world);
  await world.cloud.stop();
  site.stop();
  return [measured];
}

type Collection = Omit<
  ReturnType<typeof import("../shared/links/status/collection.ts").readCollection>,
  "hold"
>;

/** Stores a collection and its records. They are not metered, because an operator stores them. */
async function seedRecords(
  collection: Collection,
  origins: string[],
  each: number,
): Promise<{ recordId: string; landingUrl: string }[]> {
  const { collectionStore } = await import("../shared/links/stores/collection-store.ts");
  const { recordStore } = await import("../shared/adapters/records/record-store.ts");
  const { digest } = await import("../shared/core/digest.ts");
  await collectionStore().save(collection);
  const { collectionId } = collection;
  const records = recordStore();
  const seeded: { recordId: string; landingUrl: string }[] = [];
  for (const [host, origin] of origins.entries()) {
    for (let number = 0; number < each; number++) {
      const landingUrl = `${origin}/article/${host}-${number}`;
      const recordId = digest(collectionId, landingUrl);
      const at = new Date(Date.UTC(2026, 0, 1 + number)).toISOString();
      await records.save({
        recordId,
        sourceId: collectionId,
        groupId: "Ingather",
        collectionId,
        runId: "seeded",
        deliveryMode: "LIVE",
        title: `Article ${host}-${number} on the repair of nets`,
        landingUrl,
        syndicatedAt: at,
        hash: recordId,
        recordKey: `records/pages/${recordId}.ndjson#0-2000`,
        state: "delivered",
        updatedAt: at,
      });
      seeded.push({ recordId, landingUrl });
    }
  }
  return seeded;
}

/** Sweeps healthy collections, each with a separate host. */
async function sweeps(stateDir: string, [hosts]: number[]): Promise<Measured[]> {
  const site = await startSites(hosts ?? 0, 8);
  const world = await openMetered(stateDir, site.origins, 1000);
  const { readCollection } = await import("../shared/links/status/collection.ts");
  for (const [index, origin] of site.origins.entries()) {
    const { hold: _hold, ...collection } = readCollection({ collectionId: `c-${index}`, title: "C" });
    await seedRecords(collection, [origin], 8);
  }
  world.usage.take();
  const time = new Date().toISOString();
  await world.cloud.invoke("ingather-sweep-collections", { time });
  await world.cloud.waitUntilIdle();
  const measured = taken("sweeps of a collection", hosts ?? 0, world);
  await world.cloud.stop();
  site.stop();
  return [measured];
}

/** Harvests new documents from an OAI-PMH list of oai_dc. */
async function oai(stateDir: string, [records, delayMs]: number[]): Promise<Measured[]> {
  const { process: server, url } = await startRepository();
  const throttleMs = delayMs ?? 0;
  const world = await openMetered(stateDir, [new URL(url).origin], throttleMs);
  const { start } = await storeOaiSource({ sourceId: "measured", url, records: records ?? 0, throttleMs });
  world.usage.take();
  await start();
  await world.cloud.waitUntilIdle();
  // A schedule publishes events that are left pending.
  const measured = taken("documents", records ?? 0, world);
  await world.cloud.stop();
  server.kill();
  return [measured];
}

/** Logs new records, which pages of 50 have stored, and gives all of them to a harvester as MARCXML. */
async function giveBack(stateDir: string, [pages]: number[]): Promise<Measured[]> {
  const world = await openMetered(stateDir, [], 0, { "ingather:harvesters": "anybody" });
  const { recordStore } = await import("../shared/adapters/records/record-store.ts");
  const { digest } = await import("../shared/core/digest.ts");
  const { parseOaiPage } = await import("../shared/formats/oai/parse-page.ts");
  const records = recordStore();
  const at = new Date().toISOString();
  for (let page = 0; page < (pages ?? 0); page++) {
    const ids = Array.from({ length: 50 }, (_, number) => digest("given", `${page}`, `${number}`));
    const keys = await records.storeMarcs(ids.map(sampleMarc));
    for (const [number, recordId] of ids.entries()) {
      await records.save({
        recordId,
        sourceId: `source-${page % 20}`,
        groupId: "Ingather",
        collectionId: `source-${page % 20}`,
        runId: "seeded",
        deliveryMode: "LIVE",
        title: "On the repair of nets",
        landingUrl: `https://journal.example/${recordId}`,
        syndicatedAt: at,
        hash: recordId,
        recordKey: keys[number] ?? "",
        state: "delivered",
        updatedAt: at,
      });
    }
  }
  world.usage.take();
  const { logged } = (await world.cloud.invoke("ingather-log-changes", {})) as { logged: number };
  const first = taken("logged changes", logged, world);
  let given = 0;
  let query = "metadataPrefix=marcxml";
  while (query !== "") {
    const response = await fetch(`${world.cloud.apiUrl}/oai?verb=ListRecords&${query}`);
    const result = parseOaiPage(new Uint8Array(await response.arrayBuffer()), {
      asXml: false,
      values: () => false,
    });
    if (result.type !== "page") throw new Error(result.type);
    given += result.page.records.length;
    const token = result.page.resumptionToken?.value ?? "";
    query = token === "" ? "" : `resumptionToken=${token}`;
  }
  const second = taken("given records", given, world);
  await world.cloud.stop();
  return [first, second];
}

/** A record of an article, of some 2 KB. */
function sampleMarc(id: string): MarcRecord {
  const abstract = "Nets are repaired with the needle from the left to the right. ".repeat(18);
  return {
    leader: "00000naa a2200000 i 4500",
    control: [
      ["001", id],
      ["008", "261120s2026    xx |||||o     ||| ||eng c"],
    ],
    fields: [
      [
        "024",
        "7 ",
        [
          ["a", `10.5555/${id}`],
          ["2", "doi"],
        ],
      ],
      [
        "100",
        "1 ",
        [
          ["a", "Reef, Tom"],
          ["4", "aut"],
        ],
      ],
      ["245", "10", [["a", "On the repair of nets"]]],
      ["264", " 1", [["c", "2026"]]],
      ["520", "  ", [["a", abstract]]],
      ["650", " 4", [["a", "Nets"]]],
      [
        "773",
        "08",
        [
          ["i", "In: "],
          ["t", "Nets"],
          ["x", "1234-5679"],
          ["g", "29 (2026), 2"],
        ],
      ],
      ["856", "40", [["u", `https://journal.example/${id}`]]],
    ],
  };
}

/** Takes the first snapshot of a site whose pages form a long chain of links. */
async function snapshot(stateDir: string, [resources, bytes, delayMs]: number[]): Promise<Measured[]> {
  const all = Array.from({ length: resources ?? 0 }, (_, index) => `<img src=/r/${index}>`).join("");
  const server = createServer(({ url = "" }, response) => {
    if (url === "/robots.txt") response.writeHead(404).end();
    else if (url === "/") response.setHeader("content-type", "text/html").end(`<p>List${all}`);
    else {
      const seed = `${url} `;
      response
        .setHeader("content-type", "image/x-test")
        .end(seed.repeat(Math.ceil((bytes ?? 0) / seed.length)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = await openMetered(stateDir, [origin], delayMs ?? 0);
  const { messageQueue } = await import("../shared/adapters/aws/queues.ts");
  const { snapshotStore } = await import("../shared/snapshots/stores/snapshot-store.ts");
  const { systemClock } = await import("../shared/core/clock.ts");
  const change = await import("../shared/snapshots/definitions/change-definition.ts");
  const { definitionInput } = await import("../shared/snapshots/definitions/definition-input.ts");
  const ports = {
    snapshots: snapshotStore(),
    indexRequests: messageQueue<IndexRequest>("indexRequestsQueue"),
    clock: systemClock,
  };
  const input = definitionInput.parse({
    title: "Measured",
    type: "snapshot",
    seeds: [`${origin}/`],
    limits: { maxDepth: 1, maxObjects: 100_000 },
  });
  const { definition } = await change.createDefinition(input, ports);
  await change.activateDefinition(definition.id, ports);
  await world.cloud.waitUntilIdle();
  world.usage.take();
  await world.cloud.invoke("ingather-generate-jobs", { time: new Date().toISOString() });
  await world.cloud.waitUntilIdle();
  const measured = taken("MB of resources", ((resources ?? 0) * (bytes ?? 0)) / 1e6, world);
  await world.cloud.stop();
  server.close();
  return [measured];
}

export const scenarios = { articles, links, sweeps, oai, giveBack, snapshot };
