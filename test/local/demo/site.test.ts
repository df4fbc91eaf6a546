import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { articlePath, articles, journal } from "../../../local/demo/articles.ts";
import { type DemoSite, slowPageMs, startDemoSite } from "../../../local/demo/site.ts";
import { parseFeed } from "../../../shared/formats/feed/parse-feed.ts";
import { readPageItem } from "../../../shared/formats/page/read-page.ts";

/** Sleeps last until they are ended by hand. */
function handClock() {
  const sleeps: { ms: number; end: () => void }[] = [];
  const waiting: (() => void)[] = [];
  return {
    now: () => new Date("2026-11-02T20:00:00Z"),
    sleep: (ms: number) =>
      new Promise<void>((end) => {
        sleeps.push({ ms, end });
        waiting.shift()?.();
      }),
    sleeps,
    /** Resolves when somebody sleeps. */
    asleep: () => new Promise<void>((resolve) => (sleeps.length > 0 ? resolve() : waiting.push(resolve))),
  };
}

const promptClock = { now: () => new Date("2026-11-02T20:00:00Z"), sleep: async () => {} };

let site: DemoSite;
beforeEach(async () => {
  site = await startDemoSite({ clock: promptClock });
});
afterEach(() => site.close());

async function readArticle(path: string) {
  const url = site.origin + path;
  const response = await fetch(url);
  const contentType = response.headers.get("content-type") ?? "";
  return readPageItem(await response.bytes(), { url, contentType });
}

function articleWith(slug: string) {
  const article = articles.find((candidate) => candidate.slug === slug);
  if (article === undefined) throw new Error(`no article ${slug}`);
  return article;
}

describe("the feed", () => {
  async function read() {
    const response = await fetch(site.feedUrl);
    const contentType = response.headers.get("content-type") ?? undefined;
    return parseFeed(await response.bytes(), { url: site.feedUrl, contentType });
  }

  it("read by the harvester → 12 entries, strictly well-formed, none dropped", async () => {
    expect(await read()).toMatchObject({
      type: "feed",
      format: "rss-2.0",
      lenient: false,
      dropped: [],
      entries: { length: 12 },
    });
  });

  it("an entry with everything → authors, DOI, journal, place and keywords; one entry alone has no title", async () => {
    const feed = await read();
    if (feed.type !== "feed") throw new Error(feed.detail);
    expect(feed.entries[1]).toMatchObject({
      url: `${site.origin}/article/how-to-knit-a-ladder`,
      title: "How to Knit a Ladder: Load-Bearing Garments of the Upper Valleys",
      creators: ["Perpetua Quillfeather", "Ansgar Dunnock", "Ilse Brambleton"],
      doi: "10.5555/lantern.7.3.01",
      publicationName: "Lantern & Lathe",
      eissn: journal.issn,
      volume: "7",
      issue: "3",
      startingPage: "1",
      endingPage: "14",
      keywords: ["knitting", "ladders", "load tests"],
    });
    expect(feed.entries.filter(({ title }) => title === undefined)).toHaveLength(1);
  });
});

describe("the pages", () => {
  const good = articles.filter(({ title, answer }) => title !== undefined && answer !== "not-found");

  it("ten articles of the issue are good", () => {
    expect(good).toHaveLength(10);
  });

  it.each(good)("$slug → an article in $vocabularies, its text complete", async (article) => {
    const reading = await readArticle(articlePath(article));
    expect(reading).toMatchObject({
      type: "item",
      problems: [],
      evidence: expect.arrayContaining(article.vocabularies),
      item: {
        itemType: "journalArticle",
        title: article.title,
        creators: article.authors.map(({ given, family }) => ({ firstName: given, lastName: family })),
        abstractNote: article.abstract,
        publicationTitle: journal.title,
        ISSN: journal.issn,
        volume: journal.volume,
        issue: journal.issue,
        pages: article.pages?.join("-") ?? `article ${article.articleNumber}`,
        DOI: article.doi,
        language: article.language,
        tags: article.keywords.map((tag) => expect.objectContaining({ tag })),
        url: site.origin + articlePath(article),
      },
    });
  });

  it.each([
    ["highwire alone", "how-to-knit-a-ladder", ["highwire"]],
    ["Dublin Core alone", "left-handed-teapot", ["dublin-core"]],
    ["JSON-LD alone", "lighthouse-keys", ["json-ld"]],
    ["all three", "measuring-silence", ["highwire", "dublin-core", "json-ld"]],
  ])("%s → no other vocabulary on the page", async (_, slug, vocabularies) => {
    const html = await (await fetch(site.origin + articlePath(articleWith(slug)))).text();
    const found = [
      ...(html.includes('<meta name="citation_') ? ["highwire"] : []),
      ...(html.includes('<meta name="DC.') ? ["dublin-core"] : []),
      ...(html.includes('<script type="application/ld+json">') ? ["json-ld"] : []),
    ];
    expect(found).toEqual(vocabularies);
  });

  it("an author with an ORCID iD → the iD has its check digit right and is read", async () => {
    expect(await readArticle("/article/tuning-wind-up-clouds")).toMatchObject({
      item: { notes: expect.arrayContaining([{ note: "orcid:0009-9999-0000-4175 | Cosima Velloway" }]) },
    });
  });

  it("the article without a title → nothing on its page is read as one", async () => {
    expect(await readArticle("/article/note-from-the-workshop")).toMatchObject({
      type: "not-a-page",
      reason: "no-title",
    });
  });

  it("the table of contents → links to all 12 articles", async () => {
    const html = await (await fetch(site.origin)).text();
    expect(html.match(/href="\/article\//g)).toHaveLength(12);
  });

  it("robots.txt → allows all, asks for no delay", async () => {
    const robots = await (await fetch(`${site.origin}/robots.txt`)).text();
    expect(robots).toBe("User-agent: *\nAllow: /\n");
  });
});

describe("the answers", () => {
  it.each([
    ["the article that is announced and not there", "/article/unfinished-stairs"],
    ["an article nobody wrote", "/article/perpetual-motion"],
    ["another path", "/favicon.ico"],
  ])("%s → 404", async (_, path) => {
    const response = await fetch(site.origin + path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Nothing here");
  });

  it.each(["/", "/feed.xml", "/robots.txt", "/article/bookbinding-for-whales"])(
    "%s asked again with what it said → 304 without a body",
    async (path) => {
      const first = await fetch(site.origin + path);
      const conditions = [
        { "if-none-match": first.headers.get("etag") ?? "" },
        { "if-modified-since": first.headers.get("last-modified") ?? "" },
      ];
      for (const headers of conditions) {
        const again = await fetch(site.origin + path, { headers });
        expect([again.status, await again.text()]).toEqual([304, ""]);
      }
    },
  );

  it("HEAD → the headers of GET, no body", async () => {
    const head = await fetch(site.feedUrl, { method: "HEAD" });
    const get = await fetch(site.feedUrl);
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  });

  it("a second site on the same port → refused", async () => {
    const port = Number(new URL(site.origin).port);
    await expect(startDemoSite({ port })).rejects.toThrow("EADDRINUSE");
  });

  it("POST → 405", async () => {
    expect((await fetch(site.feedUrl, { method: "POST" })).status).toBe(405);
  });
});

describe("the count of requests", () => {
  it("one after the other → listed in order, one at once", async () => {
    for (const path of ["/feed.xml?page=1", "/article/nebel-falten", "/article/unfinished-stairs"]) {
      await (await fetch(site.origin + path)).text();
    }
    expect(site.requests().map(({ path, status }) => [path, status])).toEqual([
      ["/feed.xml", 200],
      ["/article/nebel-falten", 200],
      ["/article/unfinished-stairs", 404],
    ]);
    expect(site.maxConcurrent()).toBe(1);
  });

  it("a request while the slow page is in progress → two at once, the slow one ends last with 200", async () => {
    const clock = handClock();
    const slowSite = await startDemoSite({ clock });
    const slow = fetch(`${slowSite.origin}/article/slow-glue`);
    await clock.asleep();
    await (await fetch(slowSite.feedUrl)).text();
    for (const { end } of clock.sleeps) end();
    await (await slow).text();

    expect(clock.sleeps.map(({ ms }) => ms)).toEqual([slowPageMs]);
    expect(slowSite.requests().map(({ path, status }) => [path, status])).toEqual([
      ["/feed.xml", 200],
      ["/article/slow-glue", 200],
    ]);
    expect(slowSite.maxConcurrent()).toBe(2);
    await slowSite.close();
  });

  it("the site closed while a page is in progress → the client is cut off, status 0", async () => {
    const clock = handClock();
    const slowSite = await startDemoSite({ clock });
    const cutOff = expect(fetch(`${slowSite.origin}/article/slow-glue`)).rejects.toThrow();
    await clock.asleep();
    await slowSite.close();
    await cutOff;
    expect(slowSite.requests()).toMatchObject([{ path: "/article/slow-glue", status: 0 }]);
  });
});
