import { type CountingProvider, type Reply, startProvider } from "../counting-provider.ts";

/** Journals on loopback hosts of their own. */
export interface Journals {
  provider: CountingProvider;
  /** Host and port of each. */
  hosts: string[];
  titles: string[];
  titlesOf(host: string): string[];
  /** The delay after a request to a host, in milliseconds. */
  delayMsOf(host: string): number;
}

const exchangeMs = 5;

/**
 * @param size.articles of each journal
 * @param size.feedBytes by so much the feed of a journal is longer
 */
export async function startJournals(size: {
  journals: number;
  articles: number;
  feedBytes?: (number: number) => number;
}): Promise<Journals> {
  // Linux answers on all of 127/8.
  const addresses = Array.from({ length: size.journals }, (_, index) => `127.0.3.${index + 1}`);
  const numbers = Array.from({ length: size.articles }, (_, index) => index + 1);
  const reply: Reply = (address, path) => {
    const url = (page: string) => `http://${address}:${provider.port}${page}`;
    if (path === "/robots.txt") {
      const delay = crawlDelayMs(address);
      const body = `User-agent: *\n${delay > 0 ? `Crawl-delay: ${delay / 1000}\n` : ""}Disallow: /private/\n`;
      return { status: 200, body };
    }
    if (path === "/feed")
      return {
        status: 200,
        headers: xml,
        body: feed(
          numbers.map((n) => url(`/${n}`)),
          size.feedBytes?.(numberOf(address)),
        ),
      };
    return { status: 200, headers: html, body: article(titleOf(address, path)), afterMs: exchangeMs };
  };
  const provider = await startProvider(addresses, reply);
  const titlesOf = (host: string) => numbers.map((n) => titleOf(host, `/${n}`));
  return {
    provider,
    hosts: addresses.map((address) => `${address}:${provider.port}`),
    titles: addresses.flatMap(titlesOf),
    titlesOf,
    delayMsOf: (host) => Math.max(throttleMs(host), crawlDelayMs(host)),
  };
}

/** The delay of a journal's source. */
export function throttleMs(host: string): number {
  return 10 + 10 * (numberOf(host) % 4);
}

/** Each fifth host sets a Crawl-delay. */
function crawlDelayMs(host: string): number {
  return numberOf(host) % 5 === 0 ? 60 : 0;
}

function numberOf(host: string): number {
  return Number(/^127\.0\.3\.(\d+)/.exec(host)?.[1]);
}

const xml = { "content-type": "application/rss+xml" };
const html = { "content-type": "text/html" };

function titleOf(address: string, path: string): string {
  return `Article ${path.slice(1)} of journal ${numberOf(address)}`;
}

function feed(urls: string[], moreBytes = 0): string {
  const items = urls.map((url) => `<item><title>${url}</title><link>${url}</link></item>`).join("");
  const more = "<category>a</category>";
  const channel = `<title>A journal</title>${items}${more.repeat(Math.ceil(moreBytes / more.length))}`;
  return `<?xml version="1.0"?><rss version="2.0"><channel>${channel}</channel></rss>`;
}

function article(title: string): string {
  const metadata = {
    citation_title: title,
    citation_author: "Weaver, Ada",
    citation_journal_title: "A journal",
    citation_publication_date: "2026/01/02",
    citation_volume: "7",
    citation_issue: "2",
    citation_issn: "2049-3630",
  };
  const tags = Object.entries(metadata).map(
    ([name, content]) => `<meta name="${name}" content="${content}">`,
  );
  return `<!doctype html><title>${title}</title>${tags.join("")}<h1>${title}</h1>`;
}
