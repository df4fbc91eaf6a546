import { beforeEach, describe, expect, it } from "vitest";
import { InputError } from "../../../shared/core/errors.ts";
import { collection, type NewCollection, readCollection } from "../../../shared/links/fate/collection.ts";
import { judgeCheck } from "../../../shared/links/fate/judge-check.ts";
import { restoreRecord } from "../../../shared/links/fate/restore.ts";
import { maxPageBytes } from "../../../shared/links/page/match.ts";
import { figuresOf } from "../../../shared/links/report/statistics.ts";
import { type NewRequest, outboundRequest } from "../../../shared/web/gate/request.ts";
import { answer, GateWorld } from "../web/gate-world.ts";
import { afterCoalescing, hourMs, LinkWorld, type Reply, start } from "./link-world.ts";

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
    await world.open("c-001");
    expect(world.verdicts).toEqual([verdict]);
    expect(world.linkStatusOf("c-001")).toBe(verdict === "broken" ? "suppressed" : "active");
  });
});

describe("a record", () => {
  it("404, its collection not configured → suppressed, one suppression counted", async () => {
    world.addRecord("c", 1);
    world.reply = () => 404;
    await world.open("c-001");
    expect(world.linkStatusOf("c-001")).toBe("suppressed");
    expect(world.counts()).toEqual({ suppressed: 1 });
  });

  it("its collection's rule inactive → no request, no change", async () => {
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } });
    world.reply = () => 404;
    expect(await world.open("c-001")).toBe("not-asked");
    await world.sweep();
    expect(world.asked).toEqual([]);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });

  it("its collection held → not asked when it is opened; what was under way changes nothing", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.networkIsDown = true;
    expect(await world.open("c-002")).toBe("asked");
    await world.hold("c");
    world.networkIsDown = false;
    await world.settle();
    expect(await world.open("c-003")).toBe("not-asked");
    await world.pass(1000 * hourMs);
    expect(world.records.get("c-001")?.link).toMatchObject({ status: "suppressed", failures: 1 });
    expect(world.linkStatusOf("c-002")).toBe("active");
    expect(world.counts()).toEqual({ suppressed: 1 });
  });

  it.each<[string, () => unknown]>([
    ["held", () => world.hold("c")],
    [
      "switched off",
      () => world.addCollection({ collectionId: "c", title: "C", rule: { active: false } }, 0),
    ],
    ["spoilt", () => world.unusable.set("c", { collectionId: "c", problem: "title: missing", hold: false })],
  ])("its collection %s → its attempts, and the collection's, ask the host nothing", async (_title, act) => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.nowMs += 1;
    await world.sweep();
    await act();
    world.asked.length = 0;
    await world.pass(100 * hourMs);
    expect(world.asked).toEqual([]);
    expect(world.records.get("c-001")?.link).toMatchObject({ status: "suppressed", failures: 1 });
    expect(await world.ports.collections.fate("c")).toMatchObject({ status: "suppressed", failures: 1 });
  });

  it("its collection held, and released before the gate's word is judged → its attempt is made later", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.nowMs += hourMs;
    const at = { askedAt: world.now.toISOString(), landingUrl: "https://c.example/1" };
    const context = {
      checkId: "y",
      recordId: "c-001",
      collectionId: "c",
      purpose: { type: "record", attempt: 1 },
    };
    const request = outboundRequest.parse({
      id: "y",
      kind: "link",
      url: at.landingUrl,
      context: { ...context, ...at },
    });
    const outcome = { type: "refused" as const, reason: "withdrawn", detail: "collection c is held" };
    await judgeCheck({ request, outcome }, world.ports);
    const due = world.attemptsDue;
    world.nowMs += 60_000;
    await judgeCheck({ request, outcome }, world.ports);
    expect(world.attemptsDue).toEqual(due);
    expect(world.records.get("c-001")?.link?.nextAttemptAt).toBe(due[1]);
    expect(world.records.get("c-001")?.link).toMatchObject({ failures: 1 });
    expect(world.verdicts).toEqual(["broken"]);
  });

  it("the rule becomes inactive while the answer is on its way → no change", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    world.networkIsDown = true;
    await world.open("c-001");
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } });
    world.networkIsDown = false;
    await world.settle();
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.counts()).toEqual({});
  });

  it("the rule gets an XPath before an attempt is due → the attempt is judged by it", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.addCollection({ collectionId: "c", title: "C", rule: { xpath: '//p[@class="error"]' } }, 0);
    world.reply = () => error;
    await world.pass(hourMs);
    expect(world.verdicts).toEqual(["broken", "broken"]);
  });

  it("the rule switched off while an attempt is due, and on again → the attempt is made later", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 10);
    world.reply = (url) => (url.endsWith("/5") ? 404 : 200);
    await world.open("c-005");
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } }, 0);
    await world.pass(1.5 * hourMs);
    expect(world.linkStatusOf("c-005")).toBe("suppressed");
    expect(world.verdicts).toEqual(["broken"]);
    world.addCollection({ collectionId: "c", title: "C" }, 0);
    world.reply = () => 200;
    await world.pass(hourMs);
    expect(world.linkStatusOf("c-005")).toBe("active");
    expect(world.attemptsDue).toEqual([]);
  });

  it("the rule switched off, and the record restored → its attempt is not made again", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } }, 0);
    await restoreRecord("c-001", world.ports);
    await world.pass(hourMs);
    expect(world.attemptsDue).toEqual([]);
  });

  it.each([
    ["a link that works → active", 200, "active", { suppressed: 1, activated: 1 }],
    ["a link that is dead too → its attempts go on", 404, "deleted", { suppressed: 1, deleted: 1 }],
  ] as const)("harvested anew while an attempt is due, with %s", async (_title, reply, status, counts) => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    await world.pass(10 * hourMs);
    world.addRecord("c", 1, { ...world.records.get("c-001"), landingUrl: "https://c.example/new" });
    world.reply = (url) => (url === "https://c.example/new" ? reply : 404);
    await world.pass(80 * hourMs);
    expect(world.asked.at(-1)?.url).toBe("https://c.example/new");
    expect(world.linkStatusOf("c-001")).toBe(status);
    expect(world.counts()).toEqual(counts);
  });

  it("alive on a recheck → active, one activation counted", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.reply = () => 200;
    await world.pass(hourMs);
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.counts()).toEqual({ suppressed: 1, activated: 1 });
  });

  it("alive and active → no write, no count", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    await world.open("c-001");
    expect(world.moves).toBe(0);
    expect(world.counts()).toEqual({});
    expect(world.published).toEqual([]);
  });

  it("four failures, 1 h, 8 h and 64 h apart → suppressed at the first, deleted at the fourth", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    await world.pass(1000 * hourMs);
    expect(
      world.asked.map(({ at }) => (Date.parse(at) - Date.parse("2026-11-20T08:00:00Z")) / hourMs),
    ).toEqual([0, 1, 9, 73]);
    expect(world.linkStatusOf("c-001")).toBe("deleted");
    expect(world.counts()).toEqual({ suppressed: 1, deleted: 1 });
    expect(world.attemptsDue).toEqual([]);
  });

  it("a recheck that tells nothing → made again after the same wait, and no failure", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.reply = () => "no answer";
    await world.pass(5.5 * hourMs);
    expect(world.asked).toHaveLength(6);
    expect(world.records.get("c-001")?.link).toMatchObject({ status: "suppressed", failures: 1 });
  });

  it("opened again within 6 h → one check; later → another", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    expect(await world.open("c-001")).toBe("asked");
    expect(await world.open("c-001")).toBe("not-asked");
    await world.pass(afterCoalescing);
    expect(await world.open("c-001")).toBe("asked");
    expect(world.asked).toHaveLength(2);
  });

  it("deleted → not asked for any more", async () => {
    world.addCollection({ collectionId: "c", title: "C", ladderHours: [1] });
    world.reply = () => 404;
    await world.open("c-001");
    await world.pass(afterCoalescing);
    expect(world.linkStatusOf("c-001")).toBe("deleted");
    expect(await world.open("c-001")).toBe("not-asked");
  });

  it("an attempt got lost → the check of a reader a day later is the attempt", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.nowMs += 12 * hourMs;
    await world.open("c-001");
    expect(world.records.get("c-001")?.link?.failures).toBe(1);
    world.nowMs += 14 * hourMs;
    await world.open("c-001");
    expect(world.records.get("c-001")?.link?.failures).toBe(2);
  });

  it("an attempt got lost, and no reader comes → the sweep makes it a day later, once a day", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 10);
    world.reply = (url) => (url.endsWith("/5") ? 404 : 200);
    const failures = () => world.records.get("c-005")?.link?.failures;
    await world.open("c-005");
    world.nowMs += 24 * hourMs;
    await world.sweep();
    expect(failures()).toBe(1);
    world.nowMs += 2 * hourMs;
    world.asked.length = 0;
    await world.sweep();
    expect(failures()).toBe(2);
    await world.sweep();
    expect(world.asked.filter(({ url }) => url.endsWith("/5"))).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ["held", () => world.hold("c")],
    ["spoilt", () => world.unusable.set("c", { collectionId: "c", problem: "title", hold: false })],
  ])("an attempt got lost, its collection %s → the sweep leaves it alone", async (_title, act) => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    await act();
    world.nowMs += 26 * hourMs;
    await world.sweep();
    expect(world.asked).toHaveLength(1);
  });

  it("more than a thousand attempts got lost of a held collection → the sweep makes those of others all the same", async () => {
    const fate = { status: "suppressed" as const, failures: 1, inconclusives: 0, reason: "answered 404" };
    const lost = (hours: number) => {
      const at = new Date(start.getTime() - hours * hourMs).toISOString();
      return { link: { ...fate, since: at, checkId: `check ${hours}`, asOf: at, nextAttemptAt: at } };
    };
    world.addCollection({ collectionId: "held", title: "H", hold: true }, 0);
    for (let number = 1; number <= 1100; number += 1) world.addRecord("held", number, lost(48));
    world.addRecord("c", 1, lost(25));
    await world.sweep();
    expect(world.asked.map(({ url }) => url)).toEqual(["https://c.example/1"]);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });

  it("its collection not configured, an attempt got lost → the sweep makes it", async () => {
    world.addRecord("nobody", 1);
    world.reply = () => 404;
    await world.open("nobody-001");
    world.nowMs += 26 * hourMs;
    await world.sweep();
    expect(world.records.get("nobody-001")?.link?.failures).toBe(2);
  });

  it("an attempt put off while its collection is held → not taken for lost, and made when it is due then", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 10);
    world.reply = (url) => (url.endsWith("/5") ? 404 : 200);
    await world.open("c-005");
    await world.hold("c");
    await world.pass(40 * hourMs);
    expect(world.attemptsDue).toHaveLength(1);
    expect(world.records.get("c-005")?.link?.nextAttemptAt).toBe(world.attemptsDue[0]);
    await world.hold("c", false);
    world.asked.length = 0;
    await world.sweep();
    expect(world.asked.filter(({ url }) => url.endsWith("/5"))).toEqual([]);
    await world.pass(2 * hourMs);
    expect(world.records.get("c-005")?.link?.failures).toBe(2);
  });

  it("the same answer delivered again, also after it has recovered → nothing more", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    const check = { checkId: "x", recordId: "c-001", collectionId: "c", askedAt: world.now.toISOString() };
    const request = {
      id: "x",
      kind: "link" as const,
      url: "https://c.example/1",
      context: { ...check, landingUrl: "https://c.example/1", purpose: { type: "record", attempt: 0 } },
    };
    world.reply = () => 404;
    await world.deliver(request);
    await world.deliver(request);
    expect(world.counts()).toEqual({ suppressed: 1 });
    expect(world.attemptsDue).toHaveLength(1);
    world.reply = () => 200;
    await world.pass(2 * hourMs);
    world.reply = () => 404;
    await world.deliver(request);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });
});

describe("a check that says it was asked for in the future", () => {
  it("counts; those that are asked before that time count after it, too", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    const askedAt = new Date(world.nowMs + 24 * hourMs).toISOString();
    const landingUrl = "https://c.example/1";
    const context = { checkId: "x", recordId: "c-001", collectionId: "c", landingUrl, askedAt };
    const purpose = { type: "record", attempt: 0 };
    world.reply = () => 404;
    await world.deliver({ id: "x", kind: "link", url: landingUrl, context: { ...context, purpose } });
    expect(world.records.get("c-001")?.link).toMatchObject({
      status: "suppressed",
      asOf: world.now.toISOString(),
    });
    world.reply = () => 200;
    await world.pass(hourMs);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });
});

describe("the throttle", () => {
  it("3 s → 3 s between two requests, and both are made", async () => {
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
  it("down → neither rechecks nor sweeps change anything; up again → they go on, and nothing is lost", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.open("c-001");
    world.networkIsDown = true;
    world.reply = () => "no answer";
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      await world.sweep();
      await world.pass(2 * hourMs);
    }
    expect(world.asked).toHaveLength(1);
    expect(world.statusOf("c")).toBe("active");
    expect(world.records.get("c-001")?.link?.failures).toBe(1);
    world.networkIsDown = false;
    world.reply = () => 200;
    await world.settle();
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.asked).toHaveLength(2);
  });

  it("goes down while an answer is on its way → not judged, asked for again when it is up", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.networkIsDown = true;
    world.reply = () => "no answer";
    const askedAt = world.now.toISOString();
    const landingUrl = "https://c.example/1";
    const context = { checkId: "x", recordId: "c-001", collectionId: "c", landingUrl, askedAt };
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
    const numbers = world.asked.map(({ url }) => Number(new URL(url).pathname.slice(1)));
    expect(numbers.sort((a, b) => a - b)).toEqual(expected);
  });

  it("deleted records are none of them", async () => {
    world.addCollection({ collectionId: "c", title: "C", ladderHours: [1] }, 6);
    world.reply = (url) => (url.endsWith("/1") ? 404 : 200);
    await world.open("c-001");
    await world.pass(hourMs);
    world.asked.length = 0;
    await world.sweep();
    expect(world.asked.map(({ url }) => new URL(url).pathname).sort()).toEqual(["/2", "/3", "/5", "/6"]);
  });

  it("the same sweep again → the same requests, and one outcome", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.sweep();
    await world.sweep();
    expect(world.asked).toHaveLength(4);
    expect(world.mails).toHaveLength(1);
  });
});

describe("a collection", () => {
  const statusAfter = async (reply: (url: string) => Reply) => {
    world.reply = reply;
    await world.sweep();
    return world.statusOf("c");
  };

  beforeEach(() =>
    world.addCollection({ collectionId: "c", title: "The C", recipients: ["c@library.example"] }),
  );

  it("all 4 samples broken → suppressed, and one mail", async () => {
    expect(await statusAfter(() => 404)).toBe("suppressed");
    expect(world.mails.map(({ subject, to }) => [subject, to])).toEqual([
      ["Ingather: The C is suppressed", ["all@library.example", "c@library.example"]],
    ]);
    expect(world.published.map(({ type }) => type)).toEqual(["collection.suppressed"]);
    expect(world.counts()).toEqual({});
  });

  it("suppressed, then 1 of 4 alive → active, and one mail", async () => {
    await statusAfter(() => 404);
    await world.pass(2 * hourMs);
    world.mails.length = 0;
    expect(await statusAfter((url) => (url.endsWith("/3") ? 200 : 404))).toBe("active");
    expect(world.mails.map(({ subject }) => subject)).toEqual(["Ingather: The C is activated"]);
  });

  it("mixed and already active → no write, no mail", async () => {
    expect(await statusAfter((url) => (url.endsWith("/3") ? 200 : 404))).toBe("active");
    expect(world.moves).toBe(0);
    expect(world.mails).toEqual([]);
  });

  it("4 failing attempts with growing gaps → deleted", async () => {
    await statusAfter(() => 404);
    await world.pass(1000 * hourMs);
    const hours = world.asked.map(({ at }) => (Date.parse(at) - Date.parse("2026-11-20T08:00:00Z")) / hourMs);
    expect([...new Set(hours)]).toEqual([0, 1, 9, 73]);
    expect(hours).toHaveLength(16);
    expect(world.statusOf("c")).toBe("deleted");
    expect(world.mails.map(({ subject }) => subject)).toEqual([
      "Ingather: The C is suppressed",
      "Ingather: The C is deleted",
    ]);
  });

  it("alive before the 4th attempt → active; the next failure is the first again", async () => {
    await statusAfter(() => 404);
    await world.pass(10 * hourMs);
    world.reply = () => 200;
    await world.pass(100 * hourMs);
    expect(world.statusOf("c")).toBe("active");
    expect(await statusAfter(() => 404)).toBe("suppressed");
    expect(world.attemptsDue).toEqual(Array(4).fill(new Date(world.nowMs + hourMs).toISOString()));
  });

  it("sweeps of a suppressed collection find it alive sooner, but fail it no faster", async () => {
    await statusAfter(() => 404);
    for (let sweeps = 0; sweeps < 4; sweeps += 1) {
      await world.pass(2 * hourMs);
      await world.sweep();
    }
    expect(world.statusOf("c")).toBe("suppressed");
    await world.pass(2 * hourMs);
    expect(await statusAfter(() => 200)).toBe("active");
  });

  it("inconclusive three times in a row → one failed attempt; twice and then alive → none", async () => {
    await statusAfter(() => "no answer");
    await world.pass(2 * hourMs);
    await statusAfter(() => "no answer");
    await world.pass(2 * hourMs);
    await statusAfter(() => 200);
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      await world.pass(2 * hourMs);
      expect(await statusAfter(() => "no answer")).toBe("active");
    }
    await world.pass(2 * hourMs);
    expect(await statusAfter(() => "no answer")).toBe("suppressed");
  });

  it("pages too large for us, however often → neither suppressed nor deleted; counted once a day", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { xpath: '//p[.="gone"]' } }, 0);
    const large = { page: "x".repeat(maxPageBytes + 1) };
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      expect(await statusAfter(() => large)).toBe("active");
      await world.pass(2 * hourMs);
    }
    expect(world.moves).toBe(0);
    expect(world.mails).toEqual([]);
    expect([...world.checks.values()][0]).toMatchObject({ verdict: "inconclusive", isOurLimit: true });
    const ofDay = figuresOf(await world.ports.statistics.ofDay("2026-11-21"));
    expect(ofDay).toMatchObject([{ suppressed: { count: 0 }, unjudged: { count: 4 } }]);
    expect(ofDay[0]?.unjudged.samples[0]).toMatchObject({
      url: "https://c.example/1",
      reason: expect.stringContaining("page not judged: more than"),
    });
  });

  it("some broken, and one too large for us → not suppressed, however often", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { xpath: '//p[.="gone"]' } }, 0);
    const large = { page: "x".repeat(maxPageBytes + 1) };
    for (let sweeps = 0; sweeps < 4; sweeps += 1) {
      expect(await statusAfter((url) => (url.endsWith("/3") ? large : 404))).toBe("active");
      await world.pass(2 * hourMs);
    }
  });

  it("suppressed, its attempts too large for us → made again after the same wait, never deleted", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { xpath: '//p[.="gone"]' } }, 0);
    await statusAfter(() => 404);
    world.reply = () => ({ page: "x".repeat(maxPageBytes + 1) });
    await world.pass(5.5 * hourMs);
    expect(world.asked).toHaveLength(6 * 4);
    expect(await world.ports.collections.fate("c")).toMatchObject({ status: "suppressed", failures: 1 });
  });

  it("too large for us between hosts that do not answer → three in a row begin anew", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { xpath: '//p[.="gone"]' } }, 0);
    const large = { page: "x".repeat(maxPageBytes + 1) };
    const replies: Reply[] = ["no answer", "no answer", large, "no answer", "no answer"];
    for (const reply of replies) {
      expect(await statusAfter(() => reply)).toBe("active");
      await world.pass(2 * hourMs);
    }
    expect(await statusAfter(() => "no answer")).toBe("suppressed");
  });

  it("some broken and the rest inconclusive → inconclusive", async () => {
    expect(await statusAfter((url) => (url.endsWith("/3") ? "no answer" : 404))).toBe("active");
  });

  it("empty → inconclusive, however often", async () => {
    world.records.clear();
    for (let sweeps = 0; sweeps < 5; sweeps += 1) expect(await statusAfter(() => 404)).toBe("active");
    expect(world.asked).toEqual([]);
  });

  it("held by an operator → not asked; a healthy check under way does not end it", async () => {
    await statusAfter(() => 404);
    await world.hold("c");
    world.reply = () => 200;
    await world.pass(2 * hourMs);
    expect(world.statusOf("c")).toBe("suppressed");
    world.asked.length = 0;
    await world.sweep();
    expect(world.asked).toEqual([]);
  });

  it("back and broken again → what is left of the first suppression's attempts fails it no faster", async () => {
    await statusAfter(() => 404);
    await world.pass(2 * hourMs);
    await statusAfter(() => 200);
    await world.pass(2 * hourMs);
    await statusAfter(() => 404);
    await world.pass(6 * hourMs);
    expect((await world.ports.collections.fate("c"))?.failures).toBe(2);
  });

  it("failed, and waiting for no attempt → the next sweep is the attempt", async () => {
    await statusAfter(() => 404);
    const fate = await world.ports.collections.fate("c");
    if (fate === undefined) throw new Error("it has no fate");
    const { nextAttemptAt: _lost, ...stranded } = fate;
    await world.ports.collections.moveFate("c", stranded, fate);
    world.nowMs += 2 * hourMs;
    await world.sweep();
    expect((await world.ports.collections.fate("c"))?.failures).toBe(2);
  });

  it.each([
    ["not two hours", 3, 1],
    ["more than two hours", 3.1, 2],
  ])("an attempt is %s late → the sweep makes it then only", async (_title, hours, failures) => {
    await statusAfter(() => 404);
    world.nowMs += hours * hourMs;
    await world.sweep();
    expect((await world.ports.collections.fate("c"))?.failures).toBe(failures);
  });

  it("an attempt fell due while it was held → the first sweep after the release makes it", async () => {
    await statusAfter(() => 404);
    await world.hold("c");
    await world.pass(4 * hourMs);
    await world.hold("c", false);
    await world.sweep();
    expect((await world.ports.collections.fate("c"))?.failures).toBe(2);
  });

  it("a late attempt is made after the sweep that took its place → it fails it no further", async () => {
    await statusAfter(() => 404);
    const { deliver } = world;
    const late: NewRequest[] = [];
    world.deliver = async (request) => void late.push(request);
    await world.pass(4 * hourMs);
    world.deliver = deliver;
    await world.sweep();
    for (const request of late) await world.deliver(request);
    expect(late).toHaveLength(4);
    expect((await world.ports.collections.fate("c"))?.failures).toBe(2);
  });

  it("its attempts → of the links that were found broken; what is harvested meanwhile, the sweeps look at", async () => {
    await statusAfter(() => 404);
    world.addRecord("c", 9);
    world.asked.length = 0;
    await world.pass(2 * hourMs);
    expect(world.asked.map(({ url }) => url).sort()).toEqual(
      [1, 2, 3, 4].map((n) => `https://c.example/${n}`),
    );
    await statusAfter((url) => (url.endsWith("/9") ? 200 : 404));
    expect(world.statusOf("c")).toBe("active");
  });

  it("its own ladder → its own gaps", async () => {
    world.addCollection({ collectionId: "d", title: "D", ladderHours: [2, 3] });
    await statusAfter(() => 404);
    world.asked.length = 0;
    await world.pass(1000 * hourMs);
    const ofD = world.asked.filter(({ url }) => url.includes("//d."));
    expect([...new Set(ofD.map(({ at }) => at.slice(11, 16)))]).toEqual(["10:00", "13:00"]);
    expect(world.statusOf("d")).toBe("deleted");
  });

  it("a ladder that becomes shorter than its failures → an inconclusive attempt is made again", async () => {
    await statusAfter(() => 404);
    await world.pass(10 * hourMs);
    expect((await world.ports.collections.fate("c"))?.failures).toBe(3);
    world.addCollection({ collectionId: "c", title: "C", ladderHours: [2] }, 0);
    world.reply = () => "no answer";
    await world.pass(64 * hourMs);
    world.reply = () => 404;
    await world.pass(2 * hourMs);
    expect(world.statusOf("c")).toBe("deleted");
  });

  it("a sample of a suppressed record is alive → the record is active again", async () => {
    world.reply = () => 404;
    await world.open("c-001");
    world.nowMs += 60_000;
    await statusAfter(() => 200);
    expect(world.linkStatusOf("c-001")).toBe("active");
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
    await world.ports.statistics.count(change("r"));
    await world.ports.statistics.count(change("r"));
    expect(figuresOf(await world.ports.statistics.ofDay("2026-11-20"))[0]?.deleted.count).toBe(1);
  });

  it("the day is that of the configured time zone", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.nowMs = Date.parse("2026-11-20T12:00:00Z");
    world.reply = () => 404;
    await world.open("c-001");
    expect([...world.counted.values()].map(({ day }) => day)).toEqual(["2026-11-21"]);
  });
});

describe("a collection as it is saved", () => {
  it.each<[field: string, object]>([
    ["rule.statusCodes", { rule: { statusCodes: "[" } }],
    ["rule.statusCodes", { rule: { statusCodes: "*" } }],
    ["rule.statusCodes", { rule: { statusCodes: "301,,302" } }],
    ["rule.statusCodes", { rule: { statusCodes: "20" } }],
    ["rule.statusCodes", { rule: { statusCodes: "(?=4).." } }],
    ["rule.xpath", { rule: { xpath: "//p[" } }],
    ["rule.throttleSeconds", { rule: { throttleSeconds: 3601 } }],
    ["rule.throttleSeconds", { rule: { throttleSeconds: -1 } }],
    ["ladderHours", { ladderHours: [] }],
    ["ladderHours.1", { ladderHours: [1, 0] }],
    ["recipients.0", { recipients: ["nobody"] }],
    ["inconclusiveLimit", { inconclusiveLimit: 0 }],
    ["title", { title: "" }],
    ["title", { title: " \u200b" }],
    ["title", { title: "A\u202eB" }],
    ["title", { title: "A\r\nBcc: x@y.example" }],
    ["title", { title: "A\u0007" }],
    ["title", { title: "A\u2028B" }],
    ["collectionId", { collectionId: "Ä" }],
  ])("a bad %s (%j) → refused, naming field and value", (field, part) => {
    const refusal = () => readCollection({ collectionId: "c", title: "C", ...part });
    expect(refusal).toThrow(InputError);
    expect(refusal).toThrow(new RegExp(`^${field.replaceAll(".", "\\.")}: .*\\(got `, "s"));
  });

  it("nothing but id and title → an active rule, 1 h, 8 h, 64 h, three inconclusive checks", () => {
    expect(collection.parse({ collectionId: "c", title: "C" })).toEqual({
      collectionId: "c",
      title: "C",
      rule: { active: true },
      ladderHours: [1, 8, 64],
      inconclusiveLimit: 3,
      recipients: [],
      hold: false,
    });
  });
});
