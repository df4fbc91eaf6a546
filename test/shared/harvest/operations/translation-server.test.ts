import { describe, expect, it } from "vitest";
import type { MockResponse } from "../mock-hosts.ts";
import { article, feed, item, links, posts, type Site, worldOf } from "./site-world.ts";

describe("a translation server", () => {
  const site: Site = { "/feed": feed("/1") };

  it.each<[string, MockResponse, string]>([
    ["501", { status: 501 }, "the translation server has no translator for the page (status 501)"],
    ["500", { status: 500 }, "the translation server failed on the page (status 500)"],
    [
      "broken JSON",
      { body: "[{", contentType: "application/json" },
      "the translation server's response holds no items",
    ],
    ["no list", { body: { error: 1 } }, "the translation server's response holds no items"],
  ])("answers %s → the article failed with the reason, asked once", async (_what, answer, reason) => {
    const { world, server, add } = await worldOf({ site, translations: { "SITE/1": answer } });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    expect(documents).toMatchObject([{ state: "failed", reason }]);
    expect(server?.requests).toHaveLength(1);
    expect(world.deliveries).toHaveLength(1);
  });

  it.for<[string, string, object]>([
    ["an article", article("On bees"), { state: "converted", title: "On bees" }],
    ["no article", links("/x"), { state: "dropped", reason: expect.stringMatching(/^no-title/) }],
    ["a title alone", "<title>Home</title>", { state: "dropped", reason: expect.stringMatching(/^webpage/) }],
  ])("answers with a web page, which is %s → read without it, once", async ([, page, outcome]) => {
    const body = [{ itemType: "webpage", title: "Home", url: "SITE/1" }];
    const { world, host, server, add } = await worldOf({
      site: { ...site, "/1": page },
      translations: { "SITE/1": { body } },
    });
    add({ url: "/feed" });
    expect((await world.harvest()).documents).toMatchObject([outcome]);
    expect(server?.requests).toHaveLength(1);
    expect(host.requests.filter(({ path }) => path === "/1")).toHaveLength(1);
  });

  it("answers with an item that lacks what the page says, and contradicts it → the page's values, the gaps filled", async () => {
    const head: [string, string][] = [
      ["citation_title", "On bees"],
      ["citation_author", "Pell, Ottoline"],
      ["citation_journal_title", "Bees"],
      ["citation_date", "2014/03/02"],
      ["citation_volume", "12"],
      ["citation_issue", "3"],
      ["citation_doi", "10.1234/bees"],
    ];
    const page = head.map(([name, content]) => `<meta name="${name}" content="${content}">`).join("");
    const lacking = {
      itemType: "journalArticle",
      title: "On bees",
      date: "2026",
      creators: [],
      pages: "7-9",
      url: "SITE/1",
    };
    const { world, server, host, add } = await worldOf({
      site: { "/feed": feed("/1"), "/1": page },
      translations: { "SITE/1": { body: [lacking] } },
    });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    expect(documents).toMatchObject([{ state: "converted", title: "On bees", doi: "10.1234/bees" }]);
    const [{ recordKey = "" } = {}] = documents as { recordKey?: string }[];
    const { fields = [] } = world.memory.marcByKey.get(recordKey) ?? {};
    const valuesOf = (tag: string) =>
      fields.filter(([each]) => each === tag).map(([, , subfields]) => subfields);
    expect(valuesOf("100")).toEqual([expect.arrayContaining([["a", "Pell, Ottoline"]])]);
    expect(valuesOf("264")).toEqual([[["c", "2014"]]]);
    expect(valuesOf("936")).toEqual([
      expect.arrayContaining([
        ["d", "12"],
        ["e", "3"],
        ["h", "7-9"],
      ]),
    ]);
    expect(server?.requests).toHaveLength(1);
    expect(host.requests.filter(({ path }) => path === "/1")).toHaveLength(1);
  });

  it("an empty answer → requested twice more, then failed", async () => {
    const { world, server, add } = await worldOf({ site, translations: { "SITE/1": { body: [] } } });
    add({ url: "/feed" });
    expect((await world.harvest()).documents).toMatchObject([
      { state: "failed", reason: "the translation server returned an empty response" },
    ]);
    expect(server?.requests).toHaveLength(3);
    expect(world.deliveries).toHaveLength(1);
  });

  it("choices → all are posted at once, and their own pages are not requested", async () => {
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

  it("an article with a date that nobody can read, of a feed entry with one → left out with that reason", async () => {
    const body = [item("/1", { date: "Spring issue" })];
    const dated = {
      ...feed("/1"),
      body: String(feed("/1").body).replace(
        "</link>",
        "</link><pubDate>Sat, 01 Jun 2024 10:00:00 GMT</pubDate>",
      ),
    };
    const { world, add } = await worldOf({ site: { "/feed": dated }, translations: { "SITE/1": { body } } });
    add({ url: "/feed" });
    const { documents } = await world.harvest();
    expect(documents).toMatchObject([
      { state: "dropped", reason: expect.stringContaining("unreadable-date") },
    ]);
  });

  it("choices of which one has a private address → dropped with the reason, the others posted", async () => {
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
          reason: expect.stringMatching(/^not requested \(address: /),
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

  it("items of which one is bad → that one dropped, the other kept", async () => {
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

  it("requests count for the article's host: one at a time, with its Crawl-delay and robots.txt", async () => {
    const robots = "User-agent: *\nCrawl-delay: 2\nDisallow: /3\n";
    const { world, server, add } = await worldOf({
      site: { "/feed": feed("/1", "/2", "/3"), "/robots.txt": { body: robots, contentType: "text/plain" } },
      translations: { "SITE/1": { body: [item("/1")] }, "SITE/2": { body: [item("/2")] } },
    });
    add({ url: "/feed" });
    await world.harvest();
    const times = world.requestedAtMs.filter(([url]) => !url.endsWith("robots.txt")).map(([, atMs]) => atMs);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    // Each article that the server has translated is also read from its page.
    expect(gaps).toHaveLength(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2000);
    expect(server?.maxConcurrent).toBe(1);
  });

  it("is not there → tried as often as a host would be, and the host is not held for dead", async () => {
    const { world, server, add } = await worldOf({
      site: { ...site },
      translations: {},
      policy: { maxAttempts: 2 },
    });
    add({ url: "/feed" });
    await server?.stop();
    const { documents } = await world.harvest();
    expect(documents).toMatchObject([
      {
        state: "failed",
        reason: expect.stringMatching(
          /^no answer \(transport-unavailable\) after 2 attempts: the translation server/,
        ),
      },
    ]);
  });
});
