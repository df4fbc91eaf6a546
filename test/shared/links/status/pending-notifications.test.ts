import { beforeEach, describe, expect, it } from "vitest";
import { PlatformError, RemoteError } from "../../../../shared/core/errors.ts";
import { judgeCheck } from "../../../../shared/links/judge/judge-check.ts";
import { holdCollection } from "../../../../shared/links/status/hold-collection.ts";
import { restoreCollection } from "../../../../shared/links/status/restore.ts";
import { sweepCollections } from "../../../../shared/links/sweep/sweep-collections.ts";
import type { Mail } from "../../../../shared/mail/mailer.ts";
import type { NewRequest } from "../../../../shared/web/gate/request.ts";
import { hourMs, LinkWorld } from "../link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
  world.addCollection({ collectionId: "c", title: "C" });
});

const told = () => world.published.map(({ type }) => type);
const subjects = () => world.mails.map(({ subject }) => subject);

/** Nothing can be told while `work` is under way. */
async function withUnsentEvents(work: () => Promise<unknown>): Promise<void> {
  const { events } = world.ports;
  const publish = () => Promise.reject(new Error("the bus is out of order"));
  Object.assign(world.ports, { events: { publish } });
  await expect(work()).rejects.toThrow("the bus is out of order");
  Object.assign(world.ports, { events });
}

describe("a change that could not be told, and a check that overtakes it", () => {
  it("of a collection → both are told, in their order, and once", async () => {
    world.reply = () => 404;
    await withUnsentEvents(() => world.sweep());
    world.reply = () => 200;
    await world.advance(2 * hourMs);
    expect(told()).toEqual(["collection.suppressed", "collection.activated"]);
    expect(subjects()).toEqual(["Ingather: C was suppressed", "Ingather: C was activated"]);
    await world.sweep();
    expect(told()).toHaveLength(2);
  });

  it("of a record → both are told and counted", async () => {
    world.reply = () => 404;
    await withUnsentEvents(() => world.openRecord("c-001"));
    world.reply = () => 200;
    await world.advance(2 * hourMs);
    expect(told()).toEqual(["record.suppressed", "record.activated"]);
    expect(world.counts()).toEqual({ suppressed: 1, activated: 1 });
  });

  it("a check that changes nothing → tells it all the same", async () => {
    world.reply = () => 404;
    await withUnsentEvents(() => world.sweep());
    world.nowMs += 60_000;
    await world.sweep();
    expect(told()).toEqual(["collection.suppressed"]);
  });

  it("mails cannot be sent for a time → what comes after happens, and all is told then", async () => {
    const { mailer } = world.ports;
    const send = () => Promise.reject(new PlatformError("SES does not answer"));
    Object.assign(world.ports, { mailer: { send } });
    world.reply = () => 404;
    await expect(world.sweep()).rejects.toThrow("SES does not answer");
    world.reply = () => 200;
    await expect(world.advance(hourMs)).rejects.toThrow("SES does not answer");
    expect(world.statusOf("c")).toBe("active");
    Object.assign(world.ports, { mailer });
    world.nowMs += hourMs;
    await world.sweep();
    expect(subjects()).toEqual(["Ingather: C was suppressed", "Ingather: C was activated"]);
  });

  it("the same answer again → nothing is told twice", async () => {
    world.reply = () => 404;
    const context = { recordId: "c-001", collectionId: "c", landingUrl: "https://c.example/1" };
    const purpose = { type: "record", attempt: 0 };
    const request = world.responseTo({
      id: "x",
      kind: "link",
      url: "https://c.example/1",
      context: { ...context, checkId: "x", requestedAt: world.now.toISOString(), purpose },
    });
    await judgeCheck(request, world.ports);
    await judgeCheck(request, world.ports);
    expect(told()).toEqual(["record.suppressed"]);
    expect(world.attemptsDue).toHaveLength(1);
  });
});

describe("a mail that is refused for an address, for good", () => {
  let refusals = 0;
  let last: NewRequest;
  const send = () => {
    refusals += 1;
    return Promise.reject(new RemoteError("the mail is refused"));
  };
  /** A sweep finds the collection dead; gives the answer that completes it. */
  beforeEach(async () => {
    refusals = 0;
    Object.assign(world.ports, { mailer: { send } });
    world.reply = () => 404;
    const requests: NewRequest[] = [];
    const keep = async (more: NewRequest[]) => void requests.push(...more);
    await sweepCollections(world.now, { ...world.ports, requests: { send: keep } });
    last = requests.pop() as NewRequest;
    for (const request of requests) await world.deliver(request);
    await expect(world.deliver(last)).rejects.toThrow("the mail is refused");
  });

  it("→ no other check tries it again; the one that made the change does, whenever it comes", async () => {
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      world.nowMs += 60_000;
      await world.sweep();
    }
    expect(refusals).toBe(1);
    await expect(world.deliver(last)).rejects.toThrow("the mail is refused");
    expect(refusals).toBe(2);
    Object.assign(world.ports, { mailer: { send: async (mail: Mail) => void world.mails.push(mail) } });
    await world.deliver(last);
    await world.deliver(last);
    expect(subjects()).toEqual(["Ingather: C was suppressed"]);
  });

  it("→ the next change is tried by its own check", async () => {
    world.nowMs += 60_000;
    world.reply = () => 200;
    await expect(world.sweep()).rejects.toThrow("the mail is refused");
    expect(refusals).toBe(2);
    expect(world.published.map(({ type }) => type)).toEqual([
      "collection.suppressed",
      "collection.activated",
    ]);
    expect(world.statusOf("c")).toBe("active");
  });

  it("change after change → ten of them are kept", async () => {
    for (let changes = 0; changes < 30; changes += 1) {
      world.nowMs += 60_000;
      world.reply = () => (changes % 2 === 0 ? 200 : 404);
      await expect(world.sweep()).rejects.toThrow("the mail is refused");
    }
    expect((await world.ports.collections.linkStatus("c"))?.pendingNotifications).toHaveLength(11);
  });

  it("of a hold → the release is told all the same", async () => {
    world.addCollection({ collectionId: "d", title: "D" });
    world.published.length = 0;
    await expect(world.hold("d")).rejects.toThrow("the mail is refused");
    await expect(world.hold("d", false)).rejects.toThrow("the mail is refused");
    expect([...new Set(told())]).toEqual(["collection.suppressed", "collection.activated"]);
  });
});

describe("what operators do is told as what checks do", () => {
  it("hold, release → suppressed, activated: on the bus and by mail", async () => {
    await world.hold("c");
    await world.hold("c", false);
    expect(told()).toEqual(["collection.suppressed", "collection.activated"]);
    expect(subjects()).toEqual(["Ingather: C was suppressed", "Ingather: C was activated"]);
    expect(world.mails[0]?.text).toContain("Reason: held by an operator.");
    expect(world.mails[0]?.text).toContain("Nothing is checked until it is released.");
    expect(world.mails[0]?.text).toContain("POST /collections/c/release ends the hold");
  });

  it("restore → activated, by mail too", async () => {
    world.reply = () => 404;
    await world.sweep();
    await restoreCollection("c", world.ports);
    expect(subjects()).toEqual(["Ingather: C was suppressed", "Ingather: C was activated"]);
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
    await withUnsentEvents(() => world.hold("c"));
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
    world.unusable.set("c", { collectionId: "c", problem: "rule.xpath: unexpected end", hold: false });

  it("answers that were under way → judged by nothing, and no error", async () => {
    world.networkIsDown = true;
    await world.sweep();
    await world.openRecord("c-001");
    world.networkIsDown = false;
    spoil();
    await world.settle();
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(told()).toEqual([]);
  });

  it("an attempt that falls due meanwhile → made again once the collection is mended", async () => {
    await world.openRecord("c-001");
    spoil();
    await world.advance(1.5 * hourMs);
    expect(world.linkStatusOf("c-001")).toBe("suppressed");
    expect(world.attemptsDue).toHaveLength(1);
    world.unusable.clear();
    world.reply = () => 200;
    await world.advance(hourMs);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });

  it("swept, opened by a reader → not asked", async () => {
    spoil();
    await world.sweep();
    expect(await world.openRecord("c-001")).toBe("not-requested");
    expect(world.asked).toEqual([]);
  });
});

it("the request of a check could not be sent → the next reader asks", async () => {
  const { requests } = world.ports;
  const send = () => Promise.reject(new Error("the queue takes nothing"));
  Object.assign(world.ports, { requests: { send } });
  await expect(world.openRecord("c-001")).rejects.toThrow("the queue takes nothing");
  Object.assign(world.ports, { requests });
  expect(await world.openRecord("c-001")).toBe("requested");
});
