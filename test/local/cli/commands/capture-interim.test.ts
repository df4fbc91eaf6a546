import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

const answer = (status: string, body: string, more = "") =>
  `HTTP/1.1 ${status}\r\n${more}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
const none = answer("404 Not Found", "");
const page = answer("200 OK", "at last", "Content-Type: text/plain\r\n");
const cut = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nno more than th";

/** What the hosts answer, by path, one after the other; the last one stays. */
const hosts: Record<string, string[]>[] = [
  { "/robots.txt": [none], "/": [answer("503 Service Unavailable", "later"), page] },
  { "/robots.txt": [none], "/": [cut, page] },
  {
    "/robots.txt": [answer("301 Moved Permanently", "", "Location: /rules.txt\r\n")],
    "/rules.txt": [answer("200 OK", "User-agent: *\nDisallow: /x\n", "Content-Type: text/plain\r\n")],
    "/": [answer("200 OK", "<a href=/x>x</a>", "Content-Type: text/html\r\n")],
  },
];

let servers: Server[] = [];
let origins: string[] = [];
/** What was sent, by URL. */
const sent: string[] = [];

beforeAll(async () => {
  servers = hosts.map((answers, host) =>
    createServer((socket: Socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => {
        const path = data.toString().split(" ", 2)[1] ?? "";
        const waiting = answers[path] ?? [none];
        const text = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? "";
        sent.push(`${origins[host]}${path} ${text}`);
        socket.end(text);
      });
    }),
  );
  origins = await Promise.all(servers.map(listen));
});
afterAll(() => {
  for (const server of servers) server.close();
});

it("an answer that is retried, and what a robots.txt moves to → each exchange in one record, with its line", async () => {
  const out = temporaryFolder();
  const seeds = origins.map((origin) => `${origin}/`);
  const { code, stdout } = await runCommand([
    "capture",
    ...seeds,
    "--out",
    out,
    "--delay",
    "0",
    "--allow-private",
    "--json",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ fetched: 5, failed: 1, complete: true });
  const stored = readdirSync(out)
    .filter((name) => name.endsWith(".warc.gz"))
    .flatMap((name) => {
      const records = gunzipSync(readFileSync(join(out, name)))
        .toString("latin1")
        .split(/(?<=\r\n\r\n)(?=WARC\/1\.1\r\n)/);
      return records.filter((record) => /^WARC-Type: response/m.test(record));
    })
    .map((record) => {
      const url = /^WARC-Target-URI: (.*)\r$/m.exec(record)?.[1];
      return `${url} ${record.slice(record.indexOf("\r\n\r\n") + 4, -4)}`;
    });
  expect(stored.sort()).toEqual(sent.toSorted());
  expect(
    stored.filter((each) => each.includes("rules.txt") && each.includes("Disallow")).length,
  ).toBeGreaterThan(0);
  const lines = (name: string) => readFileSync(join(out, name), "utf8").trimEnd().split("\n");
  const log = lines("crawl.log");
  // The page that robots.txt forbids has a line, too.
  expect(log.length).toBe(sent.length + 1);
  expect(log.filter((line) => line.includes(" disconnectTrunc")).length).toBe(1);
  expect(log.filter((line) => line.includes(" 503 ")).length).toBe(1);
  expect(log.some((line) => / 200 +\d+ \S+\/rules\.txt P http/.test(line))).toBe(true);
  expect(lines("index.cdxj").length).toBe(sent.length);
});
