import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, renameSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getSurt, WARCParser } from "warcio";
import { openPromise } from "yauzl";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { jsonLines, runCommand } from "./run-command.ts";

let server: Server;
let origin: string;
/** Changes from capture to capture. */
let version = 1;
let pageCount = 3;
/** What was sent last, by path: bodies without their transfer coding. */
const sent = new Map<string, Buffer>();

const imageOf = (path: string) =>
  Buffer.alloc(6000, path === "/same.png" ? "same" : `changes ${version} ${path}`);

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    const links = Array.from({ length: pageCount }, (_, n) => `<a href=/page/${n}/>n</a>`).join("");
    const page = `<title>Page &amp; ${path}</title><img src=/same.png><img src=/new.png>${path} version ${version}${path === "/" ? links : ""}`;
    const body =
      path === "/robots.txt" ? Buffer.alloc(0) : path.endsWith(".png") ? imageOf(path) : Buffer.from(page);
    sent.set(path, body);
    if (path === "/robots.txt") return void response.writeHead(404).end();
    if (path.endsWith(".png")) return void response.writeHead(200, { "content-type": "image/png" }).end(body);
    response.writeHead(200, { "content-type": "Text/HTML; charset=utf-8" });
    // Without a length it is chunked.
    response.write(body.subarray(0, 40));
    response.end(body.subarray(40));
  });
  origin = await listen(server);
});
afterAll(() => void server.close());

async function capture(out: string, ...more: string[]): Promise<void> {
  const args = ["capture", `${origin}/`, "--out", out, "--delay", "0", "--allow-private", ...more];
  expect((await runCommand(args)).code).toBe(0);
}

/** The files of a zip, and whether each is stored as it is. */
async function unzip(file: string): Promise<Map<string, { content: Buffer; isStored: boolean }>> {
  const found = new Map<string, { content: Buffer; isStored: boolean }>();
  const zip = await openPromise(file, { autoClose: true });
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    found.set(entry.fileName, { content: Buffer.concat(chunks), isStored: entry.compressionMethod === 0 });
  }
  return found;
}

describe("wacz", () => {
  it("a capture → a package with pages, an index by the keys of the viewer, and the hashes of what is in the zip", async () => {
    version = 1;
    const folder = temporaryFolder();
    await capture(join(folder, "c"));
    const file = join(folder, "c.wacz");
    const { code, stderr } = await runCommand(["wacz", join(folder, "c"), "--out", file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${file}: 7 captures, 1 WARC file\n` });
    const files = await unzip(file);
    const description = JSON.parse(String(files.get("datapackage.json")?.content));
    expect(description).toMatchObject({ profile: "data-package", wacz_version: "1.1.1" });
    const paths = description.resources.map(({ path }: { path: string }) => path);
    expect([...files.keys()]).toEqual([
      ...paths.filter((p: string) => p.startsWith("archive/")),
      "indexes/index.cdxj",
      "pages/pages.jsonl",
      "pages/extraPages.jsonl",
      "datapackage.json",
      "datapackage-digest.json",
    ]);
    for (const { path, hash, bytes } of description.resources) {
      const { content = Buffer.alloc(0), isStored } = files.get(path) ?? {};
      expect(hash, path).toBe(`sha256:${createHash("sha256").update(content).digest("hex")}`);
      expect(bytes).toBe(content.byteLength);
      expect(isStored, path).toBe(path.endsWith(".gz"));
    }
    const digest = JSON.parse(String(files.get("datapackage-digest.json")?.content));
    const described = createHash("sha256")
      .update(files.get("datapackage.json")?.content ?? "")
      .digest("hex");
    expect(digest).toEqual({ path: "datapackage.json", hash: `sha256:${described}` });
    const [head, ...pages] = jsonLines(String(files.get("pages/pages.jsonl")?.content));
    expect(head).toMatchObject({ format: "json-pages-1.0", id: "pages", hasText: true });
    // The text is that of a chunked response in a WARC file.
    expect(pages).toMatchObject([
      { url: `${origin}/`, title: "Page & /", text: expect.stringMatching(/^\/ version 1/) },
    ]);
    const [extraHead, ...extra] = jsonLines(String(files.get("pages/extraPages.jsonl")?.content));
    expect(extraHead).toMatchObject({ format: "json-pages-1.0", id: "extraPages" });
    expect(extra).toMatchObject(
      [0, 1, 2].map((n) => ({ url: `${origin}/page/${n}/`, title: `Page & /page/${n}/` })),
    );
    expect(pages[0].ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    for (const line of String(files.get("indexes/index.cdxj")?.content).trimEnd().split("\n")) {
      const { url, offset, length, filename } = JSON.parse(line.slice(line.indexOf("{")));
      expect(line.split(" ", 1)[0]).toBe(getSurt(url));
      const warc = files.get(`archive/${filename}`)?.content ?? Buffer.alloc(0);
      const record = gunzipSync(warc.subarray(Number(offset), Number(offset) + Number(length)));
      expect(String(record)).toContain(`WARC-Target-URI: ${url}\r\n`);
    }
  });

  it("an index of 50 kB and more → blocks of 256 lines, each found by its first key", async () => {
    pageCount = 300;
    const folder = temporaryFolder();
    await capture(join(folder, "c"));
    pageCount = 3;
    const file = join(folder, "c.wacz");
    await runCommand(["wacz", join(folder, "c"), "--out", file]);
    const files = await unzip(file);
    const packed = files.get("indexes/index.cdx.gz");
    expect(packed?.isStored).toBe(true);
    const [meta, ...blocks] = String(files.get("indexes/index.idx")?.content).trimEnd().split("\n");
    expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}');
    const counts: number[] = [];
    const lines = blocks.flatMap((line) => {
      const { offset, length, digest } = JSON.parse(line.slice(line.indexOf("{")));
      const member = packed?.content.subarray(offset, offset + length) ?? Buffer.alloc(0);
      expect(digest).toBe(`sha256:${createHash("sha256").update(member).digest("hex")}`);
      const inside = gunzipSync(member).toString().trimEnd().split("\n");
      expect(inside[0]?.startsWith(line.slice(0, line.indexOf(" {")))).toBe(true);
      counts.push(inside.length);
      return inside;
    });
    expect(counts).toEqual([256, 48]);
    expect(lines).toEqual([...lines].sort());
  });

  it("three captures of a site that changes → an independent reader agrees on every record and gets every byte of each", async () => {
    const folder = temporaryFolder();
    const outs = ["1", "2", "3"].map((name) => join(folder, name));
    const originals = new Map<string, Buffer>();
    const jobs: string[] = [];
    for (const [at, out] of outs.entries()) {
      sent.clear();
      version = at + 1;
      const index = join(folder, `index-${at}`);
      if (at > 0) await runCommand(["index", ...jobs, "--out", index]);
      await capture(out, ...(at > 0 ? ["--index", index] : []));
      jobs.push(
        "--job",
        String(at + 1),
        "--crawl-log",
        join(out, "crawl.log"),
        "--cdx",
        join(out, "index.cdxj"),
      );
      const replayed = await replay(out, originals);
      expect([...replayed.keys()].sort()).toEqual([...sent.keys()].sort());
      for (const [path, body] of sent) expect(replayed.get(path)?.equals(body), path).toBe(true);
      expect(replayed.size).toBe(7);
    }
    // The third refers to the first: not to the second, which refers to the first itself.
    const alone = await runCommand(["wacz", outs[2] ?? "", "--out", join(folder, "3.wacz")]);
    expect(alone).toMatchObject({ code: 1, stderr: expect.any(String) });
    expect(alone.stderr).toMatch(
      /^ {2}(\S+\/same\.png): content captured at 20\d\d-\d\d-\d\dT[\d:]{8}Z from \1, in INGATHER-\S+\.warc\.gz at \d+$/m,
    );
    // The WARC files of the first one, as those of another crawler, without its index.
    const warcs = readdirSync(outs[0] ?? "").filter((name) => name.endsWith(".warc.gz"));
    const others = warcs.map((name) => join(outs[0] ?? "", name));
    const withOthers = await runCommand(["wacz", outs[2] ?? "", ...others, "--out", join(folder, "3.wacz")]);
    expect(withOthers).toMatchObject({ code: 0, stderr: expect.stringContaining("2 WARC files\n") });
    const packed = await unzip(join(folder, "3.wacz"));
    const same = String(packed.get("indexes/index.cdxj")?.content)
      .split("\n")
      .filter((line) => line.includes("/same.png"))
      .map((line) => JSON.parse(line.slice(line.indexOf("{"))));
    const original = readFileSync(join(outs[0] ?? "", "index.cdxj"), "utf8")
      .split("\n")
      .find((line) => line.includes("/same.png"));
    expect(same).toContainEqual(JSON.parse(original?.slice(original.indexOf("{")) ?? ""));
    const both = await runCommand(["wacz", outs[2] ?? "", outs[0] ?? "", "--out", join(folder, "3.wacz")]);
    expect(both.code).toBe(0);
  });

  it.each([
    [[], /^DIR: is required/],
    [["nowhere", "--out", "a.wacz"], /^DIR: holds no capture/],
    [["nowhere"], /^--out: must be a file whose name ends with \.wacz/],
    [["nowhere", "--out", "a.zip"], /^--out: must be a file/],
  ])("%j → wrong use", async (args, message) => {
    const { code, stderr } = await runCommand(["wacz", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("a capture that is still written → refused", async () => {
    const folder = temporaryFolder();
    await capture(folder);
    const warc = readdirSync(folder).find((name) => name.endsWith(".warc.gz")) ?? "";
    renameSync(join(folder, warc), join(folder, `${warc}.open`));
    const { code, stderr } = await runCommand(["wacz", folder, "--out", join(folder, "a.wacz")]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is still being captured"),
    });
  });
});

/**
 * Reads all records of a capture by warcio.js, checks their digests and lengths, and gives each content by its path. Revisits
 * get the content of their original.
 * @param originals contents by URL, second (an index has no milliseconds) and id of the record, also of earlier captures
 */
async function replay(out: string, originals: Map<string, Buffer>): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const ids = new Set<string>();
  for (const name of readdirSync(out).filter((each) => each.endsWith(".warc.gz"))) {
    const stream = createReadStream(join(out, name));
    for await (const record of new WARCParser(stream as AsyncIterable<Uint8Array>, { parseHttp: false })) {
      const block = Buffer.from(await record.readFully(false));
      const header = (field: string) => record.warcHeader(field) ?? "";
      expect(Number(header("Content-Length"))).toBe(block.byteLength);
      expect(header("WARC-Block-Digest")).toBe(sha1(block));
      const path = header("WARC-Target-URI").slice(origin.length);
      if (record.warcType === "response") {
        const content = payloadOf(block);
        expect(header("WARC-Payload-Digest"), path).toBe(content.byteLength === 0 ? "" : sha1(content));
        contents.set(path, content);
        expect(ids.has(header("WARC-Record-ID"))).toBe(false);
        ids.add(header("WARC-Record-ID"));
        originals.set(
          `${header("WARC-Target-URI")} ${header("WARC-Date")} ${header("WARC-Record-ID")}`,
          content,
        );
      } else if (record.warcType === "revisit") {
        const original = originals.get(
          `${header("WARC-Refers-To-Target-URI")} ${header("WARC-Refers-To-Date")} ${header("WARC-Refers-To")}`,
        );
        expect(original, path).toBeDefined();
        expect(header("WARC-Payload-Digest")).toBe(sha1(original ?? Buffer.alloc(0)));
        contents.set(path, original ?? Buffer.alloc(0));
      }
    }
  }
  return contents;
}

/** Without the head, and without the transfer coding. */
function payloadOf(block: Buffer): Buffer {
  const end = block.indexOf("\r\n\r\n") + 4;
  const body = block.subarray(end);
  if (!/\r\ntransfer-encoding: chunked\r\n/i.test(block.subarray(0, end).toString("latin1"))) return body;
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.subarray(at, line).toString("latin1"), 16);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/** By a base 32 of its own. */
function sha1(content: Buffer): string {
  const hex = createHash("sha1").update(content).digest("hex");
  const bits = BigInt(`0x${hex}`).toString(2).padStart(160, "0");
  const digits = (bits.match(/.{5}/g) ?? []).map(
    (five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)],
  );
  return `sha1:${digits.join("")}`;
}
