import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

/** What the site has: by path, media type and content. */
let pages: Record<string, [type: string, body: string | Buffer]>;
let requests: string[] = [];
/** Answers for robots.txt, when set. */
let robots: ((response: ServerResponse) => void) | undefined;
/** Called instead of an answer for /held, when set. */
let onHeld: (() => void) | undefined;
/** The Retry-After of what answers 503, by path. */
let patience: Record<string, string> = {};
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    if (path === "/robots.txt" && robots !== undefined) return robots(response);
    if (path === "/held" && onHeld !== undefined) return onHeld();
    const retryAfter = patience[path];
    if (retryAfter !== undefined)
      return void response.writeHead(503, { "retry-after": retryAfter }).end("later");
    if (path === "/moved") return void response.writeHead(302, { location: "/deep" }).end("moved");
    const [type, body] = pages[path] ?? [];
    if (type === undefined) return void response.writeHead(404, { "content-type": "text/plain" }).end("no");
    // The home page has no length, so it is chunked.
    const length = path === "/" ? {} : { "content-length": Buffer.byteLength(body ?? "") };
    response.writeHead(200, { "content-type": type, "set-cookie": ["a=1", "b=2"], ...length });
    response.write(body ?? "");
    response.end();
  });
  origin = await listen(server);
});
afterAll(() => void server.close());

const image = (seed: number) => Buffer.alloc(4000, seed);

function site(change: Partial<typeof pages> = {}): void {
  requests = [];
  patience = {};
  pages = {
    "/robots.txt": ["text/plain", "User-agent: *\nDisallow: /private\n"],
    "/": [
      "text/html",
      "<link rel=stylesheet href=/a.css><img src=/1.png srcset='/2.png 2x'><a href=/deep>x</a><a href=/moved>y</a><a href=/private>z</a><a href=/gone>g</a>",
    ],
    "/a.css": ["text/css", "a { background: url(/3.png) }"],
    "/deep": ["text/html", "<a href=/deeper>x</a>"],
    "/deeper": ["text/html", "far"],
    "/1.png": ["image/png", image(1)],
    "/2.png": ["image/png", image(2)],
    "/3.png": ["image/png", image(3)],
    ...(change as typeof pages),
  };
}

async function capture(out: string, ...more: string[]) {
  const args = ["capture", `${origin}/`, "--out", out, "--delay", "0", "--allow-private", "--json", ...more];
  const { code, stdout, stderr } = await runCommand(args);
  return { code, stderr, summary: JSON.parse(stdout || "{}") };
}

interface Found {
  type: string;
  fields: Record<string, string>;
  block: Buffer;
}

/** By the CDXJ, each record as its member says, without the code under test. */
function read(out: string): Map<string, Found> {
  const lines = readFileSync(join(out, "index.cdxj"), "utf8").trimEnd().split("\n");
  const found = new Map<string, Found>();
  for (const line of lines) {
    const { url, filename, offset, length } = JSON.parse(line.slice(line.indexOf("{")));
    const member = readFileSync(join(out, filename)).subarray(
      Number(offset),
      Number(offset) + Number(length),
    );
    const bytes = gunzipSync(member);
    const end = bytes.indexOf("\r\n\r\n");
    const fields = Object.fromEntries(
      bytes
        .subarray(0, end)
        .toString()
        .split("\r\n")
        .slice(1)
        .map((field) => [field.split(": ", 1)[0], field.slice(field.indexOf(": ") + 2)]),
    );
    const block = bytes.subarray(end + 4, -4);
    expect(block.byteLength).toBe(Number(fields["Content-Length"]));
    expect(fields["WARC-Target-URI"]).toBe(url);
    found.set(url.slice(origin.length), { type: fields["WARC-Type"] ?? "", fields, block });
  }
  return found;
}

const bodyOf = ({ block }: Found) => block.subarray(block.indexOf("\r\n\r\n") + 4);
const paths = (found: Map<string, Found>, type: string) =>
  [...found].filter(([, record]) => record.type === type).map(([path]) => path);

describe("capture", () => {
  it("a site → each resource in scope once, byte for byte; what robots.txt forbids is in the log alone", async () => {
    site();
    const out = temporaryFolder();
    const { code, summary } = await capture(out);
    expect({ code, summary }).toMatchObject({
      code: 0,
      summary: { fetched: 9, failed: 1, duplicates: 0, waiting: 0, complete: true },
    });
    const found = read(out);
    expect(paths(found, "response").sort()).toEqual(
      ["/", "/1.png", "/2.png", "/3.png", "/a.css", "/deep", "/gone", "/moved", "/robots.txt"].sort(),
    );
    expect(bodyOf(found.get("/2.png") as Found)).toEqual(image(2));
    // The framing of chunks stays; the digest is of what they hold.
    const page = found.get("/") as Found;
    expect(bodyOf(page).toString()).toMatch(/^[0-9a-f]+\r\n<link[\s\S]*\r\n0\r\n\r\n$/);
    const log = readFileSync(join(out, "crawl.log"), "utf8");
    const digest = /sha1:(\w+)/.exec(log.split("\n")[1] ?? "")?.[1];
    const wanted = createHash("sha1").update(String(pages["/"]?.[1])).digest("hex");
    expect(page.fields["WARC-Payload-Digest"]).toBe(`sha1:${digest}`);
    expect(Buffer.from(base32Decode(digest ?? "")).toString("hex")).toBe(wanted);
    expect(log).toMatch(/ -9998 +0 \S+\/private L /);
    expect(log).toMatch(/ 302 +5 \S+\/moved L /);
    // The robots.txt that is obeyed is the one that is stored: it is requested once, before all others.
    expect(requests.length).toBe(9);
    expect(requests[0]).toBe("/robots.txt");
    expect(bodyOf(found.get("/robots.txt") as Found).toString()).toBe("User-agent: *\nDisallow: /private\n");
    expect(log).toMatch(/ 200 +33 \S+\/robots\.txt P http:\S+ text\/plain /);
    expect(readdirSync(out).some((name) => name === "spool")).toBe(false);
  });

  it.each([
    ["503", (response) => void response.writeHead(503).end("later"), 503],
    [
      "a redirect to itself",
      (response) => void response.writeHead(301, { location: "/robots.txt" }).end(),
      301,
    ],
  ] satisfies [string, (response: ServerResponse) => void, number][])(
    "a robots.txt that responds %s → stored; the pages wait for a server that fails, and not for one without rules",
    async (_title, answer, status) => {
      site();
      robots = answer;
      const out = temporaryFolder();
      const { code, summary } = await capture(out, "--depth", "0");
      robots = undefined;
      expect(read(out).get("/robots.txt")?.block.toString()).toMatch(`HTTP/1.1 ${status} `);
      const isForbidden = status === 503;
      expect({ code, fetched: summary.fetched }).toEqual(
        isForbidden ? { code: 1, fetched: 1 } : { code: 0, fetched: 5 },
      );
    },
  );

  it("depth 0 → the page and what it is made of", async () => {
    site();
    const out = temporaryFolder();
    await capture(out, "--depth", "0");
    expect([...read(out).keys()].sort()).toEqual([
      "/",
      "/1.png",
      "/2.png",
      "/3.png",
      "/a.css",
      "/robots.txt",
    ]);
  });

  it("a second capture against the index of the first → revisits for unchanged images alone", async () => {
    site();
    const folder = temporaryFolder();
    const [first, second, third, index, later] = ["1", "2", "3", "i1", "i2"].map((name) =>
      join(folder, name),
    ) as [string, string, string, string, string];
    await capture(first);
    const job = (out: string) => ["--crawl-log", join(out, "crawl.log"), "--cdx", join(out, "index.cdxj")];
    await runCommand(["index", "--job", "1", ...job(first), "--out", index]);
    site({ "/2.png": ["image/png", image(9)], "/deep": ["text/html", "changed"] });
    const { summary } = await capture(second, "--index", index);
    expect(summary).toMatchObject({ duplicates: 2 });
    const found = read(second);
    expect(paths(found, "revisit").sort()).toEqual(["/1.png", "/3.png"]);
    const original = read(first).get("/1.png") as Found;
    const revisit = found.get("/1.png") as Found;
    expect(revisit.fields).toMatchObject({
      "WARC-Refers-To-Target-URI": `${origin}/1.png`,
      "WARC-Payload-Digest": original.fields["WARC-Payload-Digest"],
      "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
    });
    expect(revisit.fields["WARC-Refers-To-Date"]).toBe(original.fields["WARC-Date"]);
    expect(bodyOf(revisit).byteLength).toBe(0);
    // The next index knows the originals by the annotations of the second capture.
    await runCommand(["index", "--job", "1", ...job(first), "--job", "2", ...job(second), "--out", later]);
    site();
    const again = await capture(third, "--index", later);
    expect(again.summary).toMatchObject({ duplicates: 3 });
    expect((read(third).get("/1.png") as Found).fields["WARC-Refers-To-Date"]).toBe(
      revisit.fields["WARC-Refers-To-Date"],
    );
  });

  it("stopped by a limit, killed in the middle of a record → the same command continues; each URL once", async () => {
    site();
    const out = temporaryFolder();
    const { code, summary } = await capture(out, "--max-objects", "3");
    expect({ code, summary }).toMatchObject({ code: 1, summary: { fetched: 3, complete: false } });
    const [warc = ""] = summary.files;
    // As if the process had been killed: its file is open, and a record, a line and an entry are cut off.
    renameSync(join(out, warc), join(out, `${warc}.open`));
    appendFileSync(
      join(out, `${warc}.open`),
      gunzipSync(readFileSync(join(out, `${warc}.open`))).subarray(0, 99),
    );
    appendFileSync(join(out, "crawl.log"), "2026-01-01T00:00:00.000Z   200");
    appendFileSync(join(out, "index.cdxj.open"), "cut");
    appendFileSync(join(out, "capture.jsonl"), '{"url":');
    mkdirSync(join(out, "spool"));
    writeFileSync(join(out, "spool", "left"), "over");
    const rest = await capture(out);
    expect(rest).toMatchObject({ code: 0, summary: { fetched: 9, complete: true } });
    expect(rest.summary.files.length).toBe(2);
    for (const name of rest.summary.files) gunzipSync(readFileSync(join(out, name)));
    expect(paths(read(out), "response").length).toBe(9);
    const fetched = requests.filter((path) => path !== "/robots.txt");
    expect(fetched.length).toBe(new Set(fetched).size);
    const log = readFileSync(join(out, "crawl.log"), "utf8").trimEnd().split("\n");
    expect(log.filter((line) => !line.includes("/robots.txt ")).length).toBe(9);
    // Its rules were needed again; that response is stored, too.
    expect(log.filter((line) => line.includes("/robots.txt ")).length).toBe(2);
    // A third time: nothing is left to do.
    expect(await capture(out)).toMatchObject({ code: 0, summary: { fetched: 9 } });
  });

  it("a limit per object → longer bodies are cut there, and the log says so; rules are read whole", async () => {
    site({ "/robots.txt": ["text/plain", `# ${"x".repeat(2000)}\nUser-agent: *\nDisallow: /2.png\n`] });
    const out = temporaryFolder();
    expect(await capture(out, "--object-bytes", "1000", "--depth", "0")).toMatchObject({ code: 0 });
    const cut = [...read(out)].filter(([, { fields }]) => fields["WARC-Truncated"] === "length");
    expect(cut.map(([path]) => path)).toEqual(["/1.png", "/3.png"]);
    for (const [, record] of cut) expect(bodyOf(record).length).toBe(1000);
    const log = readFileSync(join(out, "crawl.log"), "utf8").trimEnd().split("\n");
    const lineOf = (path: string) => log.find((line) => line.includes(`${origin}${path} `));
    expect(lineOf("/1.png")).toMatch(/ 200 +1000 .* lenTrunc$/);
    expect(lineOf("/robots.txt")).toMatch(/ -$/);
    expect(lineOf("/2.png")).toMatch(/ -9998 /);
  });

  it("a WARC file that is full → another one", async () => {
    site();
    const { summary } = await capture(temporaryFolder(), "--warc-bytes", "1500");
    expect(summary.files.length).toBeGreaterThan(3);
  });

  it.each([
    [[], /^URL: is required/],
    [["http://a.example/"], /^--out: is required/],
    [["ftp://a.example/", "--out", "x"], /^URL: must be an http or https URL \(got "ftp:/],
    [["http://a.example/", "--out", "x", "--depth", "-1"], /--depth/],
    [[`http://a.example/${"x".repeat(9000)}`, "--out", "x"], /^URL: has more than 8192 characters/],
    [["http://a.example/", "--out", "x", "--depth", "1.5"], /^--depth: must be a whole number from 0 to 20/],
    [
      ["http://a.example/", "--out", "x", "--threads", "0"],
      /^--threads: must be a whole number from 1 to 64/,
    ],
    [
      ["http://a.example/", "--out", "x", "--max-objects", "0"],
      /^--max-objects: must be a whole number from 1/,
    ],
  ])("%j → wrong use", async (args, message) => {
    const { code, stderr } = await runCommand(["capture", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.runIf(process.platform === "linux")("a folder that cannot be created → said at once", async () => {
    const { code, stderr } = await runCommand(["capture", "http://a.example/", "--out", "/proc/a/b"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^--out: cannot be created in \/proc \(got "\/proc\/a\/b"\)/),
    });
  });

  it("a host that gives no answer, again → has failed as before", async () => {
    const args = [
      "capture",
      "http://127.0.0.1:1/",
      "--out",
      temporaryFolder(),
      "--delay",
      "0",
      "--allow-private",
    ];
    for (const _time of [1, 2]) {
      const { code, stderr } = await runCommand(args);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("1 URL requested, 1 failed"),
      });
    }
  });

  it("stopped while a URL is requested → not complete; the same command continues", async () => {
    site({ "/": ["text/html", "<a href=/held>x</a>"] });
    const stop = new AbortController();
    onHeld = () => stop.abort();
    const out = temporaryFolder();
    const args = ["capture", `${origin}/`, "--out", out, "--delay", "0", "--allow-private", "--json"];
    const stopped = await runCommand(args, { signal: stop.signal });
    expect({ code: stopped.code, summary: JSON.parse(stopped.stdout) }).toMatchObject({
      code: 130,
      summary: { fetched: 1, waiting: 1, complete: false },
    });
    onHeld = undefined;
    expect(await capture(out)).toMatchObject({ code: 0, summary: { fetched: 2, complete: true } });
  });

  it("a seed whose status is an error → exit code 1, again, until --retry-failed gets it", async () => {
    site();
    const out = temporaryFolder();
    const { "/": home, ...others } = pages;
    pages = others as typeof pages;
    const failed = { code: 1, stderr: expect.stringContaining(`${origin}/ answered 404`) };
    expect(await capture(out)).toMatchObject({
      ...failed,
      summary: { fetched: 1, failedSeeds: 1, complete: true },
    });
    requests = [];
    expect(await capture(out)).toMatchObject({ ...failed, summary: { fetched: 1, failedSeeds: 1 } });
    expect(requests).toEqual([]);
    expect(await capture(out, "--retry-failed")).toMatchObject({
      ...failed,
      summary: { fetched: 1, failedSeeds: 1 },
    });
    pages = { ...others, "/": home as (typeof pages)[string] };
    expect(await capture(out, "--retry-failed")).toMatchObject({
      code: 0,
      summary: { fetched: 9, failedSeeds: 0, complete: true },
    });
    requests = [];
    // /private alone has failed: it is asked of robots.txt again, and nothing else is requested.
    expect(await capture(out, "--retry-failed")).toMatchObject({
      code: 0,
      summary: { fetched: 9, failed: 1 },
    });
    expect(requests).toEqual(["/robots.txt"]);
  });

  it("a host that asks to wait for more than an hour → given up with that reason, as are its other URLs", async () => {
    site();
    patience = { "/": "100000" };
    const { code, stderr, summary } = await capture(temporaryFolder(), `${origin}/deep`);
    expect({ code, summary }).toMatchObject({ code: 1, summary: { fetched: 2, failedSeeds: 2, failed: 1 } });
    expect(stderr).toContain(`${origin}/ answered 503, and asks to wait: Retry-After 100000`);
    expect(stderr).toMatch(
      /\/deep: .*it asks for a wait of 100000 s \(Retry-After\), more than the longest permitted wait of 3600 s/,
    );
    expect(requests).toEqual(["/robots.txt", "/"]);
  });

  it("links of a page after the 50,000th → counted in the summary and the log", async () => {
    const links = Array.from({ length: 50_002 }, (_, n) => `<a href=http://other.example/${n}>x</a>`);
    site({ "/": ["text/html", links.join("")] });
    const out = temporaryFolder();
    const { stderr, summary } = await capture(out);
    expect(summary).toMatchObject({ fetched: 1, droppedLinks: 2, cutResources: 0 });
    expect(stderr).toContain(", 2 links dropped");
    expect(readFileSync(join(out, "crawl.log"), "utf8")).toContain(" linksDropped:2\n");
  });

  it("no index in the folder of --index → says in which", async () => {
    const index = temporaryFolder();
    const { code, stderr } = await capture(temporaryFolder(), "--index", index);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${index}: the deduplication index is incomplete`),
    });
  });

  it("a folder with another capture → refused", async () => {
    site();
    const out = temporaryFolder();
    await capture(out, "--depth", "0");
    const { code, stderr } = await capture(out, "--depth", "2");
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("with other settings"),
    });
  });
});

function base32Decode(text: string): number[] {
  const bits = [...text].map((digit) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(digit).toString(2).padStart(5, "0"),
  );
  return (
    bits
      .join("")
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? []
  );
}
