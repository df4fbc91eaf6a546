import { GetScheduleCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dynamodb } from "../../shared/adapters/aws/dynamodb.ts";
import type { BusyHostStore } from "../../shared/links/capacity/busy-hosts.ts";
import type { LinkHistory, PastCheck } from "../../shared/links/check/check-history.ts";
import type { RuleTest, RuleTestStore } from "../../shared/links/rule-test/rule-test.ts";
import { defaultCollection } from "../../shared/links/status/collection.ts";
import type { CollectionStore } from "../../shared/links/status/collection-store.ts";
import { restoredStatus } from "../../shared/links/status/link-status.ts";
import type { CollectionChange, LinkChange, LinkStatistics } from "../../shared/links/status/statistics.ts";
import type { Sweep, SweepStore } from "../../shared/links/status/stored-sweep.ts";
import type { LinkSamples } from "../../shared/links/sweep/link-samples.ts";
import { sentMailRetentionDays, tableNames } from "../../shared/names.ts";
import type { StatusChangeType } from "../../shared/records/events/events.ts";
import type { SentMails } from "../../shared/records/mail/mailer.ts";
import { LinkWorld } from "../shared/links/link-world.ts";
import { memoryRuleTests } from "../shared/links/rule-test/memory-rule-tests.ts";
import { memorySentMails } from "../shared/records/mail/memory-sent-mails.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { itemsOf } from "./stored-contents.ts";

interface Stores {
  collections: CollectionStore;
  history: Pick<LinkHistory, "add" | "latest">;
  samples: LinkSamples;
  statistics: LinkStatistics;
  sweeps: SweepStore;
  busyHosts: BusyHostStore;
  ruleTests: RuleTestStore;
  sent: SentMails;
}

/** The stores of link checking, those of the tests' memory and those of the cloud; each test has ids of its own. */
const worlds: [string, () => Promise<Stores>][] = [
  [
    "in memory",
    async () => ({ ...new LinkWorld().ports, ruleTests: memoryRuleTests(), sent: memorySentMails() }),
  ],
  ["on DynamoDB", storesOfCloud],
];

const stateDir = stateFolder();
beforeAll(async () => {
  await testCloud(stateDir, { polling: false });
});

async function storesOfCloud(): Promise<Stores> {
  const { busyHostStore } = await import("../../shared/links/stores/busy-hosts.ts");
  const { collectionStore } = await import("../../shared/links/stores/collection-store.ts");
  const { linkHistory } = await import("../../shared/links/stores/link-history.ts");
  const { linkSamples } = await import("../../shared/links/stores/link-samples.ts");
  const { linkStatistics } = await import("../../shared/links/stores/link-statistics.ts");
  const { ruleTests } = await import("../../shared/links/stores/rule-tests.ts");
  const { sweepStore } = await import("../../shared/links/stores/sweep-store.ts");
  const { sentMails } = await import("../../shared/adapters/aws/sent-mails.ts");
  return {
    collections: collectionStore(),
    history: linkHistory(),
    samples: linkSamples(),
    statistics: linkStatistics(),
    sweeps: sweepStore(),
    busyHosts: busyHostStore(),
    ruleTests: ruleTests(),
    sent: sentMails({ areSent: true }),
  };
}

const requestedAt = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();

describe.each(worlds)("the stores of link checking %s", (_where, open) => {
  let stores: Stores;
  let id: string;
  beforeEach(async () => {
    stores = await open();
    id = crypto.randomUUID();
  });

  describe("the history of a record", () => {
    const check = (hour: number, more: Partial<PastCheck> = {}): PastCheck => ({
      checkId: `${id}-${hour}`,
      recordId: id,
      requestedAt: requestedAt(hour),
      judgedAt: requestedAt(hour),
      purpose: "record",
      verdict: "alive",
      reason: "answered 200",
      hops: [{ url: "https://c.example/", status: 200 }],
      ...more,
    });

    it("of an unknown record → none", async () => {
      expect(await stores.history.latest(id, 50)).toEqual([]);
    });

    it("added in any order → newest first, as many as are requested", async () => {
      for (const hour of [2, 1, 3]) await stores.history.add(check(hour));
      expect(await stores.history.latest(id, 2)).toEqual([check(3), check(2)]);
    });

    it("a check added again → the first one stays", async () => {
      await stores.history.add(check(1));
      await stores.history.add(check(1, { verdict: "broken" }));
      expect(await stores.history.latest(id, 50)).toEqual([check(1)]);
    });

    it("50 checks of more than a megabyte → all", async () => {
      const hops = Array.from({ length: 10 }, (_, hop) => ({
        url: `https://c.example/${hop}/${"x".repeat(2500)}`,
        status: 302,
      }));
      for (let hour = 0; hour < 52; hour += 1) await stores.history.add(check(hour, { hops }));
      const found = await stores.history.latest(id, 50);
      expect(found.map(({ checkId }) => checkId)).toEqual(
        Array.from({ length: 50 }, (_, at) => `${id}-${51 - at}`),
      );
    });
  });

  it("a collection that is removed, twice → neither what operators say about it nor where it stands is left", async () => {
    const { hold: _kept, ...wanted } = defaultCollection(id);
    await stores.collections.save(wanted);
    await stores.collections.replaceLinkStatus(
      id,
      { ...restoredStatus(new Date()), inconclusives: 1 },
      undefined,
    );
    for (let times = 0; times < 2; times += 1) await stores.collections.remove(id);
    expect(await stores.collections.get(id)).toBeUndefined();
    expect(await stores.collections.linkStatus(id)).toBeUndefined();
  });

  describe("random samples", () => {
    const sample = (day: string, recordId: string) => ({
      collectionId: id,
      day,
      recordId,
      verdict: "alive" as const,
    });

    it("between two days → both included, none before or after, none of another collection", async () => {
      for (const day of ["2026-11-01", "2026-11-02", "2026-11-10", "2026-11-11"]) {
        await stores.samples.add(sample(day, "r"));
      }
      await stores.samples.add({ ...sample("2026-11-02", "r"), collectionId: `${id}-other` });
      const found = await stores.samples.between(id, { from: "2026-11-02", to: "2026-11-10" });
      expect(found).toEqual([sample("2026-11-02", "r"), sample("2026-11-10", "r")]);
    });

    it("a record drawn twice in a day → the later result replaces the first", async () => {
      await stores.samples.add(sample("2026-11-01", "r"));
      await stores.samples.add({ ...sample("2026-11-01", "r"), verdict: "broken" });
      const found = await stores.samples.between(id, { from: "2026-11-01", to: "2026-11-01" });
      expect(found.map(({ verdict }) => verdict)).toEqual(["broken"]);
    });

    it("the cursor → none at first, then as it was moved last; it is not a sample", async () => {
      expect(await stores.samples.cursor(id)).toBeUndefined();
      await stores.samples.saveCursor(id, { day: "2026-11-01", after: "a", hosts: {} });
      const last = { day: "2026-11-02", after: "b", hosts: { "c.example": 3 } };
      await stores.samples.saveCursor(id, last);
      expect(await stores.samples.cursor(id)).toEqual(last);
      expect(await stores.samples.between(id, { from: "0000-01-01", to: "9999-12-31" })).toEqual([]);
    });
  });

  describe("statistics", () => {
    /** A day of its own: a day's figures are those of all collections. */
    let day: string;
    let days = 0;
    beforeEach(() => {
      days += 1;
      day = new Date(Date.UTC(2026, 0, days)).toISOString().slice(0, 10);
    });
    const change = (more: Partial<LinkChange> = {}): LinkChange => ({
      day,
      collectionId: id,
      change: "suppressed",
      recordId: "r",
      url: "https://c.example/",
      ...more,
    });
    const sorted = (changes: object[]) => changes.map((each) => JSON.stringify(each)).sort();

    it("the same of a record on a day → counted once; another change, record, day or collection → too", async () => {
      const others: Partial<LinkChange>[] = [
        {},
        {},
        { change: "activated" },
        { recordId: "s" },
        { day: "2025-01-01" },
        { collectionId: `${id}-2` },
      ];
      for (const other of others) await stores.statistics.add(change(other));
      const ofCollection = [change(), change({ change: "activated" }), change({ recordId: "s" })];
      expect(sorted(await stores.statistics.ofCollection(id, day))).toEqual(sorted(ofCollection));
      const ofDay = [...ofCollection, change({ collectionId: `${id}-2` })];
      expect(sorted(await stores.statistics.ofDay(day))).toEqual(sorted(ofDay));
    });

    it("changes of the collection itself → each counted once", async () => {
      const changeAt = (to: StatusChangeType, hour: string): CollectionChange => {
        return {
          day,
          collectionId: id,
          change: "collection",
          to,
          at: `${day}T${hour}:00:00.000Z`,
          reason: "why",
        };
      };
      const changes = [
        changeAt("suppressed", "01"),
        changeAt("activated", "05"),
        changeAt("suppressed", "09"),
      ];
      for (const at of [2, 0, 1, 0]) await stores.statistics.add(changes[at] as CollectionChange);
      expect(sorted(await stores.statistics.ofCollection(id, day))).toEqual(sorted(changes));
    });

    it("of a day on which nothing happened → none", async () => {
      expect(await stores.statistics.ofDay("1999-01-01")).toEqual([]);
      expect(await stores.statistics.ofCollection(id, day)).toEqual([]);
    });
  });

  describe("sweeps", () => {
    const sweep = (more: Partial<Sweep> = {}): Sweep => ({
      sweepId: id,
      collectionId: "c",
      requestedAt: requestedAt(0),
      attempt: 0,
      samples: [{ checkId: "one", recordId: "r", url: "https://c.example/", isSuppressed: false }],
      results: {},
      ...more,
    });
    const broken = { verdict: "broken" as const, reason: "answered 404" };

    it("opened again with other samples → the first one stays, with what is known by then", async () => {
      expect(await stores.sweeps.create(sweep())).toMatchObject(sweep());
      await stores.sweeps.addResult(id, "one", broken);
      expect(await stores.sweeps.create(sweep({ samples: [] }))).toMatchObject(
        sweep({ results: { one: broken } }),
      );
    });

    it("one open of a collection → another only after its last result, or its end", async () => {
      const collectionId = id;
      const at = (hours: number) =>
        sweep({ sweepId: `${id}-${hours}`, collectionId, requestedAt: requestedAt(hours) });
      const open = async (hours: number) => (await stores.sweeps.open(at(hours)))?.sweepId;
      expect(await open(0)).toBe(`${id}-0`);
      expect(await open(2)).toBeUndefined();
      expect(await open(0)).toBe(`${id}-0`);
      await stores.sweeps.addResult(`${id}-0`, "one", broken);
      expect(await open(4)).toBe(`${id}-4`);
      expect(await open(3)).toBeUndefined();
      expect(await open(27)).toBeUndefined();
      expect(await open(28)).toBe(`${id}-28`);
      expect(await stores.sweeps.get(`${id}-28`)).toMatchObject(at(28));
      const latest = await stores.sweeps.latest([collectionId, `${id}-unknown`]);
      expect([...latest]).toMatchObject([[collectionId, at(28)]]);
    });

    it("the busy hosts of two sweeps → those of the later one, whatever is stored last", async () => {
      const busy = (at: string) => ({
        at,
        intervalMs: 7_200_000,
        hosts: [{ hostKey: `${id}.example`, collections: 31, links: 124, neededMs: 11_160_000 }],
      });
      // Other tests of the same stores may have stored some.
      const later = `29${requestedAt(2).slice(2)}`;
      await stores.busyHosts.save(busy(later));
      await stores.busyHosts.save(busy(requestedAt(0)));
      expect(await stores.busyHosts.latest()).toEqual(busy(later));
    });

    it("opened twice at once at different times → one of them; at the same time → both the same", async () => {
      const collectionId = id;
      const at = (hours: number) =>
        sweep({ sweepId: `${id}-${hours}`, collectionId, requestedAt: requestedAt(hours) });
      const opened = await Promise.all([0, 1, 2, 0, 1, 2].map((hours) => stores.sweeps.open(at(hours))));
      expect(new Set(opened.flatMap((each) => each?.sweepId ?? [])).size).toBe(1);
    });

    it("a result added twice → the first one counts; two at once → both are stored", async () => {
      await stores.sweeps.create(sweep());
      await Promise.all([
        stores.sweeps.addResult(id, "one", broken),
        stores.sweeps.addResult(id, "two", { ...broken, verdict: "inconclusive", notCounted: "our-limit" }),
      ]);
      const gathered = await stores.sweeps.addResult(id, "one", { verdict: "alive", reason: "answered 200" });
      expect(gathered?.results).toEqual({
        one: broken,
        two: { ...broken, verdict: "inconclusive", notCounted: "our-limit" },
      });
    });

    it("a result of an unknown sweep → undefined, and no sweep is created", async () => {
      expect(await stores.sweeps.addResult(id, "one", broken)).toBeUndefined();
      expect(await stores.sweeps.addResult(id, "one", broken)).toBeUndefined();
    });
  });

  describe("rule tests", () => {
    const test = (): RuleTest => ({
      testId: id,
      url: "https://c.example/",
      rule: { active: true },
      requestedAt: requestedAt(0),
    });
    const result = {
      verdict: "alive" as const,
      finding: "alive" as const,
      reason: "answered 200",
      hops: [],
      parts: {
        statusCodes: { isHit: false, statuses: [] },
        finalUrl: { isHit: false },
        xpath: { isHit: false },
      },
    };

    it("opened → without a result; finished → with it", async () => {
      await stores.ruleTests.create(test());
      expect(await stores.ruleTests.get(id)).toEqual(test());
      await stores.ruleTests.finish(id, result);
      expect(await stores.ruleTests.get(id)).toEqual({ ...test(), result });
    });

    it("finished after it was forgotten → still unknown", async () => {
      await stores.ruleTests.finish(id, result);
      expect(await stores.ruleTests.get(id)).toBeUndefined();
    });
  });

  describe("sent mails", () => {
    it("to addresses at different times, some twice → all of them, once", async () => {
      expect(await stores.sent.recipients(id)).toEqual(new Set());
      await stores.sent.markSent({ id, subject: "S" }, ["a@b.example", "c@d.example"], new Date());
      await stores.sent.markSent({ id, subject: "S" }, ["c@d.example", "e@f.example"], new Date());
      const recipients = await stores.sent.recipients(id);
      expect([...recipients].sort()).toEqual(["a@b.example", "c@d.example", "e@f.example"]);
    });
  });
});

describe("on the local cloud", () => {
  it("a recheck requested twice → one schedule, at the first time, that puts the request into its host's group", async () => {
    const { rechecks } = await import("../../shared/links/stores/rechecks.ts");
    const request = {
      id: "check-1",
      kind: "link" as const,
      url: "https://c.example/1",
      obeyRobots: false,
      context: {},
    };
    await rechecks().schedule("2099-01-01T00:00:00.400Z", request);
    await rechecks().schedule("2099-01-02T00:00:00.000Z", request);
    const GroupName = process.env.SCHEDULE_GROUP;
    const schedule = await new SchedulerClient({}).send(
      new GetScheduleCommand({ GroupName, Name: "recheck-check-1" }),
    );
    expect(schedule).toMatchObject({
      ScheduleExpression: "at(2099-01-01T00:00:01)",
      ActionAfterCompletion: "DELETE",
      Target: {
        DeadLetterConfig: { Arn: expect.stringMatching(/:ingather-schedules-dead$/) },
        SqsParameters: { MessageGroupId: expect.stringContaining("c.example") },
      },
    });
    expect(JSON.parse(schedule.Target?.Input ?? "")).toMatchObject(request);
  });

  it("one of a mail's addresses is refused → the others are noted, and the error names it", async () => {
    const { mailer } = await import("../../shared/adapters/aws/mailer.ts");
    const mail = { id: "m-1", to: ["a@b.example", "nobody"], subject: "S", text: "T", html: "<p>T</p>" };
    await expect(mailer().send(mail)).rejects.toThrow("nobody (Missing final '@domain')");
    const { sent } = await storesOfCloud();
    expect(await sent.recipients("m-1")).toEqual(new Set(["a@b.example"]));
  });

  it("a mail sent again → is forgotten no later for it", async () => {
    const { sent } = await storesOfCloud();
    for (const seconds of [1000, 9000])
      await sent.markSent({ id: "m-3", subject: "S" }, ["a@b.example"], new Date(seconds * 1000));
    const items = (await itemsOf(tableNames.sentMails)).filter(({ mailId }) => mailId === "m-3");
    expect(items).toMatchObject([{ expiresAt: 1000 + sentMailRetentionDays * 86_400 }]);
  });

  describe("statistics of links", () => {
    const changeOf = (day: string, collectionId: string, recordId = "r"): LinkChange => {
      return { day, collectionId, change: "suppressed", recordId, url: "https://c.example/" };
    };
    const storedOf = async (date: string) => {
      const items = (await itemsOf(tableNames.linkStatistics)) as { day: string; value: LinkChange }[];
      return items.filter(({ value }) => value.day === date);
    };

    it("of 200 collections on a day → under many keys; all are of the day", async () => {
      const day = "2024-01-01";
      const { statistics } = await storesOfCloud();
      const ids = Array.from({ length: 200 }, (_, number) => `c-${number}`).sort();
      for (const collectionId of ids) await statistics.add(changeOf(day, collectionId));
      expect((await statistics.ofDay(day)).map(({ collectionId }) => collectionId)).toEqual(ids);
      const byKey = Map.groupBy(await storedOf(day), (item) => item.day);
      expect(Math.max(...[...byKey.values()].map(({ length }) => length))).toBeLessThan(20);
    });

    it("under the day alone, as earlier versions stored them → counted, once with a repetition", async () => {
      const day = "2024-01-02";
      const { statistics } = await storesOfCloud();
      const value = changeOf(day, "old");
      const Item = { day, change: "old#suppressed#r", value };
      await dynamodb.send(new PutCommand({ TableName: tableNames.linkStatistics, Item }));
      expect(await statistics.ofDay(day)).toEqual([value]);
      expect(await statistics.ofCollection("old", day)).toEqual([value]);
      await statistics.add(value);
      await statistics.add(changeOf(day, "old", "s"));
      const both = [value, changeOf(day, "old", "s")];
      expect(await statistics.ofDay(day)).toEqual(both);
      expect(await statistics.ofCollection("old", day)).toEqual(both);
    });
  });
});
