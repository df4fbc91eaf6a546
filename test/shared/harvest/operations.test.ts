import { afterEach, describe, expect, it } from "vitest";
import { type NewSource, source } from "../../../shared/sources/source.ts";
import { HarvestWorld } from "./harvest-world.ts";
import { type MockAnswer, MockHost, translator } from "./mock-hosts.ts";

/** What hosts answer, by path; a text is a web page. `SITE` stands for the host's origin. */
type Site = Record<string, string | MockAnswer>;

const hosts: MockHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

function article(title: string): string {
  return `<!doctype html><title>x</title><meta name="citation_title" content="${title}">
<meta name="citation_author" content="Pell, Ottoline"><meta name="citation_volume" content="1">
<meta name="citation_date" content="2026">`;
}

function item(path: string, more: object = {}): object {
  const title = `Item ${path}`;
  return {
    itemType: "journalArticle",
    title,
    url: `SITE${path}`,
    volume: "1",
    issue: "2",
    date: "2026",
    ...more,
  };
}

function links(...paths: string[]): string {
  return `<!doctype html><body>${paths.map((path) => `<a href="${path}">x</a>`).join("")}`;
}

function feed(...paths: string[]): MockAnswer {
  const items = paths.map((path) => `<item><title>T ${path}</title><link>SITE${path}</link></item>`);
  const body = `<rss version="2.0"><channel><title>F</title>${items.join("")}</channel></rss>`;
  return { body, contentType: "application/rss+xml" };
}

interface Given {
  site: Site;
  /** What the translation server answers, by address or session; without it there is no server. */
  translations?: Record<string, MockAnswer>;
  policy?: ConstructorParameters<typeof HarvestWorld>[0]["policy"];
}

async function worldOf({ site, translations, policy }: Given) {
  const put = (body: unknown): unknown =>
    typeof body === "string"
      ? body.replaceAll("SITE", host.origin)
      : JSON.parse(put(JSON.stringify(body)) as string);
  const host: MockHost = await MockHost.start(({ path }) => {
    const given = site[path];
    if (given === undefined) return { status: 404 };
    const answer = typeof given === "string" ? { body: given } : given;
    return { ...answer, body: put(answer.body ?? "") };
  });
  const known = new Map(
    Object.entries(translations ?? {}).map(([name, answer]) => [
      put(name) as string,
      { ...answer, body: put(answer.body ?? "") },
    ]),
  );
  const server = translations && (await MockHost.start(translator(known)));
  hosts.push(host, ...(server ? [server] : []));
  const world = new HarvestWorld({ hosts: [host], translationServer: server, ...(policy && { policy }) });
  world.memory.addGroup("Test");
  const add = (more: Partial<NewSource>) => {
    const base = {
      sourceId: "a",
      title: "A Journal",
      groupId: "Test",
      deliveryMode: "LIVE",
      url: `${host.origin}/`,
    };
    const value = source.parse({
      type: "RSS",
      ...base,
      ...more,
      ...(more.url && { url: host.origin + more.url }),
    });
    world.memory.sourcesById.set(value.sourceId, value);
  };
  return { world, host, server, add };
}

function deliveredBefore(
  { memory }: HarvestWorld,
  key: string,
  state: "automatic" | "error" | "reset" = "automatic",
): void {
  memory.archived.set(key, { owner: "earlier", state, entryKey: "record:earlier" });
}

/** The paths that a host was asked for, in order, but for its robots.txt. */
function pathsOf({ requests }: MockHost): string[] {
  return requests.map(({ path }) => path).filter((path) => path !== "/robots.txt");
}

function posts(server: MockHost | undefined, host: MockHost): string[] {
  return (server?.requests ?? []).map(({ path, body }) => `${path} ${body.replaceAll(host.origin, "")}`);
}

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
    expect(sources).toMatchObject([{ state: "read", entries: 4, requested: 3 }]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("ids that begin anew on each page → a record of each article", async () => {
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

  it("no numbers, and the feed says how many it has → all of them", async () => {
    const count = { "/feed?journal=A+Journal&info=1": { body: { total_pages: 3 } } };
    const { world, add } = await worldOf({ site: { ...site, ...count } });
    add({ url: "/feed", pagedRss: {} });
    expect((await world.harvest()).documents).toHaveLength(4);
  });

  it("no numbers, and the feed does not say → page after page until one has nothing new", async () => {
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
    const [first, second] = world.askedAtMs.filter(([url]) => url.includes("page_num"));
    expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThanOrEqual(3000);
  });

  it("a wait between pages → none between articles", async () => {
    const { world, add } = await worldOf({ site });
    add({ url: "/feed", pagedRss: { pages: [2], delayMs: 3000 } });
    await world.harvest();
    const [two, three] = ["/2", "/3"].map(
      (path) => world.askedAtMs.find(([url]) => url.endsWith(path))?.[1] ?? 0,
    );
    expect(Math.abs((three ?? 0) - (two ?? 0))).toBeLessThan(3000);
  });
});

it("more articles than one listing may ask for → the first 9 999, the others left to the next run", async () => {
  const paths = Array.from({ length: 10_050 }, (_, index) => `/${index}`);
  const { world, add } = await worldOf({
    site: { "/feed": feed(...paths), "/robots.txt": { body: "User-agent: *\nDisallow: /\nAllow: /feed\n" } },
  });
  add({ url: "/feed" });
  const { sources, documents } = await world.harvest();
  expect(sources).toMatchObject([{ entries: 10_050, requested: 9_999 }]);
  expect(documents).toHaveLength(9_999);
  const sizes = [...world.memory.tallies.values()].map(({ opened }) => opened.size);
  expect(Math.max(...sizes)).toBe(500);
  expect(world.deliveries).toHaveLength(1);
});

it("pages that answer 200 and are none of the articles → dropped with their titles; a bare title gives way to the feed's", async () => {
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

  it("no crawl expression → every page of the site is followed, files are not, and articles are asked for once", async () => {
    const { world, host, add } = await worldOf({ site });
    add({ type: "CRAWL", url: "/toc", crawl: { extractionRegex, maxDepth: 1 } });
    const { documents } = await world.harvest();
    expect(pathsOf(host).sort()).toEqual(
      ["/toc", "/issue/1", "/issue/2", "/about", "/a/3", "/a/1", "/a/2", "/a/6"].sort(),
    );
    expect(documents.filter(({ state }) => state === "converted")).toHaveLength(4);
  });

  it("robots.txt forbids pages → they are not asked, even for a source that does not obey", async () => {
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

  it("the time is over → what was read counts, nothing more is followed", async () => {
    const { world, host, add } = await worldOf({ site });
    add({
      type: "CRAWL",
      url: "/toc",
      throttleMs: 1_000_000,
      crawl: { extractionRegex, maxDepth: 2, urlRegex: "/issue/" },
    });
    const { sources } = await world.harvest();
    expect(pathsOf(host)).not.toContain("/issue/3");
    expect(sources).toMatchObject([
      { reason: expect.stringMatching(/^the crawl has reached its limit: \d links/) },
    ]);
  });

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

describe("the deadline of a run", () => {
  it.each([
    ["a feed → its last articles", 2, { url: "/feed" }, { "/feed": feed("/1", "/2", "/3", "/4") }],
    [
      "a crawl, which asks for its pages first → its articles",
      4,
      {
        type: "CRAWL" as const,
        url: "/",
        crawl: { maxDepth: 1, extractionRegex: "/\\d", urlRegex: "/\\d", maxDurationMinutes: 999 },
      },
      { "/": links("/1", "/2", "/3", "/4") },
    ],
  ])(
    "that passes while a slow host is asked, %s are not asked and failed with the reason",
    async (...row) => {
      const [, late, source, site] = row;
      const { world, host, add } = await worldOf({ site });
      add({ ...source, throttleMs: 3_000_000, obeyRobots: false });
      const { documents } = await world.harvest();
      const reasons = documents.map((document) => ("reason" in document ? document.reason : ""));
      expect(reasons.filter((reason) => reason.startsWith("not fetched (too-late)"))).toHaveLength(late);
      expect(reasons).toHaveLength(4);
      expect(host.requests).toHaveLength(4);
    },
  );
});

describe("a single page", () => {
  it("an article → a record", async () => {
    const { world, add } = await worldOf({ site: { "/a": article("Alone") } });
    add({ type: "DIRECT", url: "/a" });
    const { sources, documents } = await world.harvest();
    expect(documents).toMatchObject([{ state: "converted", title: "Alone" }]);
    expect(sources).toMatchObject([{ state: "read", entries: 1, requested: 1 }]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("an article that was delivered → not asked for", async () => {
    const { world, host, add } = await worldOf({ site: {} });
    add({ type: "DIRECT", url: "/a" });
    deliveredBefore(world, `url:${host.hostKey}/a`);
    expect((await world.harvest()).sources).toMatchObject([
      { state: "read", known: { delivered: 1 }, requested: 0 },
    ]);
    expect(host.requests).toEqual([]);
    expect(world.deliveries).toHaveLength(1);
  });

  const choices = { url: "SITE/toc", session: "S", items: { "SITE/a/1": "One", "SITE/a/2": "Two" } };

  it("a list → of its choices those that were not delivered, posted back in the server's object", async () => {
    const { world, host, server, add } = await worldOf({
      site: {},
      translations: { "SITE/toc": { status: 300, body: choices }, "SELECT S": { body: [item("/a/2")] } },
    });
    add({ type: "DIRECT", url: "/toc" });
    deliveredBefore(world, `url:${host.hostKey}/a/1`);
    const { sources, documents } = await world.harvest();
    const posted = JSON.stringify({ ...choices, url: "/toc", items: { "/a/2": "Two" } });
    expect(posts(server, host)).toEqual(["/web /toc", `/web ${posted}`]);
    expect(documents).toMatchObject([{ state: "converted", title: "Item /a/2" }]);
    expect(sources).toMatchObject([{ entries: 2, known: { delivered: 1 }, requested: 1 }]);
  });

  it("a list of which all is delivered → nothing is posted back", async () => {
    const { world, host, server, add } = await worldOf({
      site: {},
      translations: { "SITE/toc": { status: 300, body: choices } },
    });
    add({ type: "DIRECT", url: "/toc" });
    for (const n of [1, 2]) deliveredBefore(world, `url:${host.hostKey}/a/${n}`);
    expect((await world.harvest()).documents).toEqual([]);
    expect(server?.requests).toHaveLength(1);
    expect(world.deliveries).toHaveLength(1);
  });
});

describe("a search", () => {
  const offered = { session: "Q", items: { "10.1234/x.1": 0, "10.1234/x.2": 1 } };

  it("the ISSN → what the server finds and was not delivered, each as a record", async () => {
    const { world, host, server, add } = await worldOf({
      site: {},
      translations: {
        "1111-1119": { status: 300, body: offered },
        "SELECT Q": { body: [item("/a/2", { DOI: "10.1234/x.2" }), { itemType: "note", note: "LF:" }] },
      },
    });
    add({ type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } });
    deliveredBefore(world, "doi:10.1234/x.1");
    const { documents } = await world.harvest();
    expect(posts(server, host)).toEqual([
      "/searchmultiple 1111-1119",
      `/searchmultiple ${JSON.stringify({ ...offered, items: { "10.1234/x.2": 1 } })}`,
    ]);
    expect(documents).toMatchObject([{ state: "converted", title: "Item /a/2" }]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("no translation server → a failure that says so", async () => {
    const { world, add } = await worldOf({ site: {} });
    add({ type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } });
    expect((await world.harvest()).documents).toMatchObject([
      { state: "failed", reason: expect.stringContaining("no-translation-server") },
    ]);
  });
});

describe("received mails", () => {
  const mail = (subject: string, body: string, headers = "") =>
    new TextEncoder().encode(
      `From: a@b.example\r\nSubject: ${subject}\r\n${headers}MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}`,
    );

  it.each<[string, string, string, string, string[]]>([
    ["a subject that matches → its links", "New issue", links("SITE/a/1", "SITE/a/2"), "", ["/a/1", "/a/2"]],
    ["another subject → nothing", "Newsletter", links("SITE/a/1"), "", []],
    ["held for spam by SES → nothing", "New issue", links("SITE/a/1"), "X-SES-Spam-Verdict: FAIL\r\n", []],
    [
      "links that the extraction expression does not match → not those",
      "New issue",
      links("SITE/a/1", "SITE/imprint"),
      "",
      ["/a/1"],
    ],
  ])("%s", async (_title, subject, body, headers, asked) => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One"), "/a/2": article("Two") } });
    add({ type: "EMAIL", email: { subjectRegex: "(?i)new issue" }, crawl: { extractionRegex: "/a/" } });
    world.received.set("m1", mail(subject, body.replaceAll("SITE", host.origin), headers));
    const { documents } = await world.harvest();
    expect(pathsOf(host)).toEqual(asked);
    expect(documents).toHaveLength(asked.length);
    expect([...world.read.keys()]).toEqual(["a m1"]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("read under a subject expression that was wrong → its links are asked for once that is corrected", async () => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One") } });
    add({ type: "EMAIL", email: { subjectRegex: "new issue" }, crawl: { extractionRegex: "/a/" } });
    world.read.set("a m1", { subject: "New issue", links: [`${host.origin}/a/1`] });
    world.read.set("a m2", { subject: "A new issue", links: [`${host.origin}/a/2`] });
    await world.harvest();
    expect(pathsOf(host)).toEqual(["/a/2"]);
  });

  it("a preview → asks for the links, and leaves the messages unread", async () => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One") } });
    add({ type: "EMAIL", crawl: { extractionRegex: "/a/" } });
    world.received.set("m1", mail("x", links(`${host.origin}/a/1`)));
    await world.harvest({ deliveryMode: "NONE", sourceIds: ["a"] });
    expect(pathsOf(host)).toEqual(["/a/1"]);
    expect([...world.read.keys()]).toEqual([]);
  });

  it("a message is read once; what it links to is asked for again while it is not delivered", async () => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One") } });
    add({ type: "EMAIL", crawl: { extractionRegex: "/a/" } });
    world.received.set("m1", mail("x", links(`${host.origin}/a/1`, `${host.origin}/a/2`)));
    deliveredBefore(world, `url:${host.hostKey}/a/1`);
    world.read.set("a m1", { subject: "x", links: [`${host.origin}/a/1`, `${host.origin}/a/2`] });
    await world.harvest();
    expect(pathsOf(host)).toEqual(["/a/2"]);
  });
});

describe("a translation server", () => {
  const site: Site = { "/feed": feed("/1") };

  it.each<[string, MockAnswer, string]>([
    ["501", { status: 501 }, "the translation server has no translator for the page (status 501)"],
    ["500", { status: 500 }, "the translation server failed on the page (status 500)"],
    [
      "broken JSON",
      { body: "[{", contentType: "application/json" },
      "the translation server's answer holds no items",
    ],
    ["no list", { body: { error: 1 } }, "the translation server's answer holds no items"],
  ])("answers %s → the article failed with the reason, asked once", async (_what, answer, reason) => {
    const { world, server, add } = await worldOf({ site, translations: { "SITE/1": answer } });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    expect(documents).toMatchObject([{ state: "failed", reason }]);
    expect(server?.requests).toHaveLength(1);
    expect(world.deliveries).toHaveLength(1);
  });

  it("answers with a web page → dropped", async () => {
    const body = [{ itemType: "webpage", title: "Home", url: "SITE/1" }];
    const { world, add } = await worldOf({ site, translations: { "SITE/1": { body } } });
    add({ url: "/feed" });
    expect((await world.harvest()).documents).toMatchObject([
      { state: "dropped", reason: expect.stringMatching(/^webpage/) },
    ]);
  });

  it("answers with nothing → asked twice more, then failed", async () => {
    const { world, server, add } = await worldOf({ site, translations: { "SITE/1": { body: [] } } });
    add({ url: "/feed" });
    expect((await world.harvest()).documents).toMatchObject([
      { state: "failed", reason: "the translation server answers with nothing" },
    ]);
    expect(server?.requests).toHaveLength(3);
    expect(world.deliveries).toHaveLength(1);
  });

  it("offers choices → all are taken at once, and what they cover is not asked for", async () => {
    const choices = { url: "SITE/toc", session: "S", items: { "SITE/1": "One", "SITE/2": "Two" } };
    const { world, host, server, add } = await worldOf({
      site: { "/feed": feed("/toc", "/1", "/3") },
      translations: {
        "SITE/toc": { status: 300, body: choices },
        "SELECT S": { body: [item("/1"), { itemType: "note", note: "LF:" }, item("/2")] },
        "SITE/3": { body: [item("/3")] },
      },
    });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    const posted = JSON.stringify({ ...choices, url: "/toc", items: { "/1": "One", "/2": "Two" } });
    expect(posts(server, host)).toEqual(["/web /toc", `/web ${posted}`, "/web /3"]);
    expect(documents.map(({ title }) => title).sort()).toEqual(["Item /1", "Item /2", "Item /3"]);
  });

  it("offers choices of which one is inside our network → dropped with the reason, the others taken", async () => {
    const items = { "http://169.254.169.254/latest": "Meta", "SITE/1": "One" };
    const { world, add } = await worldOf({
      site: { "/feed": feed("/toc") },
      translations: {
        "SITE/toc": { status: 300, body: { session: "S", items } },
        "SELECT S": { body: [item("/1")] },
      },
    });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    expect(documents).toHaveLength(2);
    expect(documents).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ state: "converted", title: "Item /1" }),
        expect.objectContaining({
          state: "dropped",
          url: "http://169.254.169.254/latest",
          reason: expect.stringMatching(/^not asked \(address: /),
        }),
      ]),
    );
  });

  it("answers with items whose addresses never end → documents with short ones", async () => {
    const endless = "x".repeat(500_000);
    const { world, add } = await worldOf({
      site,
      translations: {
        "SITE/1": {
          body: [item("/2"), item(`/${endless}`), item("/3", { url: "", DOI: `10.1234/${endless}` })],
        },
      },
    });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    expect(documents.map(({ state }) => state).sort()).toEqual(["converted", "dropped", "dropped"]);
    expect(Math.max(...documents.map((document) => JSON.stringify(document).length))).toBeLessThan(5_000);
  });

  it("answers with items of which one is bad → that one dropped, the other kept", async () => {
    const bad = { itemType: 5, title: 7, url: { a: 1 }, DOI: 5, creators: "x" };
    const { world, add } = await worldOf({
      site,
      translations: { "SITE/1": { body: [bad, item("/2"), {}, null, "x"] } },
    });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    expect(documents.map(({ state }) => state).sort()).toEqual(["converted", ...Array(4).fill("dropped")]);
    expect(documents).toContainEqual(
      expect.objectContaining({ reason: expect.stringMatching(/malformed.*received null/) }),
    );
    expect(world.deliveries).toHaveLength(1);
  });

  it("answers its choices with the list itself → failed", async () => {
    const { world, add } = await worldOf({
      site,
      translations: {
        "SITE/1": { status: 300, body: { session: "S", items: { "SITE/2": "Two" } } },
        "SELECT S": { body: [item("/1")] },
      },
    });
    add({ url: "/feed" });
    expect((await world.harvest()).documents).toMatchObject([
      { state: "failed", reason: "the translation server answered its own choices with the list itself" },
    ]);
  });

  it("is asked in the turn of the article's host: one at a time, with its Crawl-delay, not what it forbids", async () => {
    const robots = "User-agent: *\nCrawl-delay: 2\nDisallow: /3\n";
    const { world, server, add } = await worldOf({
      site: { "/feed": feed("/1", "/2", "/3"), "/robots.txt": { body: robots, contentType: "text/plain" } },
      translations: { "SITE/1": { body: [item("/1")] }, "SITE/2": { body: [item("/2")] } },
    });
    add({ url: "/feed" });
    await world.harvest();
    const times = world.askedAtMs.filter(([url]) => !url.endsWith("robots.txt")).map(([, atMs]) => atMs);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(gaps).toHaveLength(2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2000);
    expect(server?.mostAtOnce).toBe(1);
  });

  it("is not there → tried as often as a host would be, and the host is not held for dead", async () => {
    const { world, server, add } = await worldOf({
      site: { ...site },
      translations: {},
      policy: { attempts: 2 },
    });
    add({ url: "/feed" });
    await server?.stop();
    hosts.splice(hosts.indexOf(server as MockHost), 1);
    const { documents } = await world.harvest();
    expect(documents).toMatchObject([
      {
        state: "failed",
        reason: expect.stringMatching(/^no answer \(translation-server\) after 2 attempts/),
      },
    ]);
  });
});

describe("every function broken off once, at any of its writes, and repeated", () => {
  const extractionRegex = String.raw`/a/\d$`;
  const choices = { url: "SITE/toc", session: "S", items: { "SITE/a/1": "One", "SITE/a/2": "Two" } };
  const site: Site = {
    "/feed?journal=A+Journal&page_num=1": feed("/a/1"),
    "/feed?journal=A+Journal&page_num=2": feed("/a/1", "/a/2"),
    "/toc": links("/issue/1", "/issue/2"),
    "/issue/1": links("/a/1", "/issue/2"),
    "/issue/2": links("/a/2", "/a/1", "/issue/1"),
  };
  const translations: Record<string, MockAnswer> = {
    "SITE/a/1": { body: [item("/a/1")] },
    "SITE/a/2": { body: [item("/a/2")] },
    "SITE/toc": { status: 300, body: choices },
    "1111-1119": { status: 300, body: choices },
    "SELECT S": { body: [item("/a/1"), item("/a/2")] },
  };

  const kinds: [string, Partial<NewSource>][] = [
    ["a feed in pages", { type: "RSS", url: "/feed", pagedRss: {} }],
    ["a crawl", { type: "CRAWL", url: "/toc", crawl: { extractionRegex, urlRegex: "/issue/", maxDepth: 2 } }],
    ["a list", { type: "DIRECT", url: "/toc" }],
    ["a search", { type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } }],
    ["a mail", { type: "EMAIL", crawl: { extractionRegex } }],
  ];

  it.each(kinds)("%s → the run ends with all, each once", async (_kind, more) => {
    for (const before of [true, false]) {
      for (let writes = 0; writes < 8; writes += 1) {
        const { world, host, add } = await worldOf({ site, translations });
        add(more);
        const body = `Subject: x\r\nContent-Type: text/plain\r\n\r\nSee ${host.origin}/a/1. And ${host.origin}/a/2`;
        world.received.set("m1", new TextEncoder().encode(body));
        world.death = { writes, before };
        const { documents } = await world.harvest();
        expect(documents.map(({ title }) => title).sort(), `write ${writes}, ${before}`).toEqual([
          "Item /a/1",
          "Item /a/2",
        ]);
        expect(world.deliveries.length, `write ${writes}, ${before}`).toBeGreaterThan(0);
      }
    }
  });
});

describe("what was delivered before", () => {
  it.each<[string, string]>([
    ["its address", "url:HOST/1"],
    ["the DOI in its address", "doi:10.1234/abc"],
  ])("known by %s → not asked for", async (_how, key) => {
    const path = key.startsWith("doi") ? "/doi/10.1234/abc" : "/1";
    const { world, host, server, add } = await worldOf({ site: { "/feed": feed(path) }, translations: {} });
    add({ url: "/feed" });
    deliveredBefore(world, key.replace("HOST", host.hostKey));
    expect((await world.harvest()).sources).toMatchObject([{ known: { delivered: 1 }, requested: 0 }]);
    expect(server?.requests).toEqual([]);
  });

  it.each(["error", "reset"] as const)("in state %s → asked for again", async (state) => {
    const { world, host, add } = await worldOf({ site: { "/feed": feed("/1"), "/1": article("One") } });
    add({ url: "/feed" });
    deliveredBefore(world, `url:${host.hostKey}/1`, state);
    expect((await world.harvest()).documents).toMatchObject([{ state: "converted", title: "One" }]);
  });
});
