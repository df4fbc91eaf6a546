import { describe, expect, it } from "vitest";
import type { NewSource } from "../../../../shared/records/sources/source.ts";
import { article, deliveredBefore, links, pathsOf, type Site, worldOf } from "./site-world.ts";

describe("a crawl", () => {
  const site: Site = {
    "/toc": links(
      "/issue/1",
      "/issue/2",
      "/about",
      "http://other.example.org/a/9",
      "/a/3",
      "/a/4.pdf",
      "/style.css",
    ),
    "/issue/1": links("/a/1", "/issue/2", "/toc", "#top"),
    "/issue/2": links("/a/2", "/a/1", "/issue/3"),
    "/issue/3": links("/a/5"),
    "/about": links("/a/6"),
    ...Object.fromEntries([1, 2, 3, 5, 6].map((n) => [`/a/${n}`, article(`Article ${n}`)])),
  };
  const extractionRegex = String.raw`/a/\d$`;

  it.each<[string, NewSource["crawl"], string[]]>([
    ["depth 0 → the links of the start page", { extractionRegex }, ["/toc", "/a/3"]],
    [
      "depth 1 → the pages that the crawl expression matches",
      { extractionRegex, urlRegex: "/issue/", maxDepth: 1 },
      ["/toc", "/issue/1", "/issue/2", "/a/3", "/a/1", "/a/2"],
    ],
    [
      "depth 2 → theirs, each once",
      { extractionRegex, urlRegex: "/issue/", maxDepth: 2 },
      ["/toc", "/issue/1", "/issue/2", "/issue/3", "/a/3", "/a/1", "/a/2", "/a/5"],
    ],
    [
      "a bound on pages → no more than that",
      { extractionRegex, urlRegex: "/issue/", maxDepth: 2, maxPages: 2 },
      ["/toc", "/issue/1", "/a/3", "/a/1"],
    ],
    [
      "no extraction expression → every page of the site",
      {},
      ["/toc", "/issue/1", "/issue/2", "/about", "/a/3"],
    ],
  ])("%s", async (_title, crawl, asked) => {
    const { world, host, add } = await worldOf({ site });
    add({ type: "CRAWL", url: "/toc", crawl });
    await world.harvest();
    expect(pathsOf(host).sort()).toEqual([...asked].sort());
    expect(world.deliveries).toHaveLength(1);
  });

  it("no crawl expression → every page of the site is followed, files are not, and articles are requested once", async () => {
    const { world, host, add } = await worldOf({ site });
    add({ type: "CRAWL", url: "/toc", crawl: { extractionRegex, maxDepth: 1 } });
    const { documents } = await world.harvest();
    expect(pathsOf(host).sort()).toEqual(
      ["/toc", "/issue/1", "/issue/2", "/about", "/a/3", "/a/1", "/a/2", "/a/6"].sort(),
    );
    expect(documents.filter(({ state }) => state === "converted")).toHaveLength(4);
  });

  it("links that several pages have, known ones among them → listed once, and all is accounted for", async () => {
    const shared: Site = {
      "/toc": links("/issue/1", "/issue/2", "/a/1", "/a/3"),
      "/issue/1": links("/a/1", "/a/2", "/a/2"),
      "/issue/2": links("/a/2", "/a/1", "/a/3"),
      ...Object.fromEntries([1, 2, 3].map((n) => [`/a/${n}`, article(`Article ${n}`)])),
    };
    const { world, host, add } = await worldOf({ site: shared });
    deliveredBefore(world, `url:${host.hostKey}/a/1`);
    add({ type: "CRAWL", url: "/toc", crawl: { extractionRegex, urlRegex: "/issue/", maxDepth: 1 } });
    const { sources } = await world.harvest();
    expect(sources).toMatchObject([{ entries: 3, known: { delivered: 1 }, requested: 2 }]);
  });

  it("robots.txt forbids pages → they are not requested, even for a source that does not obey", async () => {
    const robots = {
      "/robots.txt": { body: "User-agent: *\nDisallow: /issue\nDisallow: /a/3\n", contentType: "text/plain" },
    };
    const { world, host, add } = await worldOf({ site: { ...site, ...robots } });
    add({
      type: "CRAWL",
      url: "/toc",
      obeyRobots: false,
      crawl: { extractionRegex, urlRegex: "/issue/", maxDepth: 1 },
    });
    const { sources } = await world.harvest();
    expect(pathsOf(host)).toEqual(["/toc", "/a/3"]);
    expect(sources).toMatchObject([{ state: "read", reason: expect.stringContaining("robots") }]);
  });

  it("the time limit is reached → waiting pages are not requested, articles are, and one line reports it", async () => {
    const { world, host, add } = await worldOf({ site });
    add({
      type: "CRAWL",
      url: "/toc",
      throttleMs: 1_000_000,
      crawl: { extractionRegex, maxDepth: 2, urlRegex: "/issue/|/about" },
    });
    const { sources, documents } = await world.harvest();
    const paths = pathsOf(host);
    expect(paths.filter((path) => /issue|about/.test(path))).toHaveLength(1);
    const asked = paths.filter((path) => path.startsWith("/a/"));
    expect(asked.length).toBeGreaterThan(0);
    expect(documents.filter(({ state }) => state === "converted")).toHaveLength(asked.length);
    expect(sources).toMatchObject([
      {
        state: "read",
        reason: expect.stringMatching(
          /^the time limit of the crawl was reached: \d links to further pages not followed$/,
        ),
      },
    ]);
  });

  it("the page limit is reached → reported with the number of links of all pages", async () => {
    const { world, add } = await worldOf({ site });
    add({
      type: "CRAWL",
      url: "/toc",
      crawl: { extractionRegex, urlRegex: "/issue/", maxDepth: 2, maxPages: 2 },
    });
    expect((await world.harvest()).sources).toMatchObject([
      {
        reason: expect.stringMatching(
          /^the crawl has reached its limit of 2 pages: \d links to further pages not followed$/,
        ),
      },
    ]);
  });

  it.each([
    ["/nothing/", "no link of 3 pages matches the extraction expression /nothing/"],
    [undefined, "no link of 1 page is of its site"],
  ])(
    "no link matches the extraction expression %s → the source failed, with the reason",
    async (regex, reason) => {
      const { world, add } = await worldOf({ site: regex === undefined ? { "/toc": links() } : site });
      const given = regex !== undefined && { extractionRegex: regex };
      add({ type: "CRAWL", url: "/toc", crawl: { ...given, maxDepth: 1, urlRegex: "/issue/" } });
      expect((await world.harvest()).sources).toMatchObject([{ state: "failed", entries: 0, reason }]);
    },
  );

  it.each([
    ["", {}],
    [", nor a sitemap", { sitemaps: true }],
  ])("no page to begin with%s → the source failed, and the run ends", async (_what, crawl) => {
    const { world, add } = await worldOf({ site: {} });
    add({ type: "CRAWL", url: "/toc", crawl });
    expect((await world.harvest()).sources).toMatchObject([
      { state: "failed", reason: expect.stringContaining("404") },
    ]);
    expect(world.deliveries).toHaveLength(1);
  });

  const urlset = (...paths: string[]) =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>SITE${path}</loc></url>`).join("")}</urlset>`;
  const index = `<sitemapindex><sitemap><loc>SITE/map-1.xml</loc></sitemap></sitemapindex>`;

  it.each<[string, Site, string[]]>([
    [
      "named in robots.txt → its articles",
      {
        "/robots.txt": { body: "Sitemap: SITE/maps.xml\n", contentType: "text/plain" },
        "/maps.xml": { body: index, contentType: "text/xml" },
        "/map-1.xml": { body: urlset("/a/1", "/about"), contentType: "text/xml" },
      },
      ["/maps.xml", "/map-1.xml", "/a/1"],
    ],
    [
      "at the usual address → its articles",
      { "/sitemap.xml": { body: urlset("/a/2") } },
      ["/sitemap.xml", "/a/2"],
    ],
    ["nowhere → no harm", {}, ["/sitemap.xml"]],
  ])("a sitemap, switched on, %s", async (_title, more, asked) => {
    const { world, host, add } = await worldOf({ site: { ...site, ...more } });
    add({ type: "CRAWL", url: "/toc", crawl: { extractionRegex, sitemaps: true } });
    const { sources } = await world.harvest();
    expect(pathsOf(host).sort()).toEqual(["/toc", "/a/3", ...asked].sort());
    expect(sources).toMatchObject([{ state: "read" }]);
  });
});
