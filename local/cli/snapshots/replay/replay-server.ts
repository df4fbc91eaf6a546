import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import type { ReplayComponent } from "./replay-component.ts";
import { replayPage, replayStyle } from "./replay-page.ts";

/**
 * Restricts pages and scripts to this origin. The policy of `sw.js` applies to all requests of the service
 * worker, which serves all captured content. So no request goes to the live sites.
 */
const contentPolicy =
  "default-src 'self' blob: data:; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "connect-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

interface Content {
  type: string;
  body: string | Buffer;
}

/** A WACZ package that can be shown. */
export interface ReplayedPackage {
  sizeBytes: number;
  /** Reads a range. @param range the first and the last byte */
  read(range: { first: number; last: number }): Readable;
}

/** The captures that a server shows. */
export interface ReplayedCaptures {
  /**
   * Returns the page for a URL; undefined if there is none. `wacz` is the path of the package, because the
   * component identifies packages by URL.
   */
  page(url: URL): Promise<{ title: string; wacz: string } | undefined>;
  package(path: string): ReplayedPackage | undefined;
}

interface ReplayOptions {
  captures: ReplayedCaptures;
  /** Loads the component, at the first page. */
  component: () => ReplayComponent;
  /** The port; 0 chooses a free port. */
  port: number;
}

/**
 * Serves WACZ packages with the replay component. The origin has no other content that scripts of a captured
 * page could reach. The server listens only on loopback, and responds only to loopback host names.
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

/** Returns a file of the component. */
function fileAt(path: string, component: () => ReplayComponent): Content | undefined {
  switch (path) {
    case "/replay.css":
      return { type: "text/css; charset=utf-8", body: replayStyle };
    // The service worker responds to this path. A busy browser may request it here before the service worker
    // is ready.
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

/**
 * Returns whether a host name is a loopback name. Other names that resolve to this machine are refused,
 * because a page of another site may use them.
 */
function isLoopbackName(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? "");
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": 0 }).end();
}

/**
 * Sends a package, or a range of it, because the component reads a package in parts. @see https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
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

/** Parses a Range header. @returns undefined for the whole file: without a range, or with several ranges */
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
