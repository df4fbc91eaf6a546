import { beforeEach, describe, expect, it } from "vitest";
import type { NewCollection } from "../../../shared/links/status/collection.ts";
import { figuresOf } from "../../../shared/links/status/statistics.ts";
import { answer, GateWorld } from "../web/gate-world.ts";
import { hourMs, LinkWorld, type Reply } from "./link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
});

type Rule = NonNullable<NewCollection["rule"]>;

const error = { page: '<p class="error">Gone</p>' };

describe("one check of one record", () => {
  it.each<[title: string, Rule, Reply, verdict: string]>([
    ["404 without a rule", {}, 404, "broken"],
    ["410 without a rule", {}, 410, "broken"],
    ["`300, 2..` and 201", { statusCodes: "300, 2.." }, 201, "broken"],
    ["no codes and 201", {}, 201, "alive"],
    ["`301,302`, first hop 301", { statusCodes: "301,302" }, [301, 200], "broken"],
    ["`301,4..,50.`: 403", { statusCodes: "301,4..,50." }, 403, "broken"],
    ["`301,4..,50.`: 503", { statusCodes: "301,4..,50." }, 503, "broken"],
    ["`301,4..,50.`: 200", { statusCodes: "301,4..,50." }, 200, "alive"],
    ["`301,4..,50.`: 302 → 200", { statusCodes: "301,4..,50." }, [302, 200], "alive"],
    ['//p[@class="error"] on <p class="error">', { xpath: '//p[@class="error"]' }, error, "broken"],
    [
      '//p[@class="error"] on <a class="large">',
      { xpath: '//p[@class="error"]' },
      { page: '<a class="large">' },
      "alive",
    ],
    ["an empty XPath", { xpath: "" }, error, "alive"],
    ["no XPath", {}, error, "alive"],
    ["boolean(//p) true", { xpath: "boolean(//p)" }, error, "broken"],
    ["count(//p) > 0 true", { xpath: "count(//p) > 0" }, error, "broken"],
    ["codes right, XPath hits", { statusCodes: "404", xpath: "//p" }, error, "broken"],
    ["codes hit, XPath does not", { statusCodes: "20.", xpath: "//h1" }, error, "broken"],
    ["503 that no pattern names", {}, 503, "inconclusive"],
    ["429 that no pattern names", {}, 429, "inconclusive"],
    ["no answer", { statusCodes: "4.." }, "no answer", "inconclusive"],
  ])("%s → $3", async (_title, rule, reply, verdict) => {
    world.addCollection({ collectionId: "c", title: "C", rule });
    world.reply = () => reply;
    await world.openRecord("c-001");
    expect(world.verdicts).toEqual([verdict]);
    expect(world.linkStatusOf("c-001")).toBe(verdict === "broken" ? "suppressed" : "active");
  });
});

describe("a check with a request time in the future", () => {
  it("it counts, and so do checks requested before that time", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    const requestedAt = new Date(world.nowMs + 24 * hourMs).toISOString();
    const landingUrl = "https://c.example/1";
    const context = { checkId: "x", recordId: "c-001", collectionId: "c", landingUrl, requestedAt };
    const purpose = { type: "record", attempt: 0 };
    world.reply = () => 404;
    await world.deliver({ id: "x", kind: "link", url: landingUrl, context: { ...context, purpose } });
    expect(world.records.get("c-001")?.link).toMatchObject({
      status: "suppressed",
      asOf: world.now.toISOString(),
    });
    world.reply = () => 200;
    await world.advance(hourMs);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });
});

describe("the throttle", () => {
  it("3 s → both requests are made, 3 s apart", async () => {
    const gate = new GateWorld({ "https://a.example/1": answer(200), "https://a.example/2": answer(200) });
    await gate.serveToTheEnd([
      { url: "https://a.example/1", kind: "link", throttleMs: 3000, obeyRobots: false },
      { url: "https://a.example/2", kind: "link", throttleMs: 3000, obeyRobots: false },
    ]);
    const [, first, second] = gate.timeline;
    expect(first?.[0]).toBe("/1");
    expect(second).toEqual(["/2", 3001]);
    expect(gate.outcomes).toEqual([200, 200]);
  });
});

describe("the network", () => {
  it("down → rechecks and sweeps change nothing; up again → they continue, and nothing is lost", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.networkIsDown = true;
    world.reply = () => "no answer";
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      await world.sweep();
      await world.advance(2 * hourMs);
    }
    expect(world.requested).toHaveLength(1);
    expect(world.statusOf("c")).toBe("active");
    expect(world.records.get("c-001")?.link?.failures).toBe(1);
    world.networkIsDown = false;
    world.reply = () => 200;
    await world.settle();
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.requested).toHaveLength(2);
  });

  it("goes down before a response is judged → requested again when it is up", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.networkIsDown = true;
    world.reply = () => "no answer";
    const requestedAt = world.now.toISOString();
    const landingUrl = "https://c.example/1";
    const context = { checkId: "x", recordId: "c-001", collectionId: "c", landingUrl, requestedAt };
    const purpose = { type: "record", attempt: 0 };
    await world.deliver({
      id: "x",
      kind: "link",
      url: "https://c.example/1",
      context: { ...context, purpose },
    });
    expect(world.verdicts).toEqual([]);
    world.networkIsDown = false;
    world.reply = () => 404;
    await world.settle();
    expect(world.verdicts).toEqual(["broken"]);
    expect(world.linkStatusOf("c-001")).toBe("suppressed");
  });
});

describe("the samples of a collection", () => {
  it.each([
    [10, [1, 2, 9, 10]],
    [4, [1, 2, 3, 4]],
    [3, [1, 2, 3]],
    [1, [1]],
    [0, []],
  ])("%i dated records → %j fetched, each once", async (records, expected) => {
    world.addCollection({ collectionId: "c", title: "C" }, records);
    await world.sweep();
    const numbers = world.requested.map(({ url }) => Number(new URL(url).pathname.slice(1)));
    expect(numbers.sort((a, b) => a - b)).toEqual(expected);
  });

  it("do not include deleted records", async () => {
    world.addCollection({ collectionId: "c", title: "C", recheckDelaysHours: [1] }, 6);
    world.reply = (url) => (url.endsWith("/1") ? 404 : 200);
    await world.openRecord("c-001");
    await world.advance(hourMs);
    world.requested.length = 0;
    await world.sweep();
    expect(world.requested.map(({ url }) => new URL(url).pathname).sort()).toEqual(["/2", "/3", "/5", "/6"]);
  });

  it("a repeated sweep → the same requests, one outcome", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.sweep();
    await world.sweep();
    expect(world.requested).toHaveLength(4);
    expect(world.mails).toHaveLength(1);
  });
});

describe("statistics", () => {
  const change = (recordId: string) => ({
    day: "2026-11-20",
    collectionId: "c",
    change: "deleted" as const,
    recordId,
    url: `https://c.example/${recordId}`,
  });

  it("31 deletions in a day → count 31, sample list 20", () => {
    const [row] = figuresOf(Array.from({ length: 31 }, (_, index) => change(`r${index}`)));
    expect(row?.deleted.count).toBe(31);
    expect(row?.deleted.samples).toHaveLength(20);
    expect(row?.activated).toEqual({ count: 0, samples: [] });
  });

  it("the same record and status twice → counted once", async () => {
    await world.ports.statistics.add(change("r"));
    await world.ports.statistics.add(change("r"));
    expect(figuresOf(await world.ports.statistics.ofDay("2026-11-20"))[0]?.deleted.count).toBe(1);
  });

  it("the day is that of the configured time zone", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.nowMs = Date.parse("2026-11-20T12:00:00Z");
    world.reply = () => 404;
    await world.openRecord("c-001");
    expect([...world.countedChanges.values()].map(({ day }) => day)).toEqual(["2026-11-21"]);
  });
});
