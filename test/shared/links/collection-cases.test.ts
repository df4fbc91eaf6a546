import { beforeEach, describe, expect, it } from "vitest";
import { InputError } from "../../../shared/core/errors.ts";
import { maxPageBytes } from "../../../shared/links/rule/match-page.ts";
import { collection, readCollection } from "../../../shared/links/status/collection.ts";
import { figuresOf } from "../../../shared/links/status/statistics.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import { hourMs, LinkWorld, type Reply } from "./link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
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
      ["Ingather: The C was suppressed", ["all@library.example", "c@library.example"]],
    ]);
    expect(world.published.map(({ type }) => type)).toEqual(["collection.suppressed"]);
    expect(world.counts()).toEqual({});
    const [figures] = figuresOf(await world.ports.statistics.ofDay("2026-11-20"));
    const reason = "all 4 sampled links are broken: answered 404";
    expect(figures).toMatchObject({
      suppressed: { count: 0 },
      collection: [{ to: "suppressed", at: "2026-11-20T08:00:00.000Z", reason }],
    });
  });

  it("suppressed, then 1 of 4 alive → active, and one mail", async () => {
    await statusAfter(() => 404);
    await world.advance(2 * hourMs);
    world.mails.length = 0;
    expect(await statusAfter((url) => (url.endsWith("/3") ? 200 : 404))).toBe("active");
    expect(world.mails.map(({ subject }) => subject)).toEqual(["Ingather: The C was activated"]);
  });

  it("mixed and already active → no write, no mail", async () => {
    expect(await statusAfter((url) => (url.endsWith("/3") ? 200 : 404))).toBe("active");
    expect(world.statusWrites).toBe(0);
    expect(world.mails).toEqual([]);
  });

  it("4 failing attempts with growing gaps → deleted", async () => {
    await statusAfter(() => 404);
    await world.advance(1000 * hourMs);
    const hours = world.requested.map(
      ({ at }) => (Date.parse(at) - Date.parse("2026-11-20T08:00:00Z")) / hourMs,
    );
    expect([...new Set(hours)]).toEqual([0, 1, 9, 73]);
    expect(hours).toHaveLength(16);
    expect(world.statusOf("c")).toBe("deleted");
    expect(world.mails.map(({ subject }) => subject)).toEqual([
      "Ingather: The C was suppressed",
      "Ingather: The C was deleted",
    ]);
    expect(world.published.map(({ type }) => type)).toEqual(["collection.suppressed", "collection.deleted"]);
  });

  it("alive before the 4th attempt → active; the next failure is the first again", async () => {
    await statusAfter(() => 404);
    await world.advance(10 * hourMs);
    world.reply = () => 200;
    await world.advance(100 * hourMs);
    expect(world.statusOf("c")).toBe("active");
    expect(await statusAfter(() => 404)).toBe("suppressed");
    expect(world.attemptsDue).toEqual(Array(4).fill(new Date(world.nowMs + hourMs).toISOString()));
  });

  it("sweeps of a suppressed collection → restore it sooner, but do not count as failed attempts", async () => {
    await statusAfter(() => 404);
    for (let sweeps = 0; sweeps < 4; sweeps += 1) {
      await world.advance(2 * hourMs);
      await world.sweep();
    }
    expect(world.statusOf("c")).toBe("suppressed");
    await world.advance(2 * hourMs);
    expect(await statusAfter(() => 200)).toBe("active");
  });

  it("inconclusive three times in a row → one failed attempt; twice and then alive → none", async () => {
    await statusAfter(() => "no answer");
    await world.advance(2 * hourMs);
    await statusAfter(() => "no answer");
    await world.advance(2 * hourMs);
    await statusAfter(() => 200);
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      await world.advance(2 * hourMs);
      expect(await statusAfter(() => "no answer")).toBe("active");
    }
    await world.advance(2 * hourMs);
    expect(await statusAfter(() => "no answer")).toBe("suppressed");
  });

  it("pages too large for us, however often → neither suppressed nor deleted; counted once a day", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { xpath: '//p[.="gone"]' } }, 0);
    const large = { page: "x".repeat(maxPageBytes + 1) };
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      expect(await statusAfter(() => large)).toBe("active");
      await world.advance(2 * hourMs);
    }
    expect(world.statusWrites).toBe(0);
    expect(world.mails).toEqual([]);
    expect([...world.checks.values()][0]).toMatchObject({ verdict: "inconclusive", notCounted: "our-limit" });
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
      await world.advance(2 * hourMs);
    }
  });

  it("suppressed, its attempts too large for us → repeated after the same wait, never deleted", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { xpath: '//p[.="gone"]' } }, 0);
    await statusAfter(() => 404);
    world.reply = () => ({ page: "x".repeat(maxPageBytes + 1) });
    await world.advance(5.5 * hourMs);
    expect(world.requested).toHaveLength(6 * 4);
    expect(await world.ports.collections.linkStatus("c")).toMatchObject({
      status: "suppressed",
      failures: 1,
    });
  });

  it("too large for us between unanswered checks → the count of three in a row restarts", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { xpath: '//p[.="gone"]' } }, 0);
    const large = { page: "x".repeat(maxPageBytes + 1) };
    const replies: Reply[] = ["no answer", "no answer", large, "no answer", "no answer"];
    for (const reply of replies) {
      expect(await statusAfter(() => reply)).toBe("active");
      await world.advance(2 * hourMs);
    }
    expect(await statusAfter(() => "no answer")).toBe("suppressed");
  });

  it("a bot wall's 403 to all samples, however often → neither suppressed nor restored; counted once a day", async () => {
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      expect(await statusAfter(() => 403)).toBe("active");
      await world.advance(2 * hourMs);
    }
    expect(world.statusWrites).toBe(0);
    const [row] = figuresOf(await world.ports.statistics.ofDay("2026-11-21"));
    expect(row).toMatchObject({ suppressed: { count: 0 }, unjudged: { count: 0 }, refused: { count: 4 } });
    expect(row?.refused.samples[0]).toEqual({
      recordId: "c-001",
      url: "https://c.example/1",
      reason: "answered 403: c.example refuses us",
    });
    expect(await statusAfter(() => 404)).toBe("suppressed");
    world.reply = () => 403;
    await world.advance(100 * hourMs);
    await world.sweep();
    expect(await world.ports.collections.linkStatus("c")).toMatchObject({
      status: "suppressed",
      failures: 1,
    });
  });

  it("unavailable for all, however short the delays → no failure; the count of inconclusive checks continues", async () => {
    const second = 1 / 3600;
    const delays = { recheckDelaysHours: [second, second, second], inconclusiveLimit: 1 };
    world.addCollection({ collectionId: "c", title: "The C", ...delays }, 0);
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      expect(await statusAfter(() => "unavailable")).toBe("active");
      await world.advance(1000);
    }
    expect(world.statusWrites).toBe(0);
    expect(await statusAfter(() => "no answer")).toBe("suppressed");
    world.reply = () => "unavailable";
    await world.advance(60_000);
    expect(await world.ports.collections.linkStatus("c")).toMatchObject({
      status: "suppressed",
      failures: 1,
    });

    world.addCollection({ collectionId: "d", title: "The D" });
    for (const reply of ["no answer", "unavailable", "no answer", "unavailable"] as const) {
      await statusAfter(() => reply);
      expect(world.statusOf("d")).toBe("active");
      await world.advance(2 * hourMs);
    }
    await statusAfter(() => "no answer");
    expect(world.statusOf("d")).toBe("suppressed");
  });

  it("one dead host of several collections, each found unavailable once another was not answered → all deleted in the end", async () => {
    const ids = ["e", "f", "g"];
    for (const collectionId of ids) world.addCollection({ collectionId, title: collectionId });
    let unavailableUntilMs = 0;
    world.reply = (url) => {
      if (url.startsWith("https://c.")) return 200;
      if (world.nowMs < unavailableUntilMs) return "unavailable";
      unavailableUntilMs = world.nowMs + 600_000;
      return "no answer";
    };
    for (let sweeps = 0; sweeps < 12 * 60; sweeps += 1) {
      await world.sweep();
      await world.advance(2 * hourMs);
    }
    expect(ids.map((id) => world.statusOf(id))).toEqual(["deleted", "deleted", "deleted"]);
  });

  it("a 403 that the rule names → suppressed", async () => {
    world.addCollection({ collectionId: "c", title: "The C", rule: { statusCodes: "403" } }, 0);
    expect(await statusAfter(() => 403)).toBe("suppressed");
  });

  it("some broken and the rest inconclusive → inconclusive", async () => {
    expect(await statusAfter((url) => (url.endsWith("/3") ? "no answer" : 404))).toBe("active");
  });

  it("empty → inconclusive, however often", async () => {
    world.records.clear();
    for (let sweeps = 0; sweeps < 5; sweeps += 1) expect(await statusAfter(() => 404)).toBe("active");
    expect(world.requested).toEqual([]);
  });

  it("held by an operator → not requested; an alive check in flight does not end the hold", async () => {
    await statusAfter(() => 404);
    await world.hold("c");
    world.reply = () => 200;
    await world.advance(2 * hourMs);
    expect(world.statusOf("c")).toBe("suppressed");
    world.requested.length = 0;
    await world.sweep();
    expect(world.requested).toEqual([]);
  });

  it("active and broken again → attempts left from the first suppression do not count", async () => {
    await statusAfter(() => 404);
    await world.advance(2 * hourMs);
    await statusAfter(() => 200);
    await world.advance(2 * hourMs);
    await statusAfter(() => 404);
    await world.advance(6 * hourMs);
    expect((await world.ports.collections.linkStatus("c"))?.failures).toBe(2);
  });

  it("failed, without a next attempt → the next sweep counts as the attempt", async () => {
    await statusAfter(() => 404);
    const linkStatus = await world.ports.collections.linkStatus("c");
    if (linkStatus === undefined) throw new Error("it has no link status");
    const { nextAttemptAt: _lost, ...stranded } = linkStatus;
    await world.ports.collections.replaceLinkStatus("c", stranded, linkStatus);
    world.nowMs += 2 * hourMs;
    await world.sweep();
    expect((await world.ports.collections.linkStatus("c"))?.failures).toBe(2);
  });

  it.each([
    ["not a day", 24.9, 1],
    ["more than a day", 25, 2],
  ])("an attempt is %s late → the sweep makes it then only", async (_title, hours, failures) => {
    await statusAfter(() => 404);
    world.nowMs += hours * hourMs;
    await world.sweep();
    expect((await world.ports.collections.linkStatus("c"))?.failures).toBe(failures);
  });

  it("an attempt due while held → the first sweep after the release counts as it", async () => {
    await statusAfter(() => 404);
    await world.hold("c");
    await world.advance(4 * hourMs);
    await world.hold("c", false);
    await world.sweep();
    expect((await world.ports.collections.linkStatus("c"))?.failures).toBe(2);
  });

  it("a late attempt after the sweep that replaced it → does not count", async () => {
    await statusAfter(() => 404);
    const { deliver } = world;
    const late: NewRequest[] = [];
    world.deliver = async (request) => void late.push(request);
    await world.advance(4 * hourMs);
    world.deliver = deliver;
    await world.sweep();
    for (const request of late) await world.deliver(request);
    expect(late).toHaveLength(4);
    expect((await world.ports.collections.linkStatus("c"))?.failures).toBe(2);
  });

  it("its attempts → check the links that were broken; sweeps check what was harvested meanwhile", async () => {
    await statusAfter(() => 404);
    world.addRecord("c", 9);
    world.requested.length = 0;
    await world.advance(2 * hourMs);
    expect(world.requested.map(({ url }) => url).sort()).toEqual(
      [1, 2, 3, 4].map((n) => `https://c.example/${n}`),
    );
    await statusAfter((url) => (url.endsWith("/9") ? 200 : 404));
    expect(world.statusOf("c")).toBe("active");
  });

  it("own recheck delays → attempts at these delays", async () => {
    world.addCollection({ collectionId: "d", title: "D", recheckDelaysHours: [2, 3] });
    await statusAfter(() => 404);
    world.requested.length = 0;
    await world.advance(1000 * hourMs);
    const ofD = world.requested.filter(({ url }) => url.includes("//d."));
    expect([...new Set(ofD.map(({ at }) => at.slice(11, 16)))]).toEqual(["10:00", "13:00"]);
    expect(world.statusOf("d")).toBe("deleted");
  });

  it("fewer recheck delays than failures → an inconclusive attempt is repeated", async () => {
    await statusAfter(() => 404);
    await world.advance(10 * hourMs);
    expect((await world.ports.collections.linkStatus("c"))?.failures).toBe(3);
    world.addCollection({ collectionId: "c", title: "C", recheckDelaysHours: [2] }, 0);
    world.reply = () => "no answer";
    await world.advance(64 * hourMs);
    world.reply = () => 404;
    await world.advance(2 * hourMs);
    expect(world.statusOf("c")).toBe("deleted");
  });

  it("a sample of a suppressed record is alive → the record is active again", async () => {
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.nowMs += 60_000;
    await statusAfter(() => 200);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });
});

describe("readCollection", () => {
  it.each<[field: string, object]>([
    ["rule.statusCodes", { rule: { statusCodes: "[" } }],
    ["rule.statusCodes", { rule: { statusCodes: "*" } }],
    ["rule.statusCodes", { rule: { statusCodes: "301,,302" } }],
    ["rule.statusCodes", { rule: { statusCodes: "20" } }],
    ["rule.statusCodes", { rule: { statusCodes: "(?=4).." } }],
    ["rule.xpath", { rule: { xpath: "//p[" } }],
    ["rule.throttleSeconds", { rule: { throttleSeconds: 3601 } }],
    ["rule.throttleSeconds", { rule: { throttleSeconds: -1 } }],
    ["recheckDelaysHours", { recheckDelaysHours: [] }],
    ["recheckDelaysHours.1", { recheckDelaysHours: [1, 0] }],
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

  it("recipients that differ in case only → the first one", () => {
    const recipients = ["a@x.example", "B@x.example", "A@X.example", "b@x.example"];
    const saved = readCollection({ collectionId: "c", title: "C", recipients });
    expect(saved.recipients).toEqual(["a@x.example", "B@x.example"]);
  });

  it("only id and title → an active rule, 1 h, 8 h, 64 h, three inconclusive checks", () => {
    expect(collection.parse({ collectionId: "c", title: "C" })).toEqual({
      collectionId: "c",
      title: "C",
      rule: { active: true },
      recheckDelaysHours: [1, 8, 64],
      inconclusiveLimit: 3,
      recipients: [],
      hold: false,
    });
  });
});
