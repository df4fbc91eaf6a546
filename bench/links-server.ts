/**
 * The web server of `bench/links.ts`, in a separate process: hosts 127.0.1.1, 127.0.1.2, … on one port. The
 * path determines the response: `/ok/…` 200, `/page/…` 200 with a page of 20 KB, `/gone/…` 404, `/moved/N`
 * 301 to `/ok/N`, `/error/…` 500. `/list` is a page of all links. By default, Linux accepts connections on
 * all of 127.0.0.0/8.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface LinkSet {
  links: number;
  hosts: number;
}

const page = `<!doctype html><html><head><title>Article</title></head><body><h1>Article</h1>${'<p class="text">Lorem ipsum dolor sit amet, consectetur.</p>'.repeat(20)}</body></html>`;

function answer(status: string, body: string, headers = ""): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${body.length}\r\n${headers}Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n${body}`;
}

const longPage = page.replace(
  "<h1>",
  `${'<div class="row"><a href="/a">A title</a> <i>and</i> some text</div>'.repeat(295)}<h1>`,
);

const ok = answer("200 OK", page);
const long = answer("200 OK", longPage);
const gone = answer("404 Not Found", page);
const error = answer("500 Internal Server Error", page);

/**
 * Returns 90 % links with status 200, 5 % 404, 3 % 301 and 2 % 500, mixed and evenly distributed over the
 * hosts.
 */
export function linkUrls({ links, hosts }: LinkSet, port: number): string[] {
  return Array.from({ length: links }, (_, index) => {
    const share = (index * 37 + Math.floor(index / 100)) % 100;
    const kind = share < 90 ? "ok" : share < 95 ? "gone" : share < 98 ? "moved" : "error";
    return `http://127.0.1.${(index % hosts) + 1}:${port}/${kind}/${index}`;
  });
}

async function serve(set: LinkSet): Promise<number> {
  let port = 0;
  for (let host = 1; host <= set.hosts; host++) {
    const server = createServer((socket) => {
      socket.setNoDelay(true);
      socket.on("error", () => socket.destroy());
      socket.on("data", (data) => reply(socket, data.toString("latin1"), () => listPage(set, port)));
    });
    server.listen(port, `127.0.1.${host}`);
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  }
  return port;
}

function reply(socket: Socket, request: string, list: () => string): void {
  const [method, path = ""] = request.split(" ", 2);
  let text = gone;
  if (path.startsWith("/ok/")) text = ok;
  else if (path.startsWith("/page/")) text = long;
  else if (path.startsWith("/error/")) text = error;
  else if (path.startsWith("/moved/")) {
    text = answer("301 Moved Permanently", "", `Location: /ok/${path.slice("/moved/".length)}\r\n`);
  } else if (path === "/list") text = answer("200 OK", list());
  socket.write(method === "HEAD" ? text.slice(0, text.indexOf("\r\n\r\n") + 4) : text);
  if (/\r\nconnection: close\r\n/i.test(request)) socket.end();
}

function listPage(set: LinkSet, port: number): string {
  const anchors = linkUrls(set, port).map((url) => `<a href="${url}">${url}</a>`);
  return `<!doctype html><title>Links</title>${anchors.join("\n")}`;
}

if (import.meta.main) {
  const [links, hosts] = process.argv.slice(2).map(Number);
  process.send?.(await serve({ links: links ?? 0, hosts: hosts ?? 1 }));
}
