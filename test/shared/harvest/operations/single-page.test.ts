import { describe, expect, it } from "vitest";
import { article, deliveredBefore, item, posts, worldOf } from "./site-world.ts";

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
