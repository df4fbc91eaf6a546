import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

const utf8InLatin1 = (text: string) => Buffer.from(text).toString("latin1");
const withLength = (body: string, more = "") => `${more}Content-Length: ${body.length}\r\n\r\n${body}`;

const links =
  "<a href='/x|y^ z?q=|^ %'>odd</a><a href='/100%'>percent</a><a href=/moved>moved</a><a href=/hints>hints</a><a href=/none>none</a>";
const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
/** Nobody knows where it ends. */
const unreadable = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi";

/** Answers as hosts give them, in Latin-1, by path. */
const answers: Record<string, string> = {
  "/robots.txt": `HTTP/1.1 404 Not Found\r\n${withLength("")}`,
  // A compression that is announced and not applied; repeated and invalid headers.
  "/": `HTTP/1.1 200 OK\r\n${withLength(links, "Content-Type: text/html\r\nContent-Encoding: gzip\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nPower by: x\r\nName : y\r\n")}`,
  "/x|y%5E%20z?q=|^%20%": `HTTP/1.1 200 OK\r\n${withLength("odd", "Content-Type: text/plain\r\n")}`,
  "/100%": `HTTP/1.1 200 OK\r\n${withLength("percent", "Content-Type: my type\r\n")}`,
  "/moved": `HTTP/1.1 302 \r\n${withLength("", `Location: ${utf8InLatin1("/bücher")}\r\n`)}`,
  "/b%C3%BCcher": "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 5\n\nbooks",
  "/hints": `HTTP/1.1 200 OK\r\n${withLength("hinted")}`,
  "/none": unreadable,
};

let server: Server;
let origin: string;
let heads: string[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => {
      const head = data.toString("latin1");
      heads.push(head);
      const path = head.split(" ", 2)[1] ?? "";
      if (path === "/hints") socket.write(hints);
      socket.write(answers[path] ?? `HTTP/1.1 404 Not Found\r\n${withLength("")}`, "latin1");
    });
  });
  origin = await listen(server);
});
afterAll(() => void server.close());

async function capture(): Promise<string> {
  heads = [];
  const out = temporaryFolder();
  const { code } = await runCommand([
    "capture",
    `${origin}/`,
    "--out",
    out,
    "--delay",
    "0",
    "--allow-private",
  ]);
  expect(code).toBe(0);
  return out;
}

const linesOf = (out: string, name: string) => readFileSync(join(out, name), "utf8").trimEnd().split("\n");

/** Members of the file, each as it stands there and without its compression. */
function membersOf(out: string): { packed: Buffer; record: Buffer }[] {
  const [name = ""] = readdirSync(out).filter((each) => each.endsWith(".warc.gz"));
  const file = readFileSync(join(out, name));
  const found: { packed: Buffer; record: Buffer }[] = [];
  for (let at = 0; at < file.byteLength; ) {
    let end = at + 20;
    for (; ; end++) {
      end = file.indexOf(Buffer.from([0x1f, 0x8b, 0x08]), end);
      if (end < 0) end = file.byteLength;
      try {
        const packed = file.subarray(at, end);
        found.push({ packed, record: gunzipSync(packed) });
        break;
      } catch {
        // These bytes stand inside a member.
      }
    }
    at = end;
  }
  return found;
}

const headerOf = (record: Buffer) => record.subarray(0, record.indexOf("\r\n\r\n")).toString();
const blockOf = (record: Buffer) => record.subarray(record.indexOf("\r\n\r\n") + 4, -4).toString("latin1");

describe("a capture of a site with odd answers", () => {
  it("each response → as it came; URLs alike in the WARC, the CDXJ and the log", async () => {
    const out = await capture();
    const responses = membersOf(out).filter(({ record }) => headerOf(record).includes("WARC-Type: response"));
    const byUrl = new Map(
      responses.map(({ record }) => [/WARC-Target-URI: (.*)/.exec(headerOf(record))?.[1] ?? "", record]),
    );
    const urls = Object.keys(answers).map((path) => origin + path);
    expect([...byUrl.keys()].sort()).toEqual(urls.toSorted());
    for (const path of Object.keys(answers)) {
      expect(blockOf(byUrl.get(origin + path) as Buffer), path).toBe(answers[path]);
    }
    const cdxj = linesOf(out, "index.cdxj");
    const readable = urls.filter((url) => !url.endsWith("/none"));
    expect(cdxj.map((line) => JSON.parse(line.slice(line.indexOf("{"))).url).sort()).toEqual(
      readable.toSorted(),
    );
    expect(cdxj).toEqual(cdxj.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    const log = linesOf(out, "crawl.log").map((line) => line.split(/ +/));
    expect(log.map(([, , , url]) => url).sort()).toEqual(urls.toSorted());
    expect(log.every((fields) => fields.length === 12)).toBe(true);
    const logOf = (path: string) => log.find(([, , , url]) => url === origin + path);
    expect(logOf("/moved")?.[1]).toBe("302");
    expect(logOf("/100%")?.[6]).toBe("no-type");
    expect(logOf("/none")?.[1]).toBe("-3");
    expect(logOf("/none")?.[11]).toBe("unspecifiedTrunc");
  });

  it("no answer, and answers before one → in records of the exchange, as they came", async () => {
    const records = membersOf(await capture()).map(({ record }) => record);
    const of = (path: string) => records.filter((each) => headerOf(each).includes(`: ${origin}${path}\r\n`));
    expect(of("/none").map((each) => /^WARC-Type: (.*)$/m.exec(headerOf(each))?.[1])).toEqual([
      "response",
      "request",
      "metadata",
    ]);
    const [response = Buffer.alloc(0)] = of("/none");
    expect(headerOf(response)).toMatch(/^WARC-Truncated: unspecified\r?$/m);
    expect(headerOf(response)).not.toContain("WARC-Payload-Digest");
    const [main = Buffer.alloc(0), , , informational = Buffer.alloc(0)] = of("/hints");
    expect(headerOf(informational)).toMatch(/^WARC-Type: metadata\r?$/m);
    expect(headerOf(informational)).toMatch(/^Content-Type: application\/http;msgtype=response\r?$/m);
    expect(blockOf(informational)).toBe(hints);
    const id = /^WARC-Record-ID: (.*?)\r?$/m.exec(headerOf(main))?.[1];
    expect(headerOf(informational)).toContain(`WARC-Concurrent-To: ${id}`);
  });

  it("each request → asks for gzip alone, for the whole, and unconditionally", async () => {
    await capture();
    for (const head of heads) {
      expect(head).toMatch(/^accept-encoding: gzip\r$/im);
      expect(head).not.toMatch(/^(te|range|if-[a-z-]+):/im);
    }
  });

  it("members → one record each, without extra fields in their headers", async () => {
    for (const { packed, record } of membersOf(await capture())) {
      expect(packed[3]).toBe(0);
      const length = Number(/Content-Length: (\d+)/.exec(headerOf(record))?.[1]);
      expect(record.byteLength).toBe(record.indexOf("\r\n\r\n") + 4 + length + 4);
      expect(record.subarray(-4).toString()).toBe("\r\n\r\n");
    }
  });
});
