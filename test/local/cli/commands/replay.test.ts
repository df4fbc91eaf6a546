import { createServer, type IncomingMessage, get as request, type Server } from "node:http";
import { join } from "node:path";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../../../../local/browser/launch-browser.ts";
import { missingBrowser } from "../../../../local/browser/unpack-browser.ts";
import { readRange } from "../../../../local/cli/snapshots/replay/replay-server.ts";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

let site: Server;
let origin: string;
let requests: string[] = [];
let browser: Browser;
const missing = missingBrowser();

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

beforeAll(async () => {
  site = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    if (path === "/robots.txt") return void response.writeHead(404).end();
    if (path === "/pixel.png")
      return void response.writeHead(200, { "content-type": "image/png" }).end(pixel);
    if (path === "/style.css") {
      return void response.writeHead(200, { "content-type": "text/css" }).end("h1 { color: rgb(1, 2, 3) }");
    }
    response.writeHead(200, { "content-type": "text/html" });
    // Without a length it is chunked. Its script asks for what was never captured.
    response.write("<link rel=stylesheet href=/style.css><img src=/pixel.png>");
    response.end(`<h1>page ${path}</h1><script>
      fetch("/live?" + Math.random()).catch(() => {});
      new Image().src = "${origin}/live/image?" + Math.random();
    </script>`);
  });
  origin = await listen(site);
  if (missing === undefined) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  site.close();
});

async function capture(path: string, out: string, ...more: string[]): Promise<string> {
  const args = [
    "capture",
    `${origin}${path}`,
    "--out",
    out,
    "--delay",
    "0",
    "--allow-private",
    "--depth",
    "0",
    ...more,
  ];
  const { code, stderr } = await runCommand(args);
  expect(code).toBe(0);
  return stderr;
}

/** Runs the command until the work with what it serves is done. */
async function replay(args: string[], work: (address: string) => Promise<void>): Promise<number> {
  const { replayCommand } = await import("../../../../local/cli/commands/replay.ts");
  const stop = new AbortController();
  const address = Promise.withResolvers<string>();
  const stdin = (async function* () {})();
  const stdout = {
    write: (text: string | Uint8Array) => address.resolve(/http:\S+/.exec(String(text))?.[0] ?? ""),
  };
  const code = replayCommand.run(args, { stdin, stdout, stderr: { write() {} }, signal: stop.signal });
  code.catch(address.reject);
  try {
    await work(await address.promise);
  } finally {
    stop.abort();
  }
  return code;
}

/** The frame with a captured page. */
async function shown(page: Page): Promise<Frame> {
  await expect.poll(() => page.frames().some((frame) => frame.url().includes("mp_/"))).toBe(true);
  const frame = page.frames().find((each) => each.url().includes("mp_/")) as Frame;
  await frame.waitForSelector("h1");
  return frame;
}

describe("replay", () => {
  it.skipIf(missing !== undefined)(
    "a capture with revisits → shown in a browser, and nothing is requested from the live site",
    async () => {
      const folder = temporaryFolder();
      const [first, second, index] = [join(folder, "1"), join(folder, "2"), join(folder, "index")];
      await capture("/earlier", first);
      const job = ["--crawl-log", join(first, "crawl.log"), "--cdx", join(first, "index.cdxj")];
      await runCommand(["index", "--job", "1", ...job, "--out", index]);
      expect(await capture("/", second, "--index", index)).toContain(" 1 known from earlier captures");
      requests = [];
      const code = await replay([second, first], async (address) => {
        const context = await browser.newContext({ locale: "en-US" });
        const page = await context.newPage();
        const asked: string[] = [];
        context.on("request", (request) => asked.push(new URL(request.url()).origin));
        await page.goto(`${address}#url=${encodeURIComponent(`${origin}/`)}`);
        const frame = await shown(page);
        expect(await frame.textContent("h1")).toBe("page /");
        await expect.poll(() => frame.evaluate("document.querySelector('img').naturalWidth")).toBe(1);
        const color = "getComputedStyle(document.querySelector('h1')).color";
        await expect.poll(() => frame.evaluate(color)).toBe("rgb(1, 2, 3)");
        expect(new Set(asked)).toEqual(new Set([new URL(address).origin]));
        expect(await page.textContent("footer")).toMatch(
          /ReplayWeb\.page 2\.5\.3, unchanged\. Licence: AGPL-3\.0-or-later\./,
        );
        expect(await page.getAttribute("footer a", "href")).toBe(
          "https://github.com/webrecorder/replayweb.page",
        );
        expect(await page.locator("replay-web-page iframe").getAttribute("sandbox")).toContain(
          "allow-scripts",
        );
        await context.close();
      });
      expect(code).toBe(0);
      expect(requests).toEqual([]);
    },
  );

  it("what it serves → bound to its origin by policy, for names of loopback, in ranges", async () => {
    const folder = temporaryFolder();
    await capture("/", folder);
    const wacz = join(folder, "a.wacz");
    await runCommand(["wacz", folder, "--out", wacz]);
    await replay([wacz], async (address) => {
      const get = async (path: string, init: RequestInit = {}) => {
        const { status, headers, body } = await fetch(new URL(path, address), init);
        await body?.cancel();
        return { status, headers };
      };
      for (const path of ["", "replay/ui.js", "replay/sw.js"]) {
        const { status, headers } = await get(path);
        expect(status).toBe(200);
        expect(headers.get("content-security-policy")).toContain("connect-src 'self' blob: data:;");
      }
      const source = /source="\/([^"]+)"/.exec(await (await fetch(address)).text())?.[1] ?? "";
      expect((await get(source)).headers.get("accept-ranges")).toBe("bytes");
      const part = await get(source, { headers: { range: "bytes=-22" } });
      expect(part.status).toBe(206);
      expect(part.headers.get("content-length")).toBe("22");
      expect((await get(source, { headers: { range: "bytes=999999999-" } })).status).toBe(416);
      expect((await get("../etc/passwd")).status).toBe(404);
      expect((await get("", { method: "POST" })).status).toBe(405);
      const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
      request(address, { headers: { host: "evil.example" } }, resolve);
      expect((await promise).statusCode).toBe(421);
    });
  });

  it.each([
    [[], /^DIR: is required/],
    [["nowhere"], /^DIR: holds no capture/],
    [["package.json"], /^FILE\.wacz: must be a WACZ file/],
    [["nowhere", "--port", "70000"], /^--port: must be a whole number from 0 to 65535/],
  ])("%j → wrong use", async (args, message) => {
    const { code, stderr } = await runCommand(["replay", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe("readRange", () => {
  it.each([
    [undefined, undefined],
    ["bytes=0-3", { first: 0, last: 3 }],
    ["bytes=4-", { first: 4, last: 9 }],
    ["bytes=4-99", { first: 4, last: 9 }],
    ["bytes=-3", { first: 7, last: 9 }],
    ["bytes=-99", { first: 0, last: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-4", "unsatisfiable"],
    ["bytes=0-1,4-5", undefined],
    ["lines=1-2", undefined],
  ])("%j of ten bytes → %j", (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });
});
