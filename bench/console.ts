/**
 * Measures the pages of the console and the lists of the API, warm, on the local cloud with the records of a
 * large library: the median and the 95th percentile of the response time, the processor time of this process
 * (which contains the browser, the cloud and the functions), bytes, and the number of requests to the API and
 * calls of AWS per response.
 *
 *     npx node bench/console.ts [--rounds 15] [--state DIR] [--small] [--only TEXT]
 *
 * A state folder given by `--state` is filled once and then reused.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Faults } from "../local/cloud/faults.ts";
import { openCloud } from "../local/open-cloud.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "15" },
    state: { type: "string" },
    small: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const rounds = Number(values.rounds);
const amounts = values.small
  ? { sources: 100, collections: 200, records: 2000 }
  : { sources: 1000, collections: 2000, records: 100_000 };

/**
 * The pause between two requests, because the API permits 20 requests per second to the routes of records, as
 * on AWS.
 */
const pauseMs = 150;

const stateDir = values.state ?? mkdtempSync(join(tmpdir(), "ingather-bench-"));
const isFilled = existsSync(join(stateDir, "logs"));
const calls = new Map<string, number>();
const cloud = await openCloud({
  stateDir,
  apiPort: 0,
  schedules: "none",
  polling: false,
  allowedPrivateHosts: [],
  faults: countCalls(),
});
try {
  const { known, lastRunId, seedConsole } = await import("./console-seed.ts");
  if (!isFilled) {
    const started = performance.now();
    await seedConsole(amounts);
    console.log(
      `stored in ${((performance.now() - started) / 1000).toFixed(0)} s: ${JSON.stringify(amounts)}`,
    );
  }
  const cookies = await signIn(cloud.signInLink({ email: "anna@library.example", groups: ["admin"] }));
  const token = await cloud.issueToken({ sub: "bench" });
  const runId = await lastRunId();
  const record = encodeURIComponent(known.recordId);
  const pages = [
    "/console",
    "/console/sources",
    "/console/sources?q=ethics",
    "/console/sources?state=overdue",
    `/console/sources/${known.sourceId}`,
    "/console/sources/add",
    "/console/sources/import",
    "/console/records",
    `/console/records?collection=${known.collectionId}`,
    `/console/records/${record}`,
    "/console/refused",
    "/console/refused?mode=LIVE&reason=missing-title:245a",
    "/console/rules",
    "/console/rules/edit",
    "/console/deliveries",
    `/console/runs/${runId}`,
    "/console/archive",
    "/console/archive?q=faith",
    "/console/collections",
    "/console/collections?state=suppressed",
    `/console/collections/${known.collectionId}`,
    "/console/link-report",
    "/console/documents",
    "/console/hosts",
    `/console/hosts/${known.host}`,
    "/console/mails",
    "/console/snapshots",
    `/console/search?q=${known.sourceId}`,
    "/console/search?q=Ethics",
  ];
  const lists = [
    "/today",
    "/sources?limit=50",
    "/sources?limit=1000",
    `/sources/${known.sourceId}/runs`,
    "/runs?limit=50",
    `/runs/${runId}?limit=100`,
    `/runs/${runId}/articles?source=${known.sourceId}`,
    "/deliveries?limit=50",
    "/archive-titles?title=faith",
    "/collections?limit=50",
    "/collections?limit=1000",
    "/refused-records?limit=50",
    "/refused-records/reasons",
    "/reports/links?limit=50",
    "/reports/overdue",
    "/validation-rules",
    `/records?collection=${known.collectionId}&limit=50`,
    "/records?state=suppressed&limit=50",
    "/suppressed-collections",
    `/sources/${known.sourceId}/documents`,
    `/hosts/${known.host}`,
    "/mails?limit=50",
    "/snapshots",
  ];
  console.log("page or list | median ms | p95 ms | cpu ms | KB | AWS");
  const asked = [
    ...pages.map((path) => ({ path, headers: { cookie: cookies } as Record<string, string> })),
    ...lists.map((path) => ({ path, headers: { authorization: `Bearer ${token}` } })),
  ].filter(({ path }) => path.includes(values.only));
  for (const each of asked) console.log(await measure(each));
} finally {
  await cloud.stop();
  if (values.state === undefined) rmSync(stateDir, { recursive: true, force: true });
}

async function measure({
  path,
  headers,
}: {
  path: string;
  headers: Record<string, string>;
}): Promise<string> {
  const times: number[] = [];
  let bytes = 0;
  const ask = async () => {
    const answer = await fetch(cloud.apiUrl + path, { headers, redirect: "manual" });
    bytes = (await answer.arrayBuffer()).byteLength;
    // A refusal is fast. If it were counted, it would look like a fast page.
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}`);
  };
  // The first requests, which load code and data, are not counted.
  for (let round = 0; round < 3; round += 1) await ask();
  calls.clear();
  let cpuMicros = 0;
  for (let round = 0; round < rounds; round += 1) {
    await setTimeout(pauseMs);
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    await ask();
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuMicros += user + system;
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
  const aws = [...calls.values()].reduce((sum, count) => sum + count, 0) / rounds;
  const columns = [
    path,
    at(0.5),
    at(0.95),
    (cpuMicros / 1000 / rounds).toFixed(0),
    (bytes / 1000).toFixed(0),
    aws.toFixed(0),
  ];
  return columns.join(" | ");
}

/** Counts the functions' calls of AWS, and lets all of them pass. */
function countCalls(): Faults {
  return {
    ofCall: ({ functionName = "" }) => {
      calls.set(functionName, (calls.get(functionName) ?? 0) + 1);
      return undefined;
    },
    ofDelivery: () => undefined,
    pauseMs: () => 0,
    clockOffset: new SharedArrayBuffer(4),
  };
}

/** Opens the one-time link as a browser does. @returns the cookies of the session */
async function signIn(link: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = link;
  for (let hops = 0; hops < 6; hops += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const to = answer.headers.get("location");
    if (to === null) break;
    url = new URL(to, url).href;
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}
