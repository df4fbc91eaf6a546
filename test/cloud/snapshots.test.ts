import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { listen } from "../listen.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { readRecords, recordsOf } from "./warc-records.ts";

/** A site of a page, a stylesheet, an image that never changes, and one that does. */
async function startSite() {
  let edition = 1;
  const image = Buffer.from("never the same bytes twice, but always these".repeat(50));
  const requests: string[] = [];
  const pages: Record<string, () => [type: string, body: string | Buffer]> = {
    "/robots.txt": () => ["text/plain", "User-agent: *\nDisallow: /private\n"],
    "/": () => [
      "text/html",
      `<link rel=stylesheet href=/style.css><img src=/logo.png><img src=/news.png><a href=/about>a</a><a href=/private>p</a><p>Edition ${edition}`,
    ],
    "/about": () => ["text/html", "<p>About <a href=http://other.example/>elsewhere</a>"],
    "/style.css": () => ["text/css", "body { background: url(/logo.png) }"],
    "/logo.png": () => ["image/png", image],
    "/news.png": () => ["image/png", Buffer.from(`edition ${edition}`.repeat(99))],
  };
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const page = pages[request.url ?? ""]?.();
    if (page === undefined) return void response.writeHead(404).end("none");
    response.writeHead(200, { "content-type": page[0] }).end(page[1]);
  });
  return {
    host: new URL(await listen(server)).host,
    publish: () => {
      edition += 1;
    },
    requests,
    close: () => server.close(),
  };
}

let site: Awaited<ReturnType<typeof startSite>>;
let cloud: LocalCloud;
beforeAll(async () => {
  site = await startSite();
  cloud = await testCloud(stateFolder(), { allowedPrivateHosts: [site.host] });
});
afterAll(() => site.close());

async function api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const [rawPath = "", rawQueryString = ""] = path.split("?");
  const answer = (await cloud.invoke("ingather-snapshots-api", {
    version: "2.0",
    routeKey: `${method} ${rawPath}`,
    rawPath,
    rawQueryString,
    headers: { "content-type": "application/json", ...headers },
    requestContext: {
      http: { method, path: rawPath },
      authorizer: { jwt: { claims: { "cognito:groups": "[operator]" } } },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  })) as { statusCode: number; body?: string; headers?: Record<string, string> };
  return {
    status: answer.statusCode,
    body: answer.body ? JSON.parse(answer.body) : undefined,
    headers: new Headers(answer.headers),
  };
}

const minute = (n: number) => ({ time: new Date(Date.UTC(2026, 10, 20, 20, n)).toISOString() });

/** Activates a definition and runs it to its end. */
async function run(id: string) {
  expect(await api("POST", `/snapshots/${id}/activate`)).toMatchObject({ status: 200 });
  await cloud.waitUntilIdle();
  await cloud.invoke("ingather-generate-jobs", minute(1));
  // Twice: jobs are made once.
  await cloud.invoke("ingather-generate-jobs", minute(2));
  await cloud.waitUntilIdle();
  const { body } = await api("GET", `/snapshots/${id}/jobs`);
  return body.jobs as { id: number; state: string; files: string[]; objects: number }[];
}

/** The files of a zip by path. */
async function filesOfZip(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const opened = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: false }, (error, file) => (error ? reject(error) : resolve(file))),
  );
  const reads: Promise<unknown>[] = [];
  opened.on("entry", (entry: Entry) => {
    reads.push(
      new Promise<void>((resolve, reject) =>
        opened.openReadStream(entry, (error, stream) =>
          error
            ? reject(error)
            : buffer(stream).then((content) => resolve(void files.set(entry.fileName, content)), reject),
        ),
      ),
    );
  });
  await new Promise((done) => opened.once("end", done));
  await Promise.all(reads);
  return files;
}

describe("a snapshot in the cloud", () => {
  /** What the other captures continue. */
  let firstCapture: { id: string; job: Awaited<ReturnType<typeof run>>[number] | undefined } | undefined;
  const definition = () => ({
    title: "Test",
    type: "snapshot",
    seeds: [`http://${site.host}/`],
    limits: { maxDepth: 1, maxObjects: 100 },
  });

  it("a definition that is wrong → refused, naming field and value", async () => {
    expect(await api("POST", "/snapshots", { ...definition(), seeds: ["ftp://a.example/"] })).toMatchObject({
      status: 400,
      body: { field: "seeds.0", value: "ftp://a.example/" },
    });
    expect(await api("POST", "/snapshots", { ...definition(), previous: "none" })).toMatchObject({
      status: 400,
      body: { field: "previous", value: "none" },
    });
  });

  it("the first one has nothing to deduplicate against: its job captures the site into a WARC file", async () => {
    const created = await api("POST", "/snapshots", definition());
    expect(created).toMatchObject({ status: 201, body: { isActive: false, generation: 0 } });
    const { id } = created.body;
    const jobs = await run(id);
    firstCapture = { id, job: jobs[0] };
    expect(jobs).toMatchObject([{ state: "done", objects: 5 }]);
    const [job] = jobs;
    const records = await recordsOf(job ?? { id: 0, files: [] });
    const responses = records
      .filter(({ type }) => type === "response")
      .map(({ url }) => new URL(url).pathname);
    expect(responses.toSorted()).toEqual([
      "/",
      "/about",
      "/logo.png",
      "/news.png",
      "/robots.txt",
      "/style.css",
    ]);
    expect(site.requests.filter((path) => path === "/private")).toEqual([]);
    expect(await api("GET", `/snapshots/${id}`)).toMatchObject({
      body: { isActive: true, index: { state: "ready", jobIds: [] }, jobIds: [job?.id] },
    });
  });

  it.each([
    ["begin-capture", () => ({ jobId: firstCapture?.job?.id })],
    ["finish-capture", () => ({ jobId: firstCapture?.job?.id })],
    ["pack-capture", () => ({ jobId: firstCapture?.job?.id })],
    ["record-index", () => ({ definitionId: firstCapture?.id, generation: 1, missing: [], error: "late" })],
  ])("%s, twice on a message about what has ended → nothing changes", async (name, message) => {
    const { id, job } = firstCapture ?? {};
    const state = async () => [
      await api("GET", `/snapshots/${id}`),
      await api("GET", `/capture-jobs/${job?.id}`),
    ];
    const [before, requests] = [await state(), site.requests.length];
    const event = JSON.parse(readFileSync(join(import.meta.dirname, `../../events/${name}.json`), "utf8"));
    event.Records[0].body = JSON.stringify(message());
    for (const _time of [1, 2])
      expect(await cloud.invoke(`ingather-${name}`, event)).toEqual({ batchItemFailures: [] });
    await cloud.waitUntilIdle();
    expect([await state(), site.requests.length]).toEqual([before, requests]);
  });

  it("captured three times, with changes → revisits for what has not changed and is not text; their originals have every byte", async () => {
    const [first, firstJob] = [firstCapture?.id, firstCapture?.job];
    const jobs = [firstJob];
    site.publish();
    const second = (await api("POST", "/snapshots", { ...definition(), title: "Second", previous: first }))
      .body;
    jobs.push((await run(second.id))[0]);
    const third = (await api("POST", "/snapshots", { ...definition(), title: "Third", previous: second.id }))
      .body;
    jobs.push((await run(third.id))[0]);
    expect((await api("GET", `/snapshots/${third.id}`)).body.index).toMatchObject({
      state: "ready",
      missing: [],
    });

    const captures = await Promise.all(jobs.map((job) => recordsOf(job ?? { id: 0, files: [] })));
    const revisits = captures.map((records) =>
      records
        .filter(({ type }) => type === "revisit")
        .map(({ url }) => new URL(url).pathname)
        .toSorted(),
    );
    expect(revisits).toEqual([[], ["/logo.png"], ["/logo.png", "/news.png"]]);
    // Each URL is there once: stored, or referred to.
    for (const records of captures) {
      const main = records.filter(({ type }) => type === "response" || type === "revisit");
      expect(main.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([
        "/",
        "/about",
        "/logo.png",
        "/news.png",
        "/robots.txt",
        "/style.css",
      ]);
    }
    for (const revisit of captures.flat().filter(({ type }) => type === "revisit")) {
      const { refersTo, refersToUri, refersToDate, digest } = revisit;
      const original = captures
        .flat()
        .find(({ type, url, date }) => type === "response" && url === refersToUri && date === refersToDate);
      expect([original?.digest, original?.id]).toEqual([digest, refersTo]);
    }

    // Packed, the third one has the records of the others that its revisits refer to.
    const thirdId = jobs[2]?.id;
    expect(await api("GET", `/capture-jobs/${thirdId}/package`)).toMatchObject({ status: 404 });
    for (const _time of [1, 2])
      expect(await api("POST", `/capture-jobs/${thirdId}/package`)).toMatchObject({ status: 202 });
    await cloud.waitUntilIdle();
    const { url, elsewhere } = (await api("GET", `/capture-jobs/${thirdId}/package`)).body;
    expect(elsewhere).toEqual([]);
    const files = await filesOfZip(Buffer.from(await (await fetch(url)).arrayBuffer()));
    const index = (files.get("indexes/index.cdxj") ?? "").toString().trimEnd().split("\n");
    const lines = index.map((line) => JSON.parse(line.slice(line.indexOf("{"))) as Record<string, string>);
    const originals = lines.filter(({ filename }) => filename === "originals.warc.gz");
    expect(originals.map(({ url = "" }) => new URL(url).pathname).toSorted()).toEqual([
      "/logo.png",
      "/news.png",
    ]);
    for (const { filename, offset, length, url, digest } of lines) {
      const warc = files.get(`archive/${filename}`) as Buffer;
      const member = warc.subarray(Number(offset), Number(offset) + Number(length));
      const [record] = await readRecords(member);
      expect(record).toMatchObject({ url, digest });
    }
    const stored = captures.flat().filter(({ type }) => type === "response");
    for (const record of await readRecords(files.get("archive/originals.warc.gz") as Buffer))
      expect(stored).toContainEqual(record);
    expect(JSON.parse(String(files.get("pages/pages.jsonl")).split("\n")[1] ?? "")).toMatchObject({
      url: `http://${site.host}/`,
    });
  });

  it("a package of a job that nobody knows, or that has captured nothing → refused", async () => {
    expect(await api("POST", "/capture-jobs/4711/package")).toMatchObject({ status: 404 });
    expect(await api("GET", "/capture-jobs/4711/package")).toMatchObject({ status: 404 });
    const { id } = (await api("POST", "/snapshots", { ...definition(), title: "Elsewhere" })).body;
    const { job } = (await api("POST", `/snapshots/${id}/jobs`, { files: ["crawl.log", "a.cdx"] })).body;
    expect(await api("POST", `/capture-jobs/${job.id}/package`)).toMatchObject({
      status: 409,
      body: { detail: `job ${job.id} is submitted and has no WARC file`, value: job.id },
    });
  });

  it("a definition → edited and removed by who has read its version alone; international domains are stored as ASCII", async () => {
    const body = { ...definition(), seeds: [], domains: ["пример.рф"], title: "Draft" };
    const { id, seeds } = (await api("POST", "/snapshots", body)).body;
    expect(seeds).toEqual(["https://xn--e1afmkfd.xn--p1ai/"]);
    const path = `/snapshots/${id}`;
    const first = (await api("GET", path)).headers.get("etag") ?? "";
    const put = (title: string, etag: string) => api("PUT", path, { ...body, title }, { "if-match": etag });
    const changed = await put("Changed", first);
    expect(changed).toMatchObject({ status: 200, body: { title: "Changed" } });
    expect(await put("Late", first)).toMatchObject({ status: 412 });
    expect(await api("DELETE", path, undefined, { "if-match": first })).toMatchObject({ status: 412 });
    const second = changed.headers.get("etag") ?? "";
    expect(await api("DELETE", path, undefined, { "if-match": second })).toMatchObject({ status: 204 });
    expect(await api("GET", path)).toMatchObject({ status: 404 });
  });

  it("a snapshot of one that is unfinished → refused in the words of the reference", async () => {
    const base = (await api("POST", "/snapshots", { ...definition(), title: "Base" })).body;
    const next = (await api("POST", "/snapshots", { ...definition(), title: "Next", previous: base.id }))
      .body;
    expect(await api("POST", `/snapshots/${next.id}/activate`)).toMatchObject({
      status: 409,
      body: { detail: `Harvest definition ${next.id} is based on unfinished definition ${base.id}` },
    });
  });
});
