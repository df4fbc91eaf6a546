import { gunzipSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import { type JobUrl, urlIdOf } from "../../../../shared/snapshots/jobs/captured-urls.ts";
import { jobWarcinfoId } from "../../../../shared/snapshots/jobs/job-warcs.ts";
import { type ReadCapturePorts, readCapture } from "../../../../shared/snapshots/jobs/read-capture.ts";
import { sha1DigestOf } from "../../../../shared/snapshots/warc/sha1-digest.ts";
import type { InboundResponse } from "../../../../shared/web/request/response.ts";
import { memorySnapshots } from "../definitions/memory-snapshots.ts";
import { startedAt, storeStartedJob } from "../definitions/started-job.ts";
import { memoryCapturedUrls } from "./memory-captured-urls.ts";

const url = "https://a.example/";
const urlId = urlIdOf(1, url);
const bytes = (status: number) => Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: 2\r\n\r\nhi`);

let urls: Map<string, JobUrl>;
let parts: string[];
/** How often the job was asked to end. */
let ends: number;
let ports: ReadCapturePorts;
beforeEach(async () => {
  const snapshots = memorySnapshots();
  urls = new Map([[urlId, { url, hops: "", state: "wanted" }]]);
  parts = [];
  ends = 0;
  await storeStartedJob(snapshots, url);
  ports = {
    snapshots,
    urls: memoryCapturedUrls(urls),
    requests: { send: async () => {} },
    answers: {
      async *chunks(key) {
        yield bytes(Number(key));
      },
      start: async (key) => bytes(Number(key)),
    },
    async writePart(_jobId, partId, content) {
      parts.push(partId);
      let size = 0;
      for await (const piece of content) size += piece.byteLength;
      return size;
    },
    lookup: async () => undefined,
    capturedJobs: { send: async () => void ends++ },
    newId: () => `${parts.length}`,
    clock: { now: () => startedAt, sleep: async () => {} },
  };
});

/** A captured answer. @param second when it was begun */
function response(
  status: number,
  second: number,
  rest: { isInterim?: true; url?: string } = {},
): InboundResponse {
  return {
    request: {
      id: urlId,
      kind: "capture",
      url,
      bodyPolicy: { type: "capture", maxBytes: 1000 },
      hops: [],
      cookies: [],
      obeyRobots: true,
      context: { jobId: 1, urlId },
    } as unknown as InboundResponse["request"],
    outcome: {
      type: "answered",
      status,
      url,
      hops: [],
      headers: {},
      bodyKey: String(status),
      stored: {
        sizeBytes: bytes(status).byteLength,
        capture: {
          startedAt: `2026-11-22T12:00:0${second}.000Z`,
          requestHead: "GET / HTTP/1.1\r\n\r\n",
          headBytes: bytes(status).byteLength - 2,
          sha1: hexOf(bytes(status)),
          payloadBytes: 2,
          payloadSha1: hexOf(Buffer.from("hi")),
        },
      },
      elapsedMs: 1,
      ...rest,
    },
  };
}

const hexOf = (content: Uint8Array) => {
  const text = sha1DigestOf(content).slice("sha1:".length);
  const bits = [...text].map((digit) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(digit).toString(2).padStart(5, "0"),
  );
  return (bits.join("").match(/.{8}/g) ?? [])
    .map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, "0"))
    .join("");
};

it("a page with more links than are taken, and one that is too long → counted with their outcomes, and in the log", async () => {
  const links = Array.from({ length: 50_003 }, (_, n) => `<a href=/${n}>x</a>`).join("");
  const content = Buffer.alloc(8 * 1024 * 1024 + 1, " ");
  content.write(`HTTP/1.1 200 X\r\ncontent-type: text/html\r\n\r\n${links}`);
  ports.answers = {
    async *chunks() {
      yield content;
    },
    start: async (_key, maxBytes) => content.subarray(0, maxBytes),
  };
  const long = response(200, 1);
  const outcome = long.outcome as Extract<InboundResponse["outcome"], { type: "answered" }>;
  outcome.headers = { "content-type": "text/html" };
  if (outcome.stored !== undefined) outcome.stored.sizeBytes = content.byteLength;
  await readCapture(long, ports, { receiveCount: 1 });
  expect(urls.get(urlId)?.outcome).toMatchObject({
    unread: { dropped: 3, isCut: true },
    log: expect.stringMatching(/ linksDropped:3,linksCut$/),
  });
});

it("an attempt, delivered twice, a robots.txt and the last response → each in records of its own", async () => {
  const attempt = response(503, 1, { isInterim: true });
  await readCapture(attempt, ports, { receiveCount: 1 });
  await readCapture(attempt, ports, { receiveCount: 1 });
  expect(urls.get(urlId)?.state).toBe("wanted");
  await readCapture(response(200, 2, { isInterim: true, url: "https://b.example/robots.txt" }), ports, {
    receiveCount: 1,
  });
  await readCapture(response(200, 3), ports, { receiveCount: 1 });
  const done = [...urls.values()];
  expect(done.map((each) => [each.url, each.hops, each.state, each.outcome?.part?.status])).toEqual([
    [url, "", "done", 200],
    [url, "", "done", 503],
    ["https://b.example/robots.txt", "P", "done", 200],
  ]);
  expect(new Set(done.map(({ outcome }) => outcome?.part?.partId)).size).toBe(3);
});

it("the records of a job that has captured 1.5 GB → name the warcinfo record of its second file", async () => {
  await ports.snapshots.countCapture(1, {
    bytes: 1_500_000_000,
    limits: { maxObjects: 10, maxBytes: 2e9 },
  });
  let content = Buffer.alloc(0);
  ports.writePart = async (_jobId, _partId, pieces) => {
    for await (const piece of pieces) content = Buffer.concat([content, piece]);
    return content.byteLength;
  };
  await readCapture(response(200, 3), ports, { receiveCount: 1 });
  const job = await ports.snapshots.job(1);
  if (job === undefined) throw new Error("the sample is stored");
  const named = [...String(gunzipSync(content)).matchAll(/^WARC-Warcinfo-ID: <(.*)>\r$/gm)];
  expect(named.map(([, id]) => id)).toEqual(Array(3).fill(jobWarcinfoId(job, 1)));
  expect(urls.get(urlId)?.outcome?.part?.fileNumber).toBe(1);
});

it("an attempt that is read after the last response → the job does not end before it", async () => {
  const rules = "https://b.example/robots.txt";
  const interims = [
    { url, startedAt: "2026-11-22T12:00:01.000Z" },
    { url: rules, startedAt: "2026-11-22T12:00:02.000Z" },
  ];
  const last = { ...response(200, 3), interims };
  await readCapture(last, ports, { receiveCount: 1 });
  await readCapture(last, ports, { receiveCount: 1 });
  expect(ends).toBe(0);
  await readCapture(response(200, 2, { isInterim: true, url: rules }), ports, { receiveCount: 1 });
  await readCapture(response(200, 2, { isInterim: true, url: rules }), ports, { receiveCount: 1 });
  expect(ends).toBe(0);
  await readCapture(response(503, 1, { isInterim: true }), ports, { receiveCount: 1 });
  expect(ends).toBe(1);
  expect([...urls.values()].map((each) => [each.url, each.state, each.outcome?.part?.status])).toEqual([
    [url, "done", 200],
    [url, "done", 503],
    [rules, "done", 200],
  ]);
});

it("bytes that are not a response → records of their own that no index names; the failure in the log", async () => {
  const { request, outcome } = response(200, 1);
  if (outcome.type !== "answered" || outcome.bodyKey === undefined || outcome.stored === undefined)
    throw new Error("the sample is an answer");
  const { bodyKey, stored, elapsedMs } = outcome;
  const failed = {
    request,
    outcome: {
      type: "failed" as const,
      reason: "bad-http",
      detail: "no HTTP",
      attempts: 2,
      captured: { url, bodyKey, stored, elapsedMs },
    },
  };
  await readCapture({ ...failed, outcome: { ...failed.outcome, isInterim: true } }, ports, {
    receiveCount: 1,
  });
  await readCapture(failed, ports, { receiveCount: 1 });
  const done = [...urls.values()];
  expect(done.map(({ state, outcome: kept }) => [state, kept?.part?.status])).toEqual([
    ["done", -3],
    ["done", -3],
  ]);
  expect(done[0]?.outcome?.log).toMatch(/ -3 .* 2t$/);
});

it("its request is in a dead-letter queue, told twice → unread, and asked for no more; what a redrive brings counts", async () => {
  const told: InboundResponse = {
    request: response(200, 1).request,
    outcome: { type: "refused", reason: "dead-lettered", detail: "failed 10 times" },
  };
  await readCapture(told, ports, { receiveCount: 1 });
  await readCapture(told, ports, { receiveCount: 1 });
  expect(urls.get(urlId)).toEqual({ url, hops: "", state: "unread", unreadAt: startedAt.toISOString() });
  expect(await ports.urls.add(1, [{ url, hops: "" }])).toEqual([]);
  await readCapture(response(200, 1), ports, { receiveCount: 1 });
  expect(urls.get(urlId)).toMatchObject({ state: "done", outcome: { part: { status: 200 } } });
  await readCapture(told, ports, { receiveCount: 1 });
  expect(urls.get(urlId)?.state).toBe("done");
});
