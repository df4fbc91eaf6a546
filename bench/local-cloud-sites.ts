/**
 * The web sites of `bench/local-cloud.ts`, in a separate process: hosts 127.0.2.1, 127.0.2.2, … on one port.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [hosts = 1, articles = 1] = process.argv.slice(2).map(Number);
const text = `<p>${"Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(8)}</p>`.repeat(20);

function feed(host: number): string {
  const items = Array.from(
    { length: articles },
    (_, index) =>
      `<item><title>Article ${host}-${index}</title><link>/article/${host}-${index}</link></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Journal ${host}</title><link>/</link><description>d</description>${items.join("")}</channel></rss>`;
}

function article(id: string): string {
  const meta = {
    citation_title: `Article ${id} on the repair of nets`,
    citation_journal_title: `Journal ${id.split("-")[0]}`,
    citation_author: `Twine, Tessa ${id.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")}`,
    citation_volume: "3",
    citation_issue: "2",
    citation_publication_date: "2026/05/01",
    citation_doi: `10.5555/${id}`,
  };
  const tags = Object.entries(meta).map(([name, content]) => `<meta name="${name}" content="${content}">`);
  return `<!doctype html><html lang="en"><head><title>${id}</title>${tags.join("")}</head><body>${text}</body></html>`;
}

let port = 0;
for (let host = 1; host <= hosts; host++) {
  const server = createServer(({ url = "" }, response) => {
    if (url === "/feed") response.setHeader("content-type", "application/rss+xml").end(feed(host));
    else if (url.startsWith("/article/")) {
      response.setHeader("content-type", "text/html").end(article(url.slice("/article/".length)));
    } else response.writeHead(404).end();
  });
  server.listen(port, `127.0.2.${host}`);
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
}
process.send?.(port);
