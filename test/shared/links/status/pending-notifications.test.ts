import { beforeEach, describe, expect, it } from "vitest";
import { PlatformError, RemoteError } from "../../../../shared/core/errors.ts";
import { judgeCheck } from "../../../../shared/links/judge/judge-check.ts";
import { holdCollection } from "../../../../shared/links/status/hold-collection.ts";
import { restoreCollection } from "../../../../shared/links/status/restore.ts";
import { sweepCollections } from "../../../../shared/links/sweep/sweep-collections.ts";
import type { Mail } from "../../../../shared/records/mail/mailer.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { byOperator, hourMs, LinkWorld } from "../link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
  world.addCollection({ collectionId: "c", title: "C" });
});

const events = () => world.published.map(({ type }) => type);
const subjects = () => world.mails.map(({ subject }) => subject);

/** Mails and events fail during `work`. */
async function withUnsentEvents(work: () => Promise<unknown>): Promise<void> {
  const { events } = world.ports;
  const publish = () => Promise.reject(new Error("the bus is out of order"));
  Object.assign(world.ports, { events: { publish } });
  await expect(work()).rejects.toThrow("the bus is out of order");
  Object.assign(world.ports, { events });
}

describe("a failed notification, then another check", () => {
  it("of a collection → both changes are sent in order, once", async () => {
    world.reply = () => 404;
    await withUnsentEvents(() => world.sweep());
    world.reply = () => 200;
    await world.advance(2 * hourMs);
    expect(events()).toEqual(["collection.suppressed", "collection.activated"]);
    expect(subjects()).toEqual(["Ingather: C was suppressed", "Ingather: C was activated"]);
    await world.sweep();
    expect(events()).toHaveLength(2);
  });

  it("of a record → both changes are published and counted", async () => {
    world.reply = () => 404;
    await withUnsentEvents(() => world.openRecord("c-001"));
    world.reply = () => 200;
    await world.advance(2 * hourMs);
    expect(events()).toEqual(["record.suppressed", "record.activated"]);
    expect(world.counts()).toEqual({ suppressed: 1, activated: 1 });
  });

  it("a check without a change → sends the pending notification", async () => {
    world.reply = () => 404;
    await withUnsentEvents(() => world.sweep());
    world.nowMs += 60_000;
    await world.sweep();
    expect(events()).toEqual(["collection.suppressed"]);
  });

  it("mails fail for a time → checks continue, and all notifications are sent afterwards", async () => {
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

  it("the same response again → no second notification", async () => {
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
    expect(events()).toEqual(["record.suppressed"]);
    expect(world.attemptsDue).toHaveLength(1);
  });
});

describe("an address that refuses mails permanently", () => {
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

  it("→ only a repetition of the check that caused the change sends it again", async () => {
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

  it("→ the check of the next change sends that one", async () => {
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

  it("many changes → ten are kept", async () => {
    for (let changes = 0; changes < 30; changes += 1) {
      world.nowMs += 60_000;
      world.reply = () => (changes % 2 === 0 ? 200 : 404);
      await expect(world.sweep()).rejects.toThrow("the mail is refused");
    }
    expect((await world.ports.collections.linkStatus("c"))?.pendingNotifications).toHaveLength(11);
  });

  it("of a hold → the release is sent", async () => {
    world.addCollection({ collectionId: "d", title: "D" });
    world.published.length = 0;
    await expect(world.hold("d")).rejects.toThrow("the mail is refused");
    await expect(world.hold("d", false)).rejects.toThrow("the mail is refused");
    expect([...new Set(events())]).toEqual(["collection.suppressed", "collection.activated"]);
  });
});

describe("notifications of operators' actions", () => {
  it("hold, release → suppressed, activated: events and mails", async () => {
    await world.hold("c");
    await world.hold("c", false);
    expect(events()).toEqual(["collection.suppressed", "collection.activated"]);
    expect(subjects()).toEqual(["Ingather: C was suppressed", "Ingather: C was activated"]);
    expect(world.mails[0]?.text).toContain("Reason: held by anna: the publisher moves.");
    expect(world.mails[0]?.text).toContain("It is not checked until it is released.");
    expect(world.mails[0]?.text).toContain('POST /collections/c/release {"reason": "why"} ends the hold');
  });

  it("restore → activated: event and mail", async () => {
    world.reply = () => 404;
    await world.sweep();
    await restoreCollection("c", byOperator, world.ports);
    expect(subjects()).toEqual(["Ingather: C was suppressed", "Ingather: C was activated"]);
  });

  it("hold and release of a suppressed collection → no notification", async () => {
    world.reply = () => 404;
    await world.sweep();
    await world.hold("c");
    await world.hold("c", false);
    expect(events()).toEqual(["collection.suppressed"]);
  });

  it("the same again → no second notification", async () => {
    await world.hold("c");
    await world.hold("c");
    expect(events()).toEqual(["collection.suppressed"]);
  });

  it("a failed notification → sent when the operator repeats the request", async () => {
    await withUnsentEvents(() => world.hold("c"));
    await world.hold("c");
    await world.hold("c");
    expect(events()).toEqual(["collection.suppressed"]);
  });

  it("an unknown collection → unknown", async () => {
    expect(
      await holdCollection({ collectionId: "nobody", hold: true, decision: byOperator }, world.ports),
    ).toBe("unknown");
    expect(await restoreCollection("nobody", byOperator, world.ports)).toBe("unknown");
  });
});

describe("a collection that became invalid", () => {
  beforeEach(() => {
    world.reply = () => 404;
  });
  const spoil = () =>
    world.unusable.set("c", { collectionId: "c", problem: "rule.xpath: unexpected end", hold: false });

  it("responses to its checks → not judged, no error", async () => {
    world.networkIsDown = true;
    await world.sweep();
    await world.openRecord("c-001");
    world.networkIsDown = false;
    spoil();
    await world.settle();
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(events()).toEqual([]);
  });

  it("an attempt due meanwhile → repeated once the collection is valid", async () => {
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

  it("swept, opened by a reader → not requested", async () => {
    spoil();
    await world.sweep();
    expect(await world.openRecord("c-001")).toBe("excluded");
    expect(world.requested).toEqual([]);
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
