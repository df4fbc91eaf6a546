import { describe, expect, it } from "vitest";
import { article, feed, pathsOf, type Site, worldOf } from "./site-world.ts";

describe("a feed in pages", () => {
  const page = (number: number, size = "") => `/feed?journal=A+Journal${size}&page_num=${number}`;
  const site: Site = {
    [page(1)]: feed("/1", "/2"),
    [page(2)]: feed("/2", "/3"),
    [page(3)]: feed("/4"),
    "/1": article("One"),
    "/2": article("Two"),
    "/3": article("Three"),
    "/4": article("Four"),
  };

  it("numbered pages → these, and each article once, though two pages name it", async () => {
    const { world, host, add } = await worldOf({ site });
    add({ url: "/feed", pagedRss: { pages: [1, 2] } });
    const { sources, documents } = await world.harvest();
    expect(pathsOf(host).sort()).toEqual([page(1), page(2), "/1", "/2", "/3"].sort());
    expect(documents).toHaveLength(3);
    expect(sources).toMatchObject([{ state: "read", entries: 3, requested: 3 }]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("ids that start again on each page → a record of each article", async () => {
    const numbered = (path: string) => ({
      contentType: "application/rss+xml",
      body: `<rss version="2.0"><channel><title>F</title><item><guid isPermaLink="false">1</guid>
        <title>T</title><link>SITE${path}</link></item></channel></rss>`,
    });
    const { world, add } = await worldOf({
      site: { ...site, [page(1)]: numbered("/1"), [page(2)]: numbered("/2") },
    });
    add({ url: "/feed", pagedRss: { pages: [1, 2] } });
    const { documents } = await world.harvest();
    expect(new Set(documents.map((document) => "recordId" in document && document.recordId)).size).toBe(2);
    expect([...world.memory.recordsById.values()].map(({ title }) => title).sort()).toEqual(["One", "Two"]);
  });

  it("no configured pages, a page count → all pages", async () => {
    const count = { "/feed?journal=A+Journal&info=1": { body: { total_pages: 3 } } };
    const { world, add } = await worldOf({ site: { ...site, ...count } });
    add({ url: "/feed", pagedRss: {} });
    expect((await world.harvest()).documents).toHaveLength(4);
  });

  it("no configured pages, no page count → page after page until one has no new article", async () => {
    const { world, host, add } = await worldOf({ site: { ...site, [page(4)]: feed("/4") } });
    add({ url: "/feed", pagedRss: {} });
    expect((await world.harvest()).documents).toHaveLength(4);
    expect(pathsOf(host)).toContain(page(4));
    expect(pathsOf(host)).not.toContain(page(5));
  });

  it("no page is there → the source failed", async () => {
    const { world, add } = await worldOf({ site: {} });
    add({ url: "/feed", pagedRss: {} });
    expect((await world.harvest()).sources).toMatchObject([
      { state: "failed", reason: expect.stringContaining("404") },
    ]);
  });

  it("a size and a wait → in the address and between the pages", async () => {
    const { world, host, add } = await worldOf({ site: {} });
    add({ url: "/feed", pagedRss: { pages: [1, 2], size: 20, delayMs: 3000 } });
    await world.harvest();
    expect(pathsOf(host)).toEqual([page(1, "&page_size=20"), page(2, "&page_size=20")]);
    const [first, second] = world.requestedAtMs.filter(([url]) => url.includes("page_num"));
    expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThanOrEqual(3000);
  });

  it("a delay between pages → not between articles", async () => {
    const { world, add } = await worldOf({ site });
    add({ url: "/feed", pagedRss: { pages: [2], delayMs: 3000 } });
    await world.harvest();
    const [two, three] = ["/2", "/3"].map(
      (path) => world.requestedAtMs.find(([url]) => url.endsWith(path))?.[1] ?? 0,
    );
    expect(Math.abs((three ?? 0) - (two ?? 0))).toBeLessThan(3000);
  });
});

it("more articles than one listing may request → the first 9 999, the others deferred to the next run", async () => {
  const paths = Array.from({ length: 10_050 }, (_, index) => `/${index}`);
  const { world, add } = await worldOf({
    site: { "/feed": feed(...paths), "/robots.txt": { body: "User-agent: *\nDisallow: /\nAllow: /feed\n" } },
  });
  add({ url: "/feed" });
  const { sources, documents } = await world.harvest();
  expect(sources).toMatchObject([{ entries: 10_050, requested: 9_999 }]);
  expect(documents).toHaveLength(9_999);
  const sizes = [...world.memory.tallies.values()].map(({ opened }) => opened.size);
  // The tally of the feed: itself, and its parts of 32 articles.
  expect(Math.max(...sizes)).toBe(1 + Math.ceil(9_999 / 32));
  expect(world.deliveries).toHaveLength(1);
});

it("error pages with status 200 → dropped with their titles; a bare title → the feed's title", async () => {
  const announced = (path: string, title: string) =>
    `<item><title>${title}</title><link>SITE${path}</link><prism:doi>10.1234${path}</prism:doi></item>`;
  const entries = [
    announced("/1", "On the Trinity"),
    announced("/2", "On Wells"),
    announced("/3", "On Bells"),
  ];
  const body = `<rss version="2.0" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"><channel><title>F</title>${entries.join("")}</channel></rss>`;
  const titled = (title: string) => ({ body: `<!doctype html><title>${title}</title>` });
  const { world, add } = await worldOf({
    site: {
      "/feed": { contentType: "application/rss+xml", body },
      "/1": titled("On the Trinity | Journal of X | Publisher Online"),
      "/2": titled("Just a moment..."),
      "/3": titled("Publisher Online"),
    },
  });
  add({ url: "/feed" });
  const { documents } = await world.harvest();
  expect(
    documents.map((document) => ("reason" in document ? document.reason.split(":")[0] : document.title)),
  ).toEqual(expect.arrayContaining(["On the Trinity", "error-page", "other-page"]));
  expect(world.recordsOf(documents).map(([title]) => title)).toEqual(["On the Trinity"]);
});

it("a JSON Feed → its articles", async () => {
  const body = {
    version: "https://jsonfeed.org/version/1.1",
    title: "F",
    items: [{ id: "1", url: "SITE/1" }],
  };
  const { world, add } = await worldOf({ site: { "/feed": { body }, "/1": article("One") } });
  add({ url: "/feed" });
  expect((await world.harvest()).documents).toMatchObject([{ state: "converted", title: "One" }]);
});
