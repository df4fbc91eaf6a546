import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import type { DeliveryFault } from "../../local/cloud/faults.ts";
import type { HarvestDefinition } from "../../shared/snapshots/definitions/definition.ts";
import { listen } from "../listen.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const bucket = "ingather-snapshots-000000000000-eu-central-1";

const logLine = (n: number, type = "image/png") =>
  `2020-01-01T00:00:00.000Z 200 10 http://a.example/${n} L - ${type} #001 20200101000000123+4 sha1:D${n} - -\n`;
const cdxLine = (n: number) => `http://a.example/${n} 1.2.3.4 20200101000001 image/png 10 a.warc.gz ${n}\n`;

/** What happens to the next deliveries of steps. */
const deliveryFaults: DeliveryFault[] = [];

/** What the harvests capture when their index is ready: a site without pages. */
const site = createServer((_request, response) => void response.writeHead(404).end());
let emptySite: string;

let cloud: LocalCloud;
beforeAll(async () => {
  const { host } = new URL(await listen(site));
  emptySite = `http://${host}/`;
  cloud = await testCloud(stateFolder(), {
    allowedPrivateHosts: [host],
    faults: {
      ofCall: () => undefined,
      ofDelivery: ({ functionName }) =>
        functionName === "ingather-build-index-part" ? deliveryFaults.shift() : undefined,
      pauseMs: () => 5,
      clockOffset: new SharedArrayBuffer(4),
    },
  });
});

afterAll(() => site.close());

const now = new Date("2026-11-20T00:00:00Z");

/** A harvest that has run, with these jobs; and one that continues it. */
async function storeHarvests(name: string, jobIds: number[], more: Partial<HarvestDefinition> = {}) {
  const { snapshotStore } = await import("../../shared/snapshots/stores/snapshot-store.ts");
  const snapshots = snapshotStore();
  const definition: HarvestDefinition = {
    id: `${name}-1`,
    title: name,
    type: "snapshot",
    seeds: [emptySite],
    limits: { maxObjects: 10, maxBytes: 1000, maxObjectBytes: 1000, maxDepth: 1, maxMinutes: 5 },
    deduplicate: true,
    deduplicateText: false,
    minimumShare: 0.7,
    isActive: false,
    createdAt: now,
    generation: 1,
    jobIds,
    history: [],
  };
  await snapshots.create(definition);
  await snapshots.create({
    ...definition,
    id: `${name}-2`,
    previous: definition.id,
    jobIds: [],
    generation: 0,
    ...more,
  });
  for (const id of jobIds) {
    const job = { id, definitionId: definition.id, state: "done", seeds: [], createdAt: now } as const;
    await snapshots.addJob({ ...job, hasCrawlLog: true, objects: 0, bytes: 0, files: [] });
  }
  return `${name}-2`;
}

async function storeFiles(jobId: number, files: Record<string, string | Uint8Array>) {
  const { putObject } = await import("../../shared/adapters/aws/s3.ts");
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    await putObject(bucket, `jobs/${jobId}/${name}`, { content: bytes, contentType: "text/plain" });
  }
}

const numbersOf = (jobId: number) => Array.from({ length: 30 }, (_, n) => 100 * jobId + n);
const filesOf = (jobId: number) => ({
  "crawl.log": numbersOf(jobId)
    .map((n) => logLine(n))
    .join(""),
  "index.cdxj": numbersOf(jobId).map(cdxLine).join(""),
});

async function api(method: string, path: string, query: Record<string, string> = {}, body?: object) {
  const answer = (await cloud.invoke("ingather-snapshots-api", {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { "content-type": "application/json" },
    requestContext: {
      http: { method, path },
      authorizer: { jwt: { claims: { sub: "operator@localhost", "cognito:groups": "[operator]" } } },
    },
    ...(body && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  })) as { statusCode: number; body: string };
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

/** Activates a definition and waits for its index. */
async function indexOf(id: string) {
  await api("POST", `/snapshots/${id}/activate`);
  await cloud.waitUntilIdle();
  return (await api("GET", `/snapshots/${id}`)).body;
}

function sample(name: string, message: object) {
  const event = JSON.parse(readFileSync(join(import.meta.dirname, `../../events/${name}.json`), "utf8"));
  event.Records[0].body = JSON.stringify(message);
  return event;
}

describe("an index in the cloud", () => {
  it("of own captures and an uploaded log → ready; lookups answer by the API", async () => {
    await storeFiles(11, filesOf(11));
    await storeFiles(12, {
      "uploads/crawl-12.log.gz": gzipSync(logLine(1200) + logLine(1201, "text/html")),
      "uploads/12.cdx": cdxLine(1200) + cdxLine(1201),
    });
    const id = await storeHarvests("own", [11, 12]);
    expect((await api("GET", `/snapshots/${id}/index`, { url: "x", digest: "D" })).status).toBe(409);
    const { index } = await indexOf(id);
    expect(index).toMatchObject({ state: "ready", missing: [], built: { shards: 1, entries: 31 } });
    const look = (url: string, digest: string) => api("GET", `/snapshots/${id}/index`, { url, digest });
    expect(await look("http://a.example/1105", "sha1:d1105")).toEqual({
      status: 200,
      body: {
        url: "http://a.example/1105",
        digest: "D1105",
        date: "20200101000000000",
        origin: "a.warc.gz,1105,20200101000001000",
      },
    });
    expect((await look("http://a.example/1200", "D1200")).status).toBe(200);
    // A text.
    expect((await look("http://a.example/1201", "D1201")).status).toBe(404);
    expect((await api("GET", `/snapshots/${id}/index`, { url: "x" })).status).toBe(400);
    expect((await api("GET", "/snapshots/nobody/index", { url: "x", digest: "D" })).status).toBe(404);
  });

  it("with texts, and two of three jobs by its own share → ready without the third", async () => {
    await storeFiles(21, { ...filesOf(21), "crawl.log": logLine(2100, "text/html") });
    await storeFiles(22, filesOf(22));
    await storeFiles(23, { ...filesOf(23), "crawl.log.gz": "no gzip" });
    const id = await storeHarvests("partial", [21, 22, 23], { deduplicateText: true, minimumShare: 0.6 });
    const { index } = await indexOf(id);
    expect(index).toMatchObject({ state: "ready-partial", missing: [23], built: { entries: 31 } });
    const { body } = await api("GET", `/snapshots/${id}/index/report`);
    expect(body).toMatchObject({
      jobs: [
        { jobId: 21, lines: 31, indexed: 1, withoutOrigin: 0, text: 0, skippedLogLines: {} },
        { jobId: 22, lines: 60, indexed: 30 },
      ],
      missing: [{ jobId: 23, reason: "jobs/23/crawl.log.gz: incorrect header check" }],
    });
    expect((await api("GET", "/snapshots/nobody/index/report")).status).toBe(404);
  });

  it("snapshots-stopped: with too few jobs → failed, deactivated, and it says why; mended and activated again → ready", async () => {
    await storeFiles(31, filesOf(31));
    const id = await storeHarvests("failed", [31, 32]);
    const definition = await indexOf(id);
    expect(definition).toMatchObject({
      isActive: false,
      comment:
        "The deduplication index could not be built: 1 of 2 jobs are missing, and 70 % must be there; job 32: it has no crawl log",
    });
    expect((await api("GET", `/snapshots/${id}/index`, { url: "x", digest: "D" })).status).toBe(409);

    await storeFiles(32, filesOf(32));
    expect(await indexOf(id)).toMatchObject({ isActive: true, index: { state: "ready", missing: [] } });
  });

  it("each function twice on a message → the same index; a message of a build that nobody knows is refused", async () => {
    await storeFiles(41, filesOf(41));
    const id = await storeHarvests("twice", [41]);
    const { index } = await indexOf(id);
    const request = { definitionId: id, generation: 1, indexName: "41", jobIds: [41] };
    const parts = [
      { buildId: index.built.name, division: 0 },
      { buildId: index.built.name, shard: 0 },
    ];
    for (const _time of [1, 2]) {
      expect(await cloud.invoke("ingather-plan-index", sample("plan-index", request))).toEqual({
        batchItemFailures: [],
      });
      for (const part of parts) {
        expect(await cloud.invoke("ingather-build-index-part", sample("build-index-part", part))).toEqual({
          batchItemFailures: [],
        });
      }
    }
    await cloud.waitUntilIdle();
    expect((await api("GET", `/snapshots/${id}`)).body).toMatchObject({ isActive: true, index });
    const unknown = sample("build-index-part", { buildId: "nobody", shard: 0 });
    const { batchItemFailures } = (await cloud.invoke("ingather-build-index-part", unknown)) as {
      batchItemFailures: unknown[];
    };
    expect(batchItemFailures).toHaveLength(1);
  });

  it("a worker killed at its division and at its shard, and messages that come twice → ready, and whole", async () => {
    await storeFiles(61, filesOf(61));
    deliveryFaults.push("kill", "lose answer", "kill", "duplicate", "kill");
    const { index } = await indexOf(await storeHarvests("killed", [61]));
    expect(deliveryFaults).toEqual([]);
    expect(index).toMatchObject({ state: "ready", built: { entries: 30 } });
  });

  it("a lookup → two requests at first, then one per block", async () => {
    const { s3 } = await import("../../shared/adapters/aws/s3-sdk.ts");
    const { storedIndexes } = await import("../../shared/snapshots/stores/snapshot-files.ts");
    await storeFiles(51, filesOf(51));
    const { index } = await indexOf(await storeHarvests("requests", [51]));
    const requests: string[] = [];
    s3.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          requests.push(commandName ?? "");
          return next(args);
        },
      { step: "initialize" },
    );
    const lookup = storedIndexes();
    expect(await lookup(index.built, "http://a.example/5103", "D5103")).toMatchObject({ digest: "D5103" });
    expect(requests).toEqual(["GetObjectCommand", "GetObjectCommand"]);
    expect(await lookup(index.built, "http://a.example/5104", "OTHER")).toBeUndefined();
    expect(requests).toHaveLength(3);
  });

  // Last: it was executed before all others, so that they would refer to it.
  it("of an uploaded job of another crawler → a snapshot that continues it has its captures", async () => {
    const definition = { title: "Elsewhere", type: "snapshot", seeds: [emptySite] };
    const { id } = (await api("POST", "/snapshots", {}, definition)).body;
    const addJob = (files: string[]) =>
      api("POST", `/snapshots/${id}/jobs`, {}, { files, startedAt: "2020-01-01T00:00:00Z" });
    expect(await addJob(["notes.txt"])).toMatchObject({
      status: 400,
      body: { field: "files.0", value: "notes.txt" },
    });
    const added = await addJob(["crawl.log.gz", "crawl.cdx"]);
    expect(added).toMatchObject({ status: 201, body: { job: { state: "submitted", definitionId: id } } });
    const { job, files } = added.body as { job: { id: number }; files: { name: string; url: string }[] };
    const complete = () => api("POST", `/capture-jobs/${job.id}/complete`);
    const contents: Record<string, Uint8Array<ArrayBuffer>> = {
      "crawl.log.gz": new Uint8Array(gzipSync(logLine(7))),
      "crawl.cdx": new Uint8Array(Buffer.from(cdxLine(7))),
    };
    for (const { name, url } of files) {
      expect(await complete()).toMatchObject({ status: 400, body: { field: "files", value: name } });
      expect((await fetch(url, { method: "PUT", body: contents[name] ?? null })).status).toBe(200);
    }
    const next = { ...definition, title: "Here", previous: id };
    const { id: nextId } = (await api("POST", "/snapshots", {}, next)).body;
    // Its files are there, but nobody has said so.
    expect((await api("POST", `/snapshots/${nextId}/activate`)).status).toBe(409);
    for (const _time of [1, 2])
      expect(await complete()).toMatchObject({ status: 200, body: { state: "done", hasCrawlLog: true } });
    const { index } = await indexOf(nextId);
    expect(index).toMatchObject({ state: "ready", jobIds: [job.id], built: { entries: 1 } });
    const found = await api("GET", `/snapshots/${nextId}/index`, { url: "http://a.example/7", digest: "D7" });
    expect(found).toMatchObject({ status: 200, body: { origin: "a.warc.gz,7,20200101000001000" } });
    expect((await api("POST", `/snapshots/${nextId}/jobs`, {}, { files: ["crawl.log"] })).status).toBe(409);
    const alone = (await addJob(["crawl.log"])).body;
    await fetch(alone.files[0].url, { method: "PUT", body: logLine(8) });
    expect(await api("POST", `/capture-jobs/${alone.job.id}/complete`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("it has no CDX") },
    });
    expect((await api("POST", "/capture-jobs/999/complete")).status).toBe(404);
  });
});
