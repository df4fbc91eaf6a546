import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../temporary-folder.ts";
import { runCommand } from "../../run-command.ts";

const hosts = 9;
const linksPerHost = 8;

/** What one host has seen: requests at once at most, and the least time from an answer to the next request. */
interface Seen {
  inWork: number;
  most: number;
  answeredAtMs: number;
  leastGapMs: number;
  requests: number;
}

/**
 * Hosts that redirect to each other. An answer takes some milliseconds, so that a second request would meet the first.
 */
function linkedHosts() {
  const seen = new Map<string, Seen>();
  const servers: Server[] = [];
  let port = 0;
  const origin = (host: number) => `http://127.0.1.${(host % hosts) + 1}:${port}`;
  const serve = (host: number) =>
    createServer((request, answer) => {
      const own = seen.get(origin(host)) ?? {
        inWork: 0,
        most: 0,
        answeredAtMs: Number.NEGATIVE_INFINITY,
        leastGapMs: Number.POSITIVE_INFINITY,
        requests: 0,
      };
      seen.set(origin(host), own);
      own.requests++;
      own.most = Math.max(own.most, ++own.inWork);
      own.leastGapMs = Math.min(own.leastGapMs, performance.now() - own.answeredAtMs);
      const [, kind = "", number = "0"] = request.url?.split("/") ?? [];
      const left = Number(number);
      if (kind === "hanging") return;
      setTimeout(() => {
        if (kind === "gone") answer.statusCode = 404;
        if (kind === "error") answer.statusCode = 500;
        // From host to host, as often as its number says.
        if (kind === "on" && left > 0) {
          answer.setHeader("set-cookie", `at${left}=1`);
          answer.writeHead(302, { location: `${origin(host + 4)}/on/${left - 1}` });
        }
        if (kind === "loop") answer.writeHead(302, { location: `${origin(host + 1)}/loop` });
        own.inWork--;
        own.answeredAtMs = performance.now();
        answer.end("<p>page</p>");
      }, 3);
    });
  beforeAll(async () => {
    for (let host = 0; host < hosts; host++) {
      const server = serve(host).listen(port, `127.0.1.${host + 1}`);
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
      servers.push(server);
    }
  });
  afterAll(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
  beforeEach(() => seen.clear());
  return { seen, origin };
}

const { seen, origin } = linkedHosts();
const folder = temporaryFolder();

function ruleFile(): string {
  const path = join(folder, "rule.json");
  writeFileSync(path, JSON.stringify({ xpath: "count(//p) = 1" }));
  return path;
}

/** Eight links to each host: pages, gone and failing ones, and chains of redirects over up to seven hosts. */
function mixedLinks(): string[] {
  const kinds = ["ok/1", "on/1", "gone/1", "on/3", "error/1", "on/6", "loop/1", "ok/2"];
  return Array.from({ length: hosts * linksPerHost }, (_, at) => `${origin(at)}/${kinds[at % linksPerHost]}`);
}

async function check(links: string[], threads: number, more: string[] = [], signal?: AbortSignal) {
  const args = ["check-links", "-", "--allow-private", "--json", "--threads", String(threads), ...more];
  const result = await runCommand(args, { stdin: links.join("\n"), ...(signal && { signal }) });
  const lines = result.stdout.trimEnd().split("\n").filter(Boolean);
  const results = lines.map((line) => {
    const { elapsedMs, ...rest } = JSON.parse(line);
    return { hasTaken: elapsedMs > 0, ...rest };
  });
  results.sort((a, b) => (a.url < b.url ? -1 : 1));
  return { ...result, results };
}

describe("several threads", () => {
  it("redirects from host to host → the results of one thread, and no host with two requests at once", async () => {
    const one = await check(mixedLinks(), 1, ["--delay", "0"]);
    const requestsOfOne = [...seen].map(([host, { requests }]) => [host, requests]).sort();
    seen.clear();
    const several = await check(mixedLinks(), 4, ["--delay", "0"]);
    expect(several.results).toEqual(one.results);
    expect(several.code).toBe(one.code);
    expect(several.results).toHaveLength(hosts * linksPerHost);
    expect(several.results.filter(({ hops }) => hops.length === 7)).not.toEqual([]);
    expect([...seen].map(([host, { requests }]) => [host, requests]).sort()).toEqual(requestsOfOne);
    expect([...seen.values()].map(({ most }) => most)).toEqual(Array(hosts).fill(1));
  });

  it("a delay → kept by each host, whichever threads its requests come from", async () => {
    await check(mixedLinks(), 4, ["--delay", "40"]);
    for (const { most, leastGapMs } of seen.values()) {
      expect(most).toBe(1);
      // The host's clock begins with its response, ours when it has come.
      expect(leastGapMs).toBeGreaterThan(38);
    }
  });

  it("a rule with an XPath → judged on the threads as on one", async () => {
    const more = ["--delay", "0", "--rules", ruleFile()];
    const [one, several] = [await check(mixedLinks(), 1, more), await check(mixedLinks(), 3, more)];
    expect(several.results).toEqual(one.results);
    expect(several.results.filter(({ rulePart }) => rulePart === "xpath")).not.toEqual([]);
  });

  it("a concurrency below the threads → no more hosts at once", async () => {
    const { results } = await check(mixedLinks(), 4, ["--delay", "0", "--concurrency", "2"]);
    expect(results).toHaveLength(hosts * linksPerHost);
  });

  it("stopped → ends with what is known", async () => {
    const stop = new AbortController();
    const links = [`${origin(0)}/ok/1`, `${origin(1)}/ok/1`, `${origin(0)}/hanging`, `${origin(1)}/hanging`];
    const running = check(links, 2, ["--delay", "0"], stop.signal);
    while ([...seen.values()].filter(({ requests }) => requests === 2).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    stop.abort();
    const { results, stderr } = await running;
    expect(results.slice(0, -1).map(({ url }) => url)).toEqual(links.slice(0, 2));
    expect(results.at(-1)).toMatchObject({ complete: false });
    expect(stderr).toContain("2 alive, 0 broken, 0 inconclusive, 2 not checked");
  });

  it("--max-time → what is left is inconclusive", async () => {
    const links = Array.from({ length: 4 }, (_, at) => `${origin(at)}/hanging`);
    const { results } = await check(links, 2, ["--max-time", "1"]);
    expect(results.map(({ notCounted }) => notCounted)).toEqual(Array(4).fill("our-limit"));
  });
});
