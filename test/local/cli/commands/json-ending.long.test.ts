import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { writeJob } from "./crawl-files.ts";
import { record, ruleFile, rules, xml } from "./record-files.ts";
import { jsonLines, runCommand } from "./run-command.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** A server that answers the first `answers` requests with a list that continues, and then never. */
async function slowServer(stop: () => void, answers = 0): Promise<string> {
  let asked = 0;
  const server = createServer(({ url = "" }, response) => {
    if (url === "/robots.txt") return response.writeHead(404).end();
    asked += 1;
    if (asked <= answers) return response.writeHead(200, { "content-type": "text/xml" }).end(oaiPage);
    // As Ctrl-C does while a response is awaited.
    stop();
  });
  const url = await listen(server);
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}

const oaiPage = `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-20T00:00:00Z</responseDate><request verb="ListRecords" metadataPrefix="oai_dc"/><ListRecords><record><header><identifier>oai:a:1</identifier><datestamp>2026-01-01</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On bees</dc:title></oai_dc:dc></metadata></record><resumptionToken>next</resumptionToken></ListRecords></OAI-PMH>`;

/** The commands with `--json` that request hosts, each with its arguments for a server. */
const asking: [string, (url: string) => string[], number][] = [
  ["oai identify", (url) => ["oai", `${url}/oai`, "identify"], 0],
  ["oai sets", (url) => ["oai", `${url}/oai`, "sets"], 0],
  ["oai formats", (url) => ["oai", `${url}/oai`, "formats"], 0],
  ["check-set", (url) => ["check-set", `${url}/oai?verb=ListRecords&metadataPrefix=oai_dc`], 0],
  [
    "harvest of a list",
    (url) => ["harvest", `${url}/oai?verb=ListRecords&metadataPrefix=oai_dc`, "--delay", "0"],
    1,
  ],
  ["capture", (url) => ["capture", `${url}/`, "--out", join(folder, "capture"), "--delay", "0"], 0],
  ["preview", (url) => ["preview", `${url}/feed`], 0],
  ["check-links", (url) => ["check-links", `${url}/a`], 0],
];

/** The options of `index` for a job with one capture. */
function indexedJob(): string[] {
  const { log, cdx } = writeJob(folder, "job", 1);
  return ["index", "--job", "7", "--crawl-log", log, "--cdx", cdx];
}

/** What the last JSON value of an output says of its completeness. */
function lastOf(stdout: string): Record<string, unknown> {
  return jsonLines(stdout).at(-1);
}

const isIncomplete = (last: Record<string, unknown>) => last.complete === false;

describe("--json of a command", () => {
  it.each(asking)(
    "%s, stopped while its host does not answer → says that it is incomplete, exit code 130",
    async (_title, argsOf, answers) => {
      const stop = new AbortController();
      const url = await slowServer(() => stop.abort(new Error("stopped by SIGINT")), answers);
      const { code, stdout } = await runCommand([...argsOf(url), "--allow-private", "--json"], {
        signal: stop.signal,
      });
      expect([code, isIncomplete(lastOf(stdout))]).toEqual([130, true]);
    },
  );

  it.each([
    [
      "index of a truncated file",
      () => {
        const cut = join(folder, "cut.gz");
        writeFileSync(cut, gzipSync(readFileSync(writeJob(folder, "job", 1).log)).subarray(0, 40));
        return ["index", "--job", "7", "--crawl-log", cut, "--out", join(folder, "index")];
      },
    ],
    ["oai identify", () => ["oai", "http://127.0.0.1:1/oai", "identify", "--allow-private"]],
    [
      "capture",
      () => ["capture", "http://127.0.0.1:1/", "--allow-private", "--delay", "0", "--out", join(folder, "c")],
    ],
  ])("%s that fails → says why as JSON, and exits with its code", async (_title, argsOf) => {
    const { code, stdout } = await runCommand([...argsOf(), "--json"]);
    expect(code).toBeGreaterThan(0);
    const last = lastOf(stdout);
    expect(last).toEqual(expect.any(Object));
    if (!("complete" in last) || last.reason !== undefined)
      expect(last).toEqual({ complete: false, reason: expect.stringMatching(/./) });
  });

  it("index, stopped before its files are divided → that it is incomplete; the same command does the rest", async () => {
    const args = [...indexedJob(), "--out", join(folder, "index"), "--json"];
    const stop = new AbortController();
    stop.abort(new Error("stopped by SIGINT"));
    const { code, stdout } = await runCommand(args, { signal: stop.signal });
    expect([code, lastOf(stdout)]).toEqual([130, { complete: false, reason: "stopped by SIGINT" }]);
    expect(lastOf((await runCommand(args)).stdout)).toEqual({
      ...{ type: "summary", complete: true, entries: 1, jobs: 1, missing: [] },
    });
  });

  it("index, one job of two is not usable → it is named in the last value", async () => {
    const empty = join(folder, "empty.cdx");
    writeFileSync(empty, " CDX N b a m s k V g\n");
    const args = [...indexedJob(), "--job", "8", "--cdx", empty, "--out", join(folder, "index")];
    const { code, stdout } = await runCommand([...args, "--json"]);
    expect([code, lastOf(stdout)]).toEqual([
      1,
      {
        ...{ type: "summary", complete: false, entries: 1, jobs: 1 },
        missing: [{ jobId: "8", reason: expect.stringMatching(/./) }],
      },
    ]);
  });

  it("validate, stopped between two records → its lines, and last that they are not all", async () => {
    const input = xml("stopped.xml", record("a"), record("b"), record("c"));
    const given = ruleFile("stopped.json", rules);
    const stop = new AbortController();
    stop.abort(new Error("stopped by SIGTERM"));
    const { code, stdout } = await runCommand(["validate", input, "--rules", given, "--json"], {
      signal: stop.signal,
    });
    expect([code, lastOf(stdout)]).toEqual([130, { complete: false, reason: "stopped by SIGTERM" }]);
  });
});
