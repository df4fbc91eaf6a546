import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

const hosts = 10;
const images = 15;

let servers: Server[] = [];
let origins: string[] = [];
/** How often each URL was requested. */
let requests: Map<string, number>;
/** Hosts that got a request while another one was in progress. */
let crowded: Set<string>;
let onRequest: () => void = () => {};

beforeAll(async () => {
  servers = Array.from({ length: hosts }, (_, host) => {
    let running = 0;
    return createServer((request, response) => {
      const origin = origins[host] ?? "";
      const path = request.url ?? "";
      requests.set(origin + path, (requests.get(origin + path) ?? 0) + 1);
      if (++running > 1) crowded.add(origin);
      onRequest();
      // In a later turn, so that requests that are sent at the same time meet.
      setImmediate(() => {
        running -= 1;
        if (path === "/robots.txt") return void response.writeHead(404).end();
        if (path !== "/")
          return void response.writeHead(200, { "content-type": "image/png" }).end(path.repeat(300));
        const own = Array.from({ length: images }, (_, n) => `<img src=/${n}.png>`);
        // Of the next host, which another thread may request.
        const next = origins[(host + 1) % hosts];
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(`${own.join("")}<img src=${next}/of-${host}.png>`);
      });
    });
  });
  origins = await Promise.all(servers.map(listen));
});
afterAll(() => {
  for (const server of servers) server.close();
});

const argumentsOf = (out: string, threads: number) => [
  "capture",
  ...origins.map((origin) => `${origin}/`),
  "--out",
  out,
  "--delay",
  "0",
  "--allow-private",
  "--json",
  "--threads",
  String(threads),
];

function begin(): void {
  requests = new Map();
  crowded = new Set();
  onRequest = () => {};
}

interface Read {
  type: string;
  url: string;
  file: string;
  payload: string | undefined;
}

/** All records of all files, without the code under test. */
function recordsOf(out: string): Read[] {
  return readdirSync(out)
    .filter((name) => name.endsWith(".warc.gz"))
    .flatMap((file) => {
      const bytes = gunzipSync(readFileSync(join(out, file)));
      const found: Read[] = [];
      for (let at = 0; at < bytes.byteLength; ) {
        const end = bytes.indexOf("\r\n\r\n", at);
        const head = bytes.toString("utf8", at, end);
        const field = (name: string) => new RegExp(`^${name}: (.*?)\r?$`, "m").exec(head)?.[1];
        found.push({
          type: field("WARC-Type") ?? "",
          url: field("WARC-Target-URI") ?? "",
          file,
          payload: field("WARC-Payload-Digest"),
        });
        at = end + 4 + Number(field("Content-Length")) + 4;
      }
      return found;
    });
}

const described = (records: Read[]) =>
  records
    .filter(({ type }) => type !== "warcinfo")
    .map(({ type, url, payload }) => `${type} ${url} ${payload ?? ""}`)
    .sort();
const linesOf = (out: string, name: string) => readFileSync(join(out, name), "utf8").trimEnd().split("\n");

/**
 * Each URL in one record of each kind, one line of the log and one of the index, which is sorted.
 * @param continued whether the rules of a robots.txt may have been needed again
 */
function expectWhole(out: string, continued = false): void {
  const records = recordsOf(out);
  const once = (found: (string | undefined)[]) =>
    (continued
      ? found.filter((url, at) => !url?.endsWith("/robots.txt") || found.indexOf(url) === at)
      : found
    ).sort();
  const urls = origins.flatMap((origin, host) => [
    ...["/", "/robots.txt", ...Array.from({ length: images }, (_, n) => `/${n}.png`)].map(
      (path) => origin + path,
    ),
    `${origin}/of-${(host + hosts - 1) % hosts}.png`,
  ]);
  for (const type of ["response", "request", "metadata"]) {
    expect(once(records.filter((record) => record.type === type).map(({ url }) => url))).toEqual(
      urls.toSorted(),
    );
  }
  const log = linesOf(out, "crawl.log");
  expect(once(log.map((line) => line.split(/ +/)[3]))).toEqual(urls.toSorted());
  expect(log.map((line) => line.slice(0, 24))).toEqual(log.map((line) => line.slice(0, 24)).sort());
  const index = linesOf(out, "index.cdxj");
  expect(index).toEqual(
    index
      .map((line) => Buffer.from(line))
      .sort(Buffer.compare)
      .map(String),
  );
  expect(once(index.map((line) => JSON.parse(line.slice(line.indexOf("{"))).url))).toEqual(urls.toSorted());
}

describe("capture with several threads", () => {
  it("as many records as with one, each URL once, one request at a time per host, files that are numbered on", async () => {
    const [one, several] = [temporaryFolder(), temporaryFolder()];
    begin();
    expect((await runCommand(argumentsOf(one, 1))).code).toBe(0);
    begin();
    const { code, stdout } = await runCommand(argumentsOf(several, 3));
    expect(code).toBe(0);
    expect([...requests.values()].every((times) => times === 1)).toBe(true);
    expect([...crowded]).toEqual([]);
    expect(described(recordsOf(several))).toEqual(described(recordsOf(one)));
    expectWhole(several);
    const { files, fetched } = JSON.parse(stdout);
    expect(fetched).toBe(hosts * (images + 2));
    expect(files.map((name: string) => name.slice(-14, -8)).sort()).toEqual(["-00000", "-00001", "-00002"]);
  });

  it("killed in the middle → the same command continues; each URL in one record", async () => {
    begin();
    const out = temporaryFolder();
    const child = spawn(process.execPath, ["local/ingather.js", ...argumentsOf(out, 3)], { stdio: "ignore" });
    let count = 0;
    onRequest = () => {
      if (++count === 110) child.kill("SIGKILL");
    };
    await once(child, "exit");
    expect(count).toBeLessThan(hosts * (images + 3));
    onRequest = () => {};
    const { code } = await runCommand(argumentsOf(out, 2));
    expect(code).toBe(0);
    expectWhole(out, true);
  });
});
