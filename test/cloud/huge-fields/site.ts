import { createServer } from "node:http";
import type { NewSource } from "../../../shared/records/sources/source.ts";
import { listen } from "../../listen.ts";
import { type HugeFeed, hugeFeeds } from "./feeds.ts";
import { type HugeRepository, hugeDocuments, hugeRepositories } from "./oai.ts";
import { hugePages } from "./pages.ts";
import { hugeRecords } from "./records.ts";
import { hugeTranslations } from "./translations.ts";
import { fill, hugeVariants } from "./variants.ts";

/** What the answers of a site have of 450 KB, and what must be delivered although they have. */
export interface HugeSite {
  origin: string;
  /** The address of its translation server. */
  translationServer: string;
  sources: Omit<NewSource, "groupId">[];
  /** Where names of authors are looked up. */
  authorLookupUrl: string;
  /** The messages of a source that reads mails. */
  mails: string[];
  /** The source of the documents, and their metadata in Dublin Core. */
  uploads: Omit<NewSource, "groupId">;
  documents: string[];
  /** The addresses, or the DOI, of the articles that are as usual. */
  usual: string[];
  close(): void;
}

type Answer = [status: number, type: string, body: string];

const linked = '<title>L</title><base href="{{base:/}}"><a href="{{href:/}}">{{text:an article}}</a>';
const sitemap =
  '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{{loc:https://j.example/}}</loc></url>';

const mail =
  "Subject: {{subject:Contents}}\r\nFrom: {{from:j@j.example}}\r\nContent-Type: text/plain\r\n\r\n{{text:New}} ORIGIN/article/mailed/usual ORIGIN{{link:/article/mailed/other}}\r\n";

/** Heads that are kept or obeyed, each as long as a host may send it: all heads of an answer have at most 16 KB. */
const heads = ["content-type", "etag", "last-modified", "retry-after", "location", "content-disposition"];
const longHead = "x".repeat(15_000);

/** A site whose every field of every kind of answer has 450 KB once. */
export async function startHugeSite(): Promise<HugeSite> {
  const answers = new Map<string, Answer>([
    ["/authority", [200, "text/html", `<a href="https://d-nb.info/gnd/${"1".repeat(450_000)}">Weaver</a>`]],
  ]);
  const { pages, usual } = hugePages();
  const linking = hugeRecords();
  for (const [path, page] of linking.pages) pages.set(path, page);
  for (const [path, [type, text]] of linking.records) answers.set(`/records${path}`, [200, type, text]);
  for (const [path, page] of pages) answers.set(`/pages${path}`, [200, "text/html", page]);
  const repositories = hugeRepositories();
  const translations = hugeTranslations();
  const feeds = new Map<string, HugeFeed>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
    let body = "";
    for await (const chunk of request) body += chunk;
    const [status, type, text] = answerTo(
      pathname,
      searchParams.get("verb") ?? /verb=(\w+)/.exec(body)?.[1],
      body,
    );
    const head = pathname.startsWith("/heads/") ? { [pathname.slice("/heads/".length)]: longHead } : {};
    response.writeHead(head.location ? 302 : status, { "content-type": type, ...head }).end(text);
  });
  const origin = await listen(server);
  for (const [path, feed] of hugeFeeds(origin)) feeds.set(path, feed);
  feeds.set("/feeds/pages", feedOf([...pages.keys()].map((path) => `${origin}/pages${path}`)));
  feeds.set(
    "/feeds/translated",
    feedOf([...translations.keys()].map((name) => `${origin}/translated/${name}`)),
  );
  feeds.set("/feeds/heads", feedOf(heads.map((name) => `${origin}/heads/${name}`)));
  for (const [field, text] of hugeVariants(linked)) crawl(field, text);
  const sources = [
    ...[...feeds.keys()].map((path) => ({ path, type: "RSS" as const })),
    ...[...repositories.keys()].map((path) => ({ path, type: "OAI-PMH" as const })),
    { path: "/mails", type: "EMAIL" as const },
    ...["base", "href", "text"].map((field) => ({ path: `/crawl/${field}`, type: "CRAWL" as const })),
  ].map(({ path, type }) => ({
    sourceId: path.slice(1).replaceAll("/", "-").toLowerCase(),
    title: path,
    type,
    url: origin + path,
    deliveryMode: "LIVE" as const,
    throttleMs: 0,
    ...(type === "OAI-PMH" && { oai: { files: true } }),
    ...(type === "EMAIL" && { crawl: { extractionRegex: "/article/" } }),
    ...(type === "CRAWL" && { crawl: { extractionRegex: "/article/|/xxx", sitemaps: true } }),
  }));
  return {
    origin,
    translationServer: `${origin}/translator`,
    sources,
    authorLookupUrl: `${origin}/authority?name=`,
    mails: [...hugeVariants(mail).values(), fill(mail)].map((text) => text.replaceAll("ORIGIN", origin)),
    uploads: { sourceId: "uploads", title: "U", type: "UPLOAD", url: `${origin}/`, deliveryMode: "LIVE" },
    documents: hugeDocuments(),
    usual: [
      ...["rss", "atom", "json"].map((format) => `${origin}/article/${format}/usual`),
      ...usual.map((path) => (path === "/identified" ? "10.1234/knots" : `${origin}/pages${path}`)),
      `${origin}/article/crawled/base`,
      `${origin}/article/mailed/usual`,
      "https://o.example/usual",
      "https://t.example/usual",
    ],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  function crawl(field: string, text: string): void {
    answers.set(`/crawl/${field}`, [
      200,
      "text/html",
      `${text}<a href="${origin}/article/crawled/${field}">it</a>`,
    ]);
  }

  function answerTo(path: string, verb: string | undefined, body: string): Answer {
    const feed = feeds.get(path);
    if (feed !== undefined) return [200, feed.type, feed.body];
    const repository: HugeRepository | undefined = repositories.get(path);
    if (repository !== undefined)
      return [200, "text/xml", verb === "Identify" ? repository.identify : repository.list];
    if (path === "/sitemap.xml")
      return [
        200,
        "application/xml",
        `${[...hugeVariants(sitemap).values()][0]}<url><loc>${origin}/article/crawled/map</loc></url></urlset>`,
      ];
    if (path.startsWith("/article/") || path.startsWith("/heads/"))
      return [200, "text/html", articlePage(path)];
    if (path === "/translator/web") {
      const name = /\/translated\/([\w-]+)/.exec(body)?.[1] ?? "";
      const [status, answer] = translations.get(name) ?? [200, '[{"itemType":"webpage","title":"x"}]'];
      return [status, "application/json", answer.replaceAll("ORIGIN", origin)];
    }
    return answers.get(path) ?? [404, "text/plain", "none"];
  }
}

function feedOf(urls: string[]): HugeFeed {
  const items = urls.map((url) => `<item><title>T</title><link>${url}</link></item>`).join("");
  const body = `<?xml version="1.0"?><rss version="2.0"><channel><title>F</title>${items}</channel></rss>`;
  return { type: "application/rss+xml", body, articles: urls };
}

function articlePage(path: string): string {
  const template =
    '<title>x</title><meta name="citation_title" content="Article PATH"><meta name="citation_author" content="Weaver, Ada"><meta name="citation_volume" content="7"><meta name="citation_issue" content="2"><meta name="citation_publication_date" content="2026/01/02"><meta name="citation_journal_title" content="A journal">';
  return fill(template).replaceAll("PATH", path);
}
