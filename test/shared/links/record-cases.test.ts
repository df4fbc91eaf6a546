import { beforeEach, describe, expect, it } from "vitest";
import { judgeCheck } from "../../../shared/links/judge/judge-check.ts";
import { restoreRecord } from "../../../shared/links/status/restore.ts";
import { outboundRequest } from "../../../shared/web/request/request.ts";
import { afterCoalescing, hourMs, LinkWorld } from "./link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
});

const error = { page: '<p class="error">Gone</p>' };

describe("a record", () => {
  it("404, its collection not configured → suppressed, one suppression counted", async () => {
    world.addRecord("c", 1);
    world.reply = () => 404;
    await world.openRecord("c-001");
    expect(world.linkStatusOf("c-001")).toBe("suppressed");
    expect(world.counts()).toEqual({ suppressed: 1 });
  });

  it.each([202, 204, 205, 304, 402, 403, 405, 408, 409, 417, 418, 421, 425, 428, 431, 444, 498, 499, 999])(
    "404, then %i → neither restored nor deleted by attempts, readers or samples",
    async (status) => {
      world.addCollection({ collectionId: "c", title: "C" });
      world.reply = (url) => (url.endsWith("/1") ? 404 : 200);
      await world.openRecord("c-001");
      world.reply = () => status;
      await world.advance(500 * hourMs);
      await world.openRecord("c-001");
      await world.sweep();
      expect(world.records.get("c-001")?.link).toMatchObject({ status: "suppressed", failures: 1 });
      expect(world.counts()).toMatchObject({ suppressed: 1 });
      expect(world.counts()).not.toHaveProperty("activated");
      world.reply = () => 200;
      await world.advance(2 * hourMs);
      expect(world.linkStatusOf("c-001")).toBe("active");
    },
  );

  it("its collection's rule inactive → no request, no change", async () => {
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } });
    world.reply = () => 404;
    expect(await world.openRecord("c-001")).toBe("excluded");
    await world.sweep();
    expect(world.requested).toEqual([]);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });

  it("its collection held → opening requests nothing; a check in flight changes nothing", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.networkIsDown = true;
    expect(await world.openRecord("c-002")).toBe("requested");
    await world.hold("c");
    world.networkIsDown = false;
    await world.settle();
    expect(await world.openRecord("c-003")).toBe("excluded");
    await world.advance(1000 * hourMs);
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
    ["invalid", () => world.unusable.set("c", { collectionId: "c", problem: "title: missing", hold: false })],
  ])("its collection %s → its attempts, and the collection's, ask the host nothing", async (_title, act) => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.nowMs += 1;
    await world.sweep();
    await act();
    world.requested.length = 0;
    await world.advance(100 * hourMs);
    expect(world.requested).toEqual([]);
    expect(world.records.get("c-001")?.link).toMatchObject({ status: "suppressed", failures: 1 });
    expect(await world.ports.collections.linkStatus("c")).toMatchObject({
      status: "suppressed",
      failures: 1,
    });
  });

  it("its collection held, and released before the withdrawal is judged → its attempt is made later", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.nowMs += hourMs;
    const at = { requestedAt: world.now.toISOString(), landingUrl: "https://c.example/1" };
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

  it("the rule becomes inactive before the response is judged → no change", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    world.networkIsDown = true;
    await world.openRecord("c-001");
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } });
    world.networkIsDown = false;
    await world.settle();
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.counts()).toEqual({});
  });

  it("the rule gets an XPath before an attempt is due → the attempt is judged by it", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.addCollection({ collectionId: "c", title: "C", rule: { xpath: '//p[@class="error"]' } }, 0);
    world.reply = () => error;
    await world.advance(hourMs);
    expect(world.verdicts).toEqual(["broken", "broken"]);
  });

  it("the rule switched off while an attempt is due, and on again → the attempt is made later", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 10);
    world.reply = (url) => (url.endsWith("/5") ? 404 : 200);
    await world.openRecord("c-005");
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } }, 0);
    await world.advance(1.5 * hourMs);
    expect(world.linkStatusOf("c-005")).toBe("suppressed");
    expect(world.verdicts).toEqual(["broken"]);
    world.addCollection({ collectionId: "c", title: "C" }, 0);
    world.reply = () => 200;
    await world.advance(hourMs);
    expect(world.linkStatusOf("c-005")).toBe("active");
    expect(world.attemptsDue).toEqual([]);
  });

  it("the rule switched off, and the record restored → its attempt is dropped", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.addCollection({ collectionId: "c", title: "C", rule: { active: false } }, 0);
    await restoreRecord("c-001", world.ports);
    await world.advance(hourMs);
    expect(world.attemptsDue).toEqual([]);
  });

  it.each([
    ["a link that works → active", 200, "active", { suppressed: 1, activated: 1 }],
    ["a link that is dead too → its attempts go on", 404, "deleted", { suppressed: 1, deleted: 1 }],
  ] as const)("harvested again while an attempt is due, with %s", async (_title, reply, status, counts) => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    await world.advance(10 * hourMs);
    world.addRecord("c", 1, { ...world.records.get("c-001"), landingUrl: "https://c.example/new" });
    world.reply = (url) => (url === "https://c.example/new" ? reply : 404);
    await world.advance(80 * hourMs);
    expect(world.requested.at(-1)?.url).toBe("https://c.example/new");
    expect(world.linkStatusOf("c-001")).toBe(status);
    expect(world.counts()).toEqual(counts);
  });

  it("alive on a recheck → active, one activation counted", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.reply = () => 200;
    await world.advance(hourMs);
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.counts()).toEqual({ suppressed: 1, activated: 1 });
  });

  it("alive and active → no write, no count", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    await world.openRecord("c-001");
    expect(world.statusWrites).toBe(0);
    expect(world.counts()).toEqual({});
    expect(world.published).toEqual([]);
  });

  it("four failures, 1 h, 8 h and 64 h apart → suppressed at the first, deleted at the fourth", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    await world.advance(1000 * hourMs);
    expect(
      world.requested.map(({ at }) => (Date.parse(at) - Date.parse("2026-11-20T08:00:00Z")) / hourMs),
    ).toEqual([0, 1, 9, 73]);
    expect(world.linkStatusOf("c-001")).toBe("deleted");
    expect(world.counts()).toEqual({ suppressed: 1, deleted: 1 });
    expect(world.published.map(({ type }) => type)).toEqual(["record.suppressed", "record.deleted"]);
    expect(world.attemptsDue).toEqual([]);
  });

  it("an inconclusive recheck → repeated after the same wait, no failure", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.reply = () => "no answer";
    await world.advance(5.5 * hourMs);
    expect(world.requested).toHaveLength(6);
    expect(world.records.get("c-001")?.link).toMatchObject({ status: "suppressed", failures: 1 });
  });

  it("over the share of its host → no request, until the next hour", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.ports.hourlyShare = 2;
    const opened = [];
    for (const id of ["c-001", "c-002", "c-003"]) opened.push(await world.openRecord(id));
    expect(opened).toEqual(["requested", "requested", "over-share"]);
    await world.advance(hourMs);
    expect(await world.openRecord("c-003")).toBe("requested");
    expect(world.requested).toHaveLength(3);
  });

  it("opened again within 6 h → one check; later → another", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    expect(await world.openRecord("c-001")).toBe("requested");
    expect(await world.openRecord("c-001")).toBe("recent");
    await world.advance(afterCoalescing);
    expect(await world.openRecord("c-001")).toBe("requested");
    expect(world.requested).toHaveLength(2);
  });

  it("deleted → not requested any more", async () => {
    world.addCollection({ collectionId: "c", title: "C", recheckDelaysHours: [1] });
    world.reply = () => 404;
    await world.openRecord("c-001");
    await world.advance(afterCoalescing);
    expect(world.linkStatusOf("c-001")).toBe("deleted");
    expect(await world.openRecord("c-001")).toBe("excluded");
  });

  it("the same response delivered again, also after recovery → no change", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    const check = {
      checkId: "x",
      recordId: "c-001",
      collectionId: "c",
      requestedAt: world.now.toISOString(),
    };
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
    await world.advance(2 * hourMs);
    world.reply = () => 404;
    await world.deliver(request);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });
});
