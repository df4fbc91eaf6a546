import { describe, expect, it } from "vitest";
import { article, deliveredBefore, item, links, pathsOf, posts, type Site, worldOf } from "./site-world.ts";

describe("a single page", () => {
  it("an article → a record", async () => {
    const { world, add } = await worldOf({ site: { "/a": article("Alone") } });
    add({ type: "DIRECT", url: "/a" });
    const { sources, documents } = await world.harvest();
    expect(documents).toMatchObject([{ state: "converted", title: "Alone" }]);
    expect(sources).toMatchObject([{ state: "read", entries: 1, requested: 1 }]);
    expect(world.deliveries).toHaveLength(1);
  });

  it.for<[string, string, string[][]]>([
    [
      "given as a URL → journal and ISSN of its page",
      "",
      [
        ["i", "In: "],
        ["t", "Bees"],
        ["x", "2049-3630"],
        ["g", "1 (2026)"],
      ],
    ],
    [
      "with a title → no ISSN that is not configured",
      "Own title",
      [
        ["i", "In: "],
        ["t", "Own title"],
        ["g", "1 (2026)"],
      ],
    ],
  ])("an article of a source %s", async ([, title, subfields]) => {
    const journal = `<meta name="citation_journal_title" content="Bees">
<meta name="citation_issn" content="1111-1111"><meta name="citation_issn" content="2049-3630">`;
    const { world, host, add } = await worldOf({ site: { "/a": article("Alone") + journal } });
    add({ type: "DIRECT", url: "/a", title: title || `${host.origin}/a` });
    const [document] = (await world.harvest()).documents;
    const record = await world.memory.records.loadMarc(
      document?.state === "converted" ? document.recordKey : "",
    );
    expect(record.fields.find(([tag]) => tag === "773")?.[2]).toEqual(subfields);
  });

  it("an article that was delivered → not requested", async () => {
    const { world, host, add } = await worldOf({ site: {} });
    add({ type: "DIRECT", url: "/a" });
    deliveredBefore(world, `url:${host.hostKey}/a`);
    expect((await world.harvest()).sources).toMatchObject([
      { state: "read", known: { delivered: 1 }, requested: 0 },
    ]);
    expect(host.requests).toEqual([]);
    expect(world.deliveries).toHaveLength(1);
  });

  const toc = `<!doctype html><title>Volume 1</title>${links("/about", "/toc#top", "/a/1", "/a/2#top", "https://other.example/a/3")}`;
  const listed: Site = { "/toc": toc, "/a/1": article("One"), "/a/2": article("Two") };

  it("a list, and an extraction expression of the source → of the articles that it matches those that were not delivered", async () => {
    const { world, host, add } = await worldOf({ site: listed });
    add({ type: "DIRECT", url: "/toc", crawl: { extractionRegex: "/a/|/toc" } });
    deliveredBefore(world, `url:${host.hostKey}/a/1`);
    const { sources, documents } = await world.harvest();
    expect(pathsOf(host)).toEqual(["/toc", "/a/2"]);
    expect(documents).toMatchObject([{ state: "converted", title: "Two" }]);
    expect(sources).toMatchObject([{ state: "read", entries: 2, known: { delivered: 1 }, requested: 1 }]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("a list that is very long → the first 400 of what was not delivered, the others deferred to the next run", async () => {
    const paths = Array.from({ length: 403 }, (_, at) => `/a/${at}`);
    const { world, host, add } = await worldOf({ site: { "/toc": links(...paths) } });
    add({ type: "DIRECT", url: "/toc", crawl: { extractionRegex: "/a/" } });
    deliveredBefore(world, `url:${host.hostKey}/a/0`);
    const { sources } = await world.harvest();
    expect(pathsOf(host)).toEqual(["/toc", ...paths.slice(1, 401)]);
    expect(sources).toMatchObject([
      { entries: 403, requested: 400, dropped: [{ entry: "2 more articles" }] },
    ]);
  });

  it("a list without a title, of which a preview takes one → the first", async () => {
    const { world, add } = await worldOf({ site: { ...listed, "/toc": links("/a/1", "/a/2") } });
    add({ type: "DIRECT", url: "/toc", crawl: { extractionRegex: "/a/" } });
    const { documents } = await world.harvest({ deliveryMode: "NONE", sourceIds: ["a"], newest: 1 });
    expect(documents).toMatchObject([{ state: "converted", title: "One" }]);
  });

  it.each<[string, string | undefined, RegExp]>([
    [
      "no extraction expression",
      undefined,
      /^webpage: .*; the page is not an article; without a translation server its links .* extraction expression/,
    ],
    [
      "an expression that no link matches",
      "/b/",
      /^webpage: .*; the page is not an article; .* no link on it matches/,
    ],
  ])(
    "a list, no translation server, and %s → dropped with both reasons, and nothing else requested",
    async (...row) => {
      const [, extractionRegex, reason] = row;
      const { world, host, add } = await worldOf({ site: listed });
      add({ type: "DIRECT", url: "/toc", ...(extractionRegex && { crawl: { extractionRegex } }) });
      const { documents } = await world.harvest();
      expect(documents).toMatchObject([{ state: "dropped", reason: expect.stringMatching(reason) }]);
      expect(pathsOf(host)).toEqual(["/toc"]);
    },
  );

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

  it("a preview of one article of a list → the first, and none deferred", async () => {
    const { world, add } = await worldOf({
      site: {},
      translations: { "SITE/toc": { status: 300, body: choices }, "SELECT S": { body: [item("/a/1")] } },
    });
    add({ type: "DIRECT", url: "/toc" });
    const { sources, documents } = await world.harvest({
      deliveryMode: "NONE",
      sourceIds: ["a"],
      newest: 1,
    });
    expect(documents).toMatchObject([{ state: "converted", title: "Item /a/1" }]);
    expect(sources).toMatchObject([{ requested: 1, dropped: [] }]);
  });
});
