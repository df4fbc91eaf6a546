import { beforeEach, describe, expect, it } from "vitest";
import { holdCollection } from "../../../shared/links/fate/hold.ts";
import { judgeCheck } from "../../../shared/links/fate/judge-check.ts";
import { restoreCollection } from "../../../shared/links/fate/restore.ts";
import { hourMs, LinkWorld } from "./link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
  world.addCollection({ collectionId: "c", title: "C" });
});

const told = () => world.published.map(({ type }) => type);
const subjects = () => world.mails.map(({ subject }) => subject);

/** Nothing can be told while `work` is under way. */
async function untold(work: () => Promise<unknown>): Promise<void> {
  const { events } = world.ports;
  const publish = () => Promise.reject(new Error("the bus is out of order"));
  Object.assign(world.ports, { events: { publish } });
  await expect(work()).rejects.toThrow("the bus is out of order");
  Object.assign(world.ports, { events });
}

describe("a change that could not be told, and a check that overtakes it", () => {
  it("of a collection → both are told, in their order, and once", async () => {
    world.reply = () => 404;
    await untold(() => world.sweep());
    world.reply = () => 200;
    await world.pass(2 * hourMs);
    expect(told()).toEqual(["collection.suppressed", "collection.activated"]);
    expect(subjects()).toEqual(["Ingather: C is suppressed", "Ingather: C is activated"]);
    await world.sweep();
    expect(told()).toHaveLength(2);
  });

  it("of a record → both are told and counted", async () => {
    world.reply = () => 404;
    await untold(() => world.open("c-001"));
    world.reply = () => 200;
    await world.pass(2 * hourMs);
    expect(told()).toEqual(["record.suppressed", "record.activated"]);
    expect(world.counts()).toEqual({ suppressed: 1, activated: 1 });
  });

  it("a check that changes nothing → tells it all the same", async () => {
    world.reply = () => 404;
    await untold(() => world.sweep());
    world.nowMs += 60_000;
    await world.sweep();
    expect(told()).toEqual(["collection.suppressed"]);
  });

  it("one mail is refused, for good → what comes after is told", async () => {
    const { mailer } = world.ports;
    const send = () => Promise.reject(new Error("MessageRejected"));
    Object.assign(world.ports, { mailer: { send } });
    world.reply = () => 404;
    await expect(world.sweep()).rejects.toThrow("MessageRejected");
    world.reply = () => 200;
    await expect(world.pass(hourMs)).rejects.toThrow("MessageRejected");
    expect(world.statusOf("c")).toBe("active");
    Object.assign(world.ports, { mailer });
    world.nowMs += hourMs;
    await world.sweep();
    expect(subjects()).toEqual(["Ingather: C is suppressed", "Ingather: C is activated"]);
  });

  it("the same answer again → nothing is told twice", async () => {
    world.reply = () => 404;
    const context = { recordId: "c-001", collectionId: "c", landingUrl: "https://c.example/1" };
    const purpose = { type: "record", attempt: 0 };
    const request = world.responseTo({
      id: "x",
      kind: "link",
      url: "https://c.example/1",
      context: { ...context, checkId: "x", askedAt: world.now.toISOString(), purpose },
    });
    await judgeCheck(request, world.ports);
    await judgeCheck(request, world.ports);
    expect(told()).toEqual(["record.suppressed"]);
    expect(world.attemptsDue).toHaveLength(1);
  });
});

describe("what operators do is told as what checks do", () => {
  it("hold, release → suppressed, activated: on the bus and by mail", async () => {
    await world.hold("c");
    await world.hold("c", false);
    expect(told()).toEqual(["collection.suppressed", "collection.activated"]);
    expect(subjects()).toEqual(["Ingather: C is suppressed", "Ingather: C is activated"]);
    expect(world.mails[0]?.text).toContain("Why: held by an operator.");
    expect(world.mails[0]?.text).toContain("Nothing is checked until it is released.");
    expect(world.mails[0]?.text).toContain("POST /collections/c/release ends that");
  });

  it("restore → activated, by mail too", async () => {
    world.reply = () => 404;
    await world.sweep();
    await restoreCollection("c", world.ports);
    expect(subjects()).toEqual(["Ingather: C is suppressed", "Ingather: C is activated"]);
  });

  it("hold and release of a collection that checks have suppressed → not told: searches find nothing anyway", async () => {
    world.reply = () => 404;
    await world.sweep();
    await world.hold("c");
    await world.hold("c", false);
    expect(told()).toEqual(["collection.suppressed"]);
  });

  it("the same again → not told twice", async () => {
    await world.hold("c");
    await world.hold("c");
    expect(told()).toEqual(["collection.suppressed"]);
  });

  it("not told → told when the operator asks again", async () => {
    await untold(() => world.hold("c"));
    await world.hold("c");
    await world.hold("c");
    expect(told()).toEqual(["collection.suppressed"]);
  });

  it("an unknown collection → unknown", async () => {
    expect(await holdCollection({ collectionId: "nobody", hold: true }, world.ports)).toBe("unknown");
    expect(await restoreCollection("nobody", world.ports)).toBe("unknown");
  });
});

describe("a collection that is not valid any more", () => {
  beforeEach(() => {
    world.reply = () => 404;
  });
  const spoil = () =>
    world.unusable.set("c", { collectionId: "c", problem: "rule.xpath: it ends too early", hold: false });

  it("answers that were under way → judged by nothing, and no error", async () => {
    world.networkIsDown = true;
    await world.sweep();
    await world.open("c-001");
    world.networkIsDown = false;
    spoil();
    await world.settle();
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(told()).toEqual([]);
  });

  it("an attempt that falls due meanwhile → made again once the collection is mended", async () => {
    await world.open("c-001");
    spoil();
    await world.pass(1.5 * hourMs);
    expect(world.linkStatusOf("c-001")).toBe("suppressed");
    expect(world.attemptsDue).toHaveLength(1);
    world.unusable.clear();
    world.reply = () => 200;
    await world.pass(hourMs);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });

  it("swept, opened by a reader → not asked", async () => {
    spoil();
    await world.sweep();
    expect(await world.open("c-001")).toBe("not-asked");
    expect(world.asked).toEqual([]);
  });
});

it("the request of a check could not be sent → the next reader asks", async () => {
  const { requests } = world.ports;
  const send = () => Promise.reject(new Error("the queue takes nothing"));
  Object.assign(world.ports, { requests: { send } });
  await expect(world.open("c-001")).rejects.toThrow("the queue takes nothing");
  Object.assign(world.ports, { requests });
  expect(await world.open("c-001")).toBe("asked");
});
