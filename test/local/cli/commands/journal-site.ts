import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { listen } from "../../../listen.ts";
import { configuration, journal } from "../../../shared/records/sources/fixtures.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { writeEmptyLists } from "./empty-lists.ts";

const page = (title: string, more = '<meta name="citation_volume" content="3">') =>
  `<!doctype html><title>x</title><meta name="citation_title" content="${title}">
<meta name="citation_journal_title" content="Bees"><meta name="citation_author" content="Miller, Ada">
<meta name="citation_date" content="2026">${more}`;

const item = (path: string, day: number) =>
  `<item><title>${path}</title><link>${path}</link><pubDate>0${day} May 2026 08:00:00 GMT</pubDate></item>`;

const pages: Record<string, string> = {
  "/feed": `<rss version="2.0"><channel><title>F</title>${item("/one", 1)}${item("/two", 3)}${item("/gone", 2)}</channel></rss>`,
  "/turned-feed": `<rss version="2.0"><channel><title>F</title>${item("/gone", 2).replace("/gone", "\u202EGone")}</channel></rss>`,
  "/double-feed": `<rss version="2.0"><channel><title>F</title>${item("/two", 1)}${item("/two?view=full", 2)}</channel></rss>`,
  "/two?view=full": page("Two", '<meta name="citation_doi" content="10.5555/two">'),
  "/good-feed": `<rss version="2.0"><channel><title>F</title>${item("/one", 1)}</channel></rss>`,
  "/one": page("One"),
  // Without volume and issue: online-first, for its DOI.
  "/two": page("Two", '<meta name="citation_doi" content="10.5555/two">'),
  "/cited": page(
    "Cited",
    '<link rel="alternate" type="application/x-research-info-systems" href="/cite.ris">',
  ),
  "/cite.ris": "TY  - JOUR\nTI  - Cited\nVL  - 9\nIS  - 4\nER  - \n",
  "/flawed-feed": `<rss version="2.0"><channel><title>F</title>${[1, 2, 3, 4, 5].map((n) => item(`/flawed/${n}`, n)).join("")}</channel></rss>`,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [
      `/flawed/${n}`,
      page(
        `Flawed ${n}`,
        '<meta name="citation_volume" content="3"><script type="application/ld+json">{</script>',
      ),
    ]),
  ),
  "/home":
    '<!doctype html><title>J</title><link rel="alternate" type="application/rss+xml" href="/good-feed">',
  "/list": '<a href="/one">1</a><a href="/two">2</a><a href="/about">about</a>',
  "/issues/": '<a href="/issues/">here</a><a href="/issues/2">2</a><a href="/one">1</a>',
  "/issues/2": '<a href="/issues/">back</a><a href="/two">2</a>',
  "/forbidden/one": page("Forbidden"),
  "/robots.txt": "User-agent: *\nDisallow: /forbidden/\n",
  "/names?q=Miller%2C%20Ada": '<a href="https://d-nb.info/gnd/123X">Miller, Ada</a>',
};

/** The journal's site: its origin, where the files of a test are, and what was requested since the test began, how much at once. */
export const site = { origin: "", folder: "", requested: [] as string[], maxConcurrent: 0 };
let underWay = 0;
/** What serves it. */
export const server = createServer(async (request, answer) => {
  site.maxConcurrent = Math.max(site.maxConcurrent, ++underWay);
  answer.once("close", () => underWay--);
  site.requested.push(`${request.method} ${request.url}`);
  if (request.url === "/web") {
    answer.setHeader("content-type", "application/json");
    const url = await text(request);
    answer.end(
      JSON.stringify([
        {
          itemType: "journalArticle",
          title: `Translated ${new URL(url).pathname}`,
          url,
          date: "2026",
          volume: "3",
        },
      ]),
    );
    return;
  }
  const body = pages[request.url ?? ""];
  answer.setHeader("content-type", body?.startsWith("<rss") ? "application/rss+xml" : "text/html");
  answer.statusCode = body === undefined ? 404 : 200;
  // Long enough for a second request to come in, if there were one.
  setTimeout(() => answer.end(body), 5);
});
/** Serves the site until the tests of the file end. Each file calls it: it sets hooks. */
export function serveJournal(): void {
  beforeAll(async () => {
    site.folder = temporaryFolder();
    writeEmptyLists(site.folder);
    site.origin = await listen(server);
  });
  beforeEach(() => {
    site.requested = [];
    site.maxConcurrent = 0;
  });
  afterAll(async () => {
    const closed = once(server.close(), "close");
    server.closeAllConnections();
    await closed;
  });
}

export const noDelays = ["default_download_delay_time = 0", "max_download_delay_time = 0"];

/** A source with the server's addresses in place of paths, and no delay. */
export function source(...lines: string[]): string[] {
  return delayedSource(noDelays, ...lines);
}

/** A source with these delays. */
export function delayedSource(delays: string[], ...lines: string[]): string[] {
  const set = new Set(lines.map((line) => line.replace(/ =.*/, "")));
  const rest = journal.filter((line) => !set.has(line.replace(/ =.*/, "")));
  const conf = configuration(
    [...rest, ...lines.map((line) => line.replace("= /", `= ${site.origin}/`))],
    delays,
  );
  const path = join(site.folder, "x.conf");
  writeFileSync(path, conf.replace(/(author_swb_lookup_url = ).*/g, `$1${site.origin}/names?q=`));
  return ["--config", path, "--source", "A journal : of tests", "--allow-private"];
}

/** The titles of records, sorted. */
export const titlesIn = (xml: string) =>
  [...xml.matchAll(/tag="245".*?code="a">([^<]*)/gs)].map(([, title]) => title).toSorted();
