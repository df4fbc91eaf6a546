import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { listen } from "../../../../listen.ts";
import { temporaryFolder } from "../../../../temporary-folder.ts";

/** A site for the tests of a file, with links to it in every state. */
export function linkSite() {
  /** The User-Agents of all requests. */
  const asked: string[] = [];
  const server = createServer(({ url = "/", headers }, answer) => {
    const isConditional = headers["if-none-match"] !== undefined;
    asked.push(`${headers["user-agent"] ?? ""}${isConditional ? " if-none-match" : ""}`);
    answer.setHeader("content-type", "text/html");
    if (url === "/gone") answer.statusCode = 404;
    if (url === "/wall") answer.statusCode = 403;
    if (url === "/teapot") answer.statusCode = 418;
    if (url === "/busy") answer.statusCode = 503;
    if (url === "/moved") answer.writeHead(301, { location: "/ok" });
    if (url === "/etag") {
      answer.setHeader("etag", '"1"');
      if (isConditional) answer.statusCode = 304;
    }
    if (url === "/echo") {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      answer.end(`<p id="headers">${lines.join(" ")}</p>`);
      return;
    }
    if (url === "/lf") answer.socket?.end("HTTP/1.1 404 Gone\nContent-Length: 0\n\n");
    if (url === "/inwards") answer.writeHead(302, { location: "http://127.0.0.2/" });
    if (url !== "/slow" && url !== "/lf") answer.end(`<p class="${url.slice(1)}">page</p>`);
  });
  const folder = temporaryFolder();
  let origin = "";

  beforeAll(async () => {
    origin = await listen(server);
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  return {
    asked,
    origin: () => origin,
    file(name: string, content: string | Buffer): string {
      const path = join(mkdtempSync(join(folder, "of-its-own-")), name);
      writeFileSync(path, content);
      return path;
    },
    /** `/path` in arguments and files stands for a URL of the server. */
    here: (args: string[]) => args.map((arg) => (/^\/[a-z]+$/.test(arg) ? origin + arg : arg)),
  };
}

export const quick = ["check-links", "--delay", "0", "--allow-private"];
