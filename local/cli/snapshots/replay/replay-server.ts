import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import type { ReplayComponent } from "./replay-component.ts";
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

/** A WACZ package that is shown. */
export interface ReplayedPackage {
  sizeBytes: number;
  /** @param range its first and last byte */
  read(range: { first: number; last: number }): Readable;
}

/** What is shown. */
export interface ReplayedCaptures {
  /** The page of a URL; undefined when there is none. `wacz`: the path of its package, as the component remembers packages by URL. */
  page(url: URL): Promise<{ title: string; wacz: string } | undefined>;
  package(path: string): ReplayedPackage | undefined;
}

interface ReplayOptions {
  captures: ReplayedCaptures;
  /** Asked for at the first page. */
  component: () => ReplayComponent;
  /** 0: a free one */
  port: number;
}

/**
 * Serves WACZ packages with the replay component, on an origin of its own: nothing else is there that scripts of a captured
 * page could reach. It listens on loopback, and answers to loopback's names alone.
 */
export async function serveReplay({
  captures,
  component,
  port,
}: ReplayOptions): Promise<{ port: number; server: Server }> {
  const contentAt = async (url: URL): Promise<Content | undefined> => {
    const file = fileAt(url.pathname, component);
    if (file !== undefined) return file;
    const page = await captures.page(url);
    return page && { type: htmlType, body: replayPage(component(), page) };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("content-security-policy", contentPolicy);
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("referrer-policy", "no-referrer");
    if (!isLoopbackName(request.headers.host)) return end(response, 421);
    if (request.method !== "GET" && request.method !== "HEAD") return end(response, 405);
    const shown = captures.package(url.pathname);
    if (shown !== undefined) return sendRange(shown, request, response);
    const content = await contentAt(url);
    if (content === undefined) return end(response, 404);
    const length = Buffer.byteLength(content.body);
    response.writeHead(200, { "content-type": content.type, "content-length": length });
    response.end(request.method === "HEAD" ? undefined : content.body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, server };
}

const htmlType = "text/html; charset=utf-8";
const scriptType = "text/javascript; charset=utf-8";

/** The files of the component. */
function fileAt(path: string, component: () => ReplayComponent): Content | undefined {
  switch (path) {
    case "/replay.css":
      return { type: "text/css; charset=utf-8", body: replayStyle };
    // Its service worker answers for it later; a busy browser asks here before that is ready.
    case "/replay/":
      return { type: htmlType, body: component().files["index.html"] };
    case "/replay/ui.js":
      return { type: scriptType, body: component().files["ui.js"] };
    case "/replay/sw.js":
      return { type: scriptType, body: component().files["sw.js"] };
    default:
      return undefined;
  }
}

/** A page elsewhere whose name resolves to this machine is not answered. */
function isLoopbackName(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? "");
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": 0 }).end();
}

/** Sends a package or a range of it: the component reads it by its parts. @see https://www.rfc-editor.org/rfc/rfc9110#section-14 */
function sendRange(
  { sizeBytes, read }: ReplayedPackage,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader("accept-ranges", "bytes");
  response.setHeader("content-type", "application/wacz");
  const range = readRange(headers.range, sizeBytes);
  if (range === "unsatisfiable") {
    response.setHeader("content-range", `bytes */${sizeBytes}`);
    end(response, 416);
    return;
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  response.setHeader("content-length", last - first + 1);
  if (range !== undefined) response.setHeader("content-range", `bytes ${first}-${last}/${sizeBytes}`);
  response.writeHead(range === undefined ? 200 : 206);
  if (method === "HEAD") return void response.end();
  const content = read({ first, last });
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
