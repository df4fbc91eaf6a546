import { scheduler } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { functionNames } from "../../../shared/names.ts";
import type { HarvestJob } from "../../../shared/snapshots/definitions/job.ts";
import { type CountingProvider, startProvider } from "../counting-provider.ts";
import { type Captured, recordsOf } from "../warc-records.ts";
import { type ChaosCloud, isLong, openChaosCloud, partMs } from "./chaos-cloud.ts";
import { PatientClient } from "./patient-client.ts";
import { politenessViolations } from "./politeness.ts";

const size = isLong ? { sites: 8, pages: 40, captures: 3 } : { sites: 2, pages: 8, captures: 2 };
/** Linux answers on all of 127/8. */
const addresses = Array.from({ length: size.sites }, (_, index) => `127.0.5.${index + 1}`);
const numbers = Array.from({ length: size.pages }, (_, index) => index + 1);

interface Capture {
  definitionId: string;
  host: string;
  /** The place in its chain: each capture refers to those before it. */
  place: number;
  job: HarvestJob;
  records: Captured[];
}

let chaos: ChaosCloud;
let client: PatientClient;
let provider: CountingProvider;
let captures: Capture[];

/** A page of links, pages with an image each, and their stylesheet. */
function contentOf(path: string): { type: string; body: string } | undefined {
  const [, kind, number] = /^\/([a-z]*)(\d*)/.exec(path) ?? [];
  if (path === "/robots.txt") return { type: "text/plain", body: "User-agent: *\nDisallow: /private\n" };
  if (path === "/") {
    const links = numbers.map((each) => `<a href=/page${each}>${each}</a>`).join("");
    return { type: "text/html", body: `<title>A site</title>${links}<a href=/private>p</a>` };
  }
  if (path === "/style.css") return { type: "text/css", body: "body { margin: 0 }" };
  if (kind === "page")
    return {
      type: "text/html",
      body: `<link rel=stylesheet href=/style.css><img src=/image${number}.png>Page ${number}`,
    };
  if (kind === "image") return { type: "image/png", body: `the bytes of image ${number}`.repeat(99) };
  return undefined;
}

const images = numbers.map((each) => `/image${each}.png`);
const allPaths = [
  "/",
  "/robots.txt",
  "/style.css",
  ...images,
  ...numbers.map((each) => `/page${each}`),
].toSorted();

beforeAll(async () => {
  provider = await startProvider(addresses, (_address, path) => {
    const content = contentOf(path);
    if (content === undefined) return { status: 404 };
    const { type, body } = content;
    const headers = { "content-type": type, "content-length": String(Buffer.byteLength(body)) };
    return { status: 200, headers, body };
  });
  const hosts = addresses.map((address) => `${address}:${provider.port}`);
  chaos = await openChaosCloud("captures", { hosts, deliveryProbability: 0.4 });
  client = new PatientClient(chaos.cloud);
  captures = (await chaos.until(Promise.all(hosts.map(captureSite)))).flat();
}, partMs);
afterAll(() => provider.close());

/** Captures a site several times, each time with an index of the captures before. */
async function captureSite(host: string): Promise<Capture[]> {
  const done: Capture[] = [];
  let previous: string | undefined;
  for (let place = 0; place < size.captures; place += 1) {
    const limits = { maxDepth: 1, maxObjects: 1000 };
    const body = { title: `${host} ${place}`, type: "snapshot", seeds: [`http://${host}/`], limits };
    const { id } = await client.ask<{ id: string }>("POST", "/snapshots", {
      ...body,
      ...(previous && { previous }),
    });
    await client.ask("POST", `/snapshots/${id}/activate`);
    const job = await finishedJob(id, host);
    done.push({ definitionId: id, host, place, job, records: await recordsOf(job) });
    previous = id;
  }
  return done;
}

/**
 * The only job of a definition, once it has ended. Jobs are made as by their schedule. The site is not requested before the
 * index is ready.
 */
async function finishedJob(id: string, host: string): Promise<HarvestJob> {
  const { snapshotStore } = await import("../../../shared/snapshots/stores/snapshot-store.ts");
  const store = snapshotStore();
  const requests = () => provider.exchanges.get(host.replace(/:.*/, ""))?.length;
  const before = requests();
  for (;;) {
    const soFar = requests();
    // The store says it without a function, so that waits are skipped meanwhile.
    const { definition } = (await store.definition(id)) ?? expect.fail();
    const [jobId, ...others] = definition.jobIds;
    expect(others).toEqual([]);
    const job = jobId === undefined ? undefined : await store.job(jobId);
    if (job?.state === "done" || job?.state === "failed") return job;
    const isReady = definition.index?.state === "ready";
    if (!isReady) expect(soFar).toBe(before);
    if (job === undefined) {
      const time = new Date().toISOString();
      await chaos.cloud.invoke(functionNames.generateJobs, { time }).catch(() => {});
    }
    await scheduler.wait(300);
  }
}

const pathsOf = (records: Captured[], ...types: string[]) =>
  records
    .filter(({ type }) => types.includes(type))
    .map(({ url }) => new URL(url).pathname)
    .toSorted();

describe("capture jobs and their indexes under faults", () => {
  it("functions were killed", () => {
    expect(chaos.faults.counts().kill).toBeGreaterThan(0);
  });

  it("every job → done, and each URL of the site is in its WARC files once, with the bytes that were sent", () => {
    expect(captures).toHaveLength(size.sites * size.captures);
    for (const { job, records } of captures) {
      expect(job.state).toBe("done");
      expect(pathsOf(records, "response", "revisit")).toEqual(allPaths);
      for (const { url, payload } of records.filter(({ type }) => type === "response"))
        expect(payload.toString(), url).toBe(contentOf(new URL(url).pathname)?.body);
    }
  });

  it("every image of the capture before → found in the index, which was ready before the first request", async () => {
    for (const { definitionId, host, place } of captures.filter((each) => each.place > 0)) {
      const [earlier] = captures.filter((each) => each.host === host && each.place === place - 1);
      const ofImages = earlier?.records.filter(
        ({ type, url }) => ["response", "revisit"].includes(type) && url.endsWith(".png"),
      );
      expect(ofImages).toHaveLength(images.length);
      for (const { url, digest = "" } of ofImages ?? []) {
        const query = new URLSearchParams({ url, digest: digest.replace(/^sha1:/, "") });
        const found = await client.ask<object>("GET", `/snapshots/${definitionId}/index?${query}`);
        expect(found).toMatchObject({ url });
      }
    }
  });

  it("unchanged images → revisits of a record that is there; only a failed lookup stores one again", () => {
    for (const { host, place, records } of captures) {
      const revisits = records.filter(({ type }) => type === "revisit");
      expect(images).toEqual(expect.arrayContaining(revisits.map(({ url }) => new URL(url).pathname)));
      expect(revisits.length > images.length / 2).toBe(place > 0);
      const originals = captures.filter((each) => each.host === host && each.place < place);
      const ids = new Set(originals.flatMap((each) => each.records.map(({ id }) => id)));
      for (const { refersTo } of revisits) expect(ids).toContain(refersTo);
    }
  });

  it("every URL → requested once per job, more often only after a fault; a forbidden one never", () => {
    const requests = [...provider.exchanges.values()].flat();
    const needed = allPaths.length * captures.length;
    console.info(`${requests.length - needed} of ${requests.length} requests were repeated`);
    expect(requests.length).toBeGreaterThanOrEqual(needed);
    expect(requests.length - needed).toBeLessThan(requests.length / 10);
    expect(requests.map(({ path }) => path)).not.toContain("/private");
    expect(politenessViolations(provider.exchanges, { ...chaos, delayMsOf: () => 20 })).toEqual([]);
  });

  it("every event → true of the store when it is published; one per job and index", () => {
    const { untrue, changes } = chaos.events;
    expect(untrue).toEqual([]);
    expect(changes["capture.done"]?.size).toBe(captures.length);
    // The first capture of a site has nothing to refer to.
    expect(changes["index.ready"]?.size).toBe(captures.length - size.sites);
    expect(changes["capture.failed"]).toBeUndefined();
  });
});
