import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { findReplayComponent } from "./replay-component.ts";
import { replayPage, replayStyle } from "./replay-page.ts";

/**
 * What the pages and scripts may load: this origin alone. The policy of `sw.js` binds the requests of the service worker, by
 * which all content is shown, so that nothing asks the live sites.
 */
const contentPolicy =
  "default-src 'self' blob: data:; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "connect-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

interface Content {
  type: string;
  body: string | Buffer;
}

/**
 * Serves a WACZ package with the replay component, on an origin of its own: nothing else is there that scripts of a captured
 * page could reach. It listens on loopback, and answers to loopback's names alone.
 * @param given.id names the package in its URL: the component remembers packages by URL
 * @param given.port 0: a free one
 */
export async function serveReplay(
  wacz: string,
  given: { id: string; title: string; port: number },
): Promise<{ origin: string; server: Server }> {
  const component = findReplayComponent();
  const path = `/${given.id}.wacz`;
  const { files } = component;
  const [html, script] = ["text/html; charset=utf-8", "text/javascript; charset=utf-8"];
  const contents: Record<string, Content> = {
    "/": {
      type: html,
      body: replayPage(component, { title: given.title, wacz: path }),
    },
    "/replay.css": { type: "text/css; charset=utf-8", body: replayStyle },
    // Its service worker answers for it later; a busy browser asks here before that is ready.
    "/replay/": { type: html, body: files["index.html"] },
    "/replay/ui.js": { type: script, body: files["ui.js"] },
    "/replay/sw.js": { type: script, body: files["sw.js"] },
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("content-security-policy", contentPolicy);
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("referrer-policy", "no-referrer");
    const content = contents[pathname];
    if (!isLoopbackName(request.headers.host)) end(response, 421);
    else if (request.method !== "GET" && request.method !== "HEAD") end(response, 405);
    else if (pathname === path) sendRange(wacz, request, response);
    else if (content === undefined) end(response, 404);
    else {
      response.writeHead(200, {
        "content-type": content.type,
        "content-length": Buffer.byteLength(content.body),
      });
      response.end(request.method === "HEAD" ? undefined : content.body);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(given.port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : given.port;
  return { origin: `http://127.0.0.1:${port}`, server };
}

/** A page elsewhere whose name resolves to this machine is not answered. */
function isLoopbackName(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? "");
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": 0 }).end();
}

/** Sends a file or a range of it: the component reads a package by its parts. @see https://www.rfc-editor.org/rfc/rfc9110#section-14 */
function sendRange(file: string, { method, headers }: IncomingMessage, response: ServerResponse): void {
  const { size } = statSync(file);
  response.setHeader("accept-ranges", "bytes");
  response.setHeader("content-type", "application/wacz");
  const range = readRange(headers.range, size);
  if (range === "unsatisfiable") {
    response.setHeader("content-range", `bytes */${size}`);
    end(response, 416);
    return;
  }
  const { first, last } = range ?? { first: 0, last: size - 1 };
  response.setHeader("content-length", last - first + 1);
  if (range !== undefined) response.setHeader("content-range", `bytes ${first}-${last}/${size}`);
  response.writeHead(range === undefined ? 200 : 206);
  if (method === "HEAD") return void response.end();
  const content = createReadStream(file, { start: first, end: last });
  content.on("error", () => response.destroy());
  response.on("close", () => content.destroy());
  content.pipe(response);
}

/** @returns undefined when the whole file is wanted: without a range, or with several */
export function readRange(
  header: string | undefined,
  size: number,
): { first: number; last: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? "unsatisfiable" : { first, last };
}
