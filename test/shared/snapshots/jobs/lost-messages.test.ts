import { expect, it } from "vitest";
import {
  activateDefinition,
  createDefinition,
} from "../../../../shared/snapshots/definitions/change-definition.ts";
import { definitionInput } from "../../../../shared/snapshots/definitions/definition-input.ts";
import { generateJobs } from "../../../../shared/snapshots/definitions/generate-jobs.ts";
import { beginJob } from "../../../../shared/snapshots/jobs/begin-job.ts";
import type { JobUrl } from "../../../../shared/snapshots/jobs/captured-urls.ts";
import { finishJob } from "../../../../shared/snapshots/jobs/finish-job.ts";
import { readCapture } from "../../../../shared/snapshots/jobs/read-capture.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../../shared/web/request/response.ts";
import { memorySnapshots } from "../definitions/memory-snapshots.ts";
import { memoryCapturedUrls } from "./memory-captured-urls.ts";

const queues = ["captureJobs", "requests", "interims", "responses", "capturedJobs"] as const;
type Queue = (typeof queues)[number];

const begin = new Date("2026-11-20T20:00:00Z");
const bytes = Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
const sha1 = "2ef7bde608ce5404e97d5f042f95f89f1c232871";

interface Fault {
  queue: Queue;
  /** Of its first message, that arrive. */
  copies?: 0 | 2;
  /** Its first message cannot be read, and is in the dead-letter queue until this minute. */
  redrivenAt?: number;
}

/**
 * Captures a seed whose host answers at the second attempt, minute by minute. @returns the job at its end, and its log
 */
async function capture(fault: Fault, maxMinutes = 5) {
  let now = begin;
  const snapshots = memorySnapshots();
  const urls = new Map<string, JobUrl>();
  const written = new Map<string, string>();
  const waiting: { queue: Queue; message: unknown }[] = [];
  let isFaulty = fault.copies !== undefined;
  const deadLetters: { queue: Queue; message: unknown }[] = [];
  let isUnreadable = fault.redrivenAt !== undefined;
  const send = (queue: Queue) => async (message: unknown) => {
    const copies = isFaulty && queue === fault.queue ? (fault.copies ?? 1) : 1;
    if (queue === fault.queue) isFaulty = false;
    for (let copy = 0; copy < copies; copy += 1) waiting.push({ queue, message });
  };
  let ids = 0;
  const ports = {
    snapshots,
    urls: memoryCapturedUrls(urls),
    clock: { now: () => now, sleep: async () => {} },
    indexRequests: { send: async () => {} },
    captureJobs: { send: send("captureJobs") },
    capturedJobs: { send: send("capturedJobs") },
    requests: {
      send: async (requests: readonly NewRequest[]) => {
        for (const each of requests) await send("requests")(each);
      },
    },
    answers: {
      async *chunks() {
        yield bytes;
      },
      start: async () => bytes,
    },
    async writePart(_jobId: number, _partId: string, content: AsyncIterable<Uint8Array>) {
      let size = 0;
      for await (const piece of content) size += piece.byteLength;
      return size;
    },
    lookup: async () => undefined,
    newId: () => `00000000-0000-4000-8000-${String(ids++).padStart(12, "0")}`,
    files: {
      async *part() {},
      has: async () => false,
      async write(_jobId: number, name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece);
        written.set(name, Buffer.concat(pieces).toString());
      },
    },
    events: { publish: async () => {} },
    mailer: { send: async () => {} },
    recipients: [],
    userAgent: "test",
  };
  /** The gate: an attempt with 503, and the response, which is read first. */
  const ask = async (request: NewRequest) => {
    const startedAt = new Date(now.getTime() + 1).toISOString();
    await send("responses")({
      ...answer(request, 200, now.toISOString()),
      interims: [{ url: request.url, startedAt }],
    });
    const attempt = answer(request, 503, startedAt);
    await send("interims")({ ...attempt, outcome: { ...attempt.outcome, isInterim: true } });
  };
  const read = (queue: Queue) => async (message: InboundResponse) => {
    if (!isUnreadable || queue !== fault.queue) return readCapture(message, ports, { receiveCount: 1 });
    isUnreadable = false;
    const failing = { ...ports, writePart: async () => Promise.reject(new Error("no access")) };
    // The last one twice, as any message may come twice.
    for (const receiveCount of [1, 2, 3, 4, 5, 6, 7, 8, 8])
      await expect(readCapture(message, failing, { receiveCount })).rejects.toThrow("no access");
    deadLetters.push({ queue, message });
  };
  const handlers: Record<Queue, (message: never) => Promise<void>> = {
    captureJobs: (message) => beginJob(message, ports),
    requests: ask,
    interims: read("interims"),
    responses: read("responses"),
    capturedJobs: (message) => finishJob(message, ports),
  };
  const input = definitionInput.parse({
    title: "T",
    type: "selective",
    seeds: ["http://a.example/"],
    limits: { maxMinutes },
  });
  const { definition } = await createDefinition(input, ports);
  await activateDefinition(definition.id, ports);
  let minutes = 0;
  for (; minutes < 120 && (await snapshots.job(1))?.endedAt === undefined; minutes += 1) {
    now = new Date(begin.getTime() + minutes * 60_000);
    if (minutes === fault.redrivenAt) waiting.push(...deadLetters.splice(0));
    await generateJobs(now, ports);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      // A queue's handler takes the messages of that queue.
      await handlers[next.queue](next.message as never);
  }
  const log = (written.get("crawl.log") ?? "").trimEnd().split("\n");
  // After the end of the job, too.
  for (const { message } of deadLetters) await read("responses")(message as InboundResponse);
  return { job: await snapshots.job(1), minutes, statuses: log.map((line) => line.split(/ +/)[1]).sort() };
}

function answer({ id, url, context }: NewRequest, status: number, startedAt: string): InboundResponse {
  const facts = { startedAt, requestHead: "GET / HTTP/1.1\r\n\r\n", headBytes: bytes.length - 2, sha1 };
  const stored = { sizeBytes: bytes.length, capture: { ...facts, payloadBytes: 2, payloadSha1: sha1 } };
  const request = { id, kind: "capture", url, context } as Partial<NewRequest> as InboundResponse["request"];
  const outcome = {
    type: "answered" as const,
    status,
    url,
    hops: [],
    headers: {},
    bodyKey: "key",
    stored,
    elapsedMs: 1,
  };
  return { request, outcome };
}

const all = ["200", "200", "503", "503"];

it.each<[Queue, string[], number]>([
  ["captureJobs", all, 7],
  ["capturedJobs", all, 2],
  // The seed and its robots.txt: what has come of one of them counts, the other is given up.
  ["requests", ["-5004", "200", "503"], 67],
  ["responses", ["-5004", "200", "503", "503"], 67],
  ["interims", ["-5004", "200", "200", "503"], 67],
])(
  "a message of %s is lost once → the job ends with %j after %i minutes at most",
  async (queue, statuses, most) => {
    const found = await capture({ queue, copies: 0 });
    expect(found).toMatchObject({ job: { state: "done" }, statuses });
    expect(found.minutes).toBeLessThanOrEqual(most);
  },
);

it.each(queues)(
  "a message of %s comes twice → the job ends at once, and nothing is there twice",
  async (queue) => {
    const { job, minutes, statuses } = await capture({ queue, copies: 2 });
    expect({ state: job?.state, minutes }).toEqual({ state: "done", minutes: 1 });
    // The gate of this test asks twice when a request comes twice; the real one settles it once.
    expect(new Set(statuses)).toEqual(new Set(all));
    if (queue !== "requests") expect(statuses).toEqual(all);
  },
);

it.each(["responses", "interims"] as const)(
  "a message of %s cannot be read and is redriven within the hour → the job ends then, with all",
  async (queue) => {
    const { job, minutes, statuses } = await capture({ queue, redrivenAt: 40 }, 600);
    expect({ state: job?.state, comment: job?.comment }).toEqual({ state: "done", comment: undefined });
    expect(statuses).toEqual(all);
    expect(minutes).toBe(41);
  },
);

it.each([
  ["responses", ["-5004", "200", "503", "503"]],
  ["interims", ["-5004", "200", "200", "503"]],
] as const)(
  "a message of %s cannot be read, and nobody redrives it → the job ends after an hour, not at its limit of ten",
  async (queue, statuses) => {
    const found = await capture({ queue, redrivenAt: 1000 }, 600);
    expect(found).toMatchObject({
      job: {
        state: "done",
        comment: "1 URL had no outcome an hour after its request or answer was dead-lettered",
      },
      statuses,
    });
    expect(found.minutes).toBe(62);
  },
);
