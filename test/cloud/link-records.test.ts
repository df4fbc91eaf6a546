import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCollection } from "../../shared/links/status/collection.ts";
import type { CollectionStore } from "../../shared/links/status/collection-store.ts";
import type { HiddenState, LinkRecords, StateCursor } from "../../shared/links/status/link-records.ts";
import { type LinkStatus, restoredStatus, type StatusChange } from "../../shared/links/status/link-status.ts";
import type { RecordLink } from "../../shared/links/status/record-link.ts";
import { sampleOldestAndNewest } from "../../shared/links/sweep/sweep.ts";
import type { RecordCursor } from "../../shared/records/documents/record-cursor.ts";
import type { RecordStore } from "../../shared/records/documents/stored-record.ts";
import { sharedCloud } from "./local-cloud.ts";

let links: LinkRecords;
let records: RecordStore;
let collections: CollectionStore;
/** Each test has a collection of its own. */
let collectionId: string;

beforeAll(async () => {
  await sharedCloud();
  const { linkRecords } = await import("../../shared/links/stores/link-records.ts");
  const { recordStore } = await import("../../shared/adapters/records/record-store.ts");
  const { collectionStore } = await import("../../shared/links/stores/collection-store.ts");
  links = linkRecords();
  collections = collectionStore();
  records = recordStore();
});
beforeEach(() => {
  collectionId = crypto.randomUUID();
});

/** The records from one number to another, older ones first, as a run leaves them. */
async function harvest(from: number, to: number, runId = "first"): Promise<string[]> {
  const ids: string[] = [];
  for (let number = from; number <= to; number += 1) {
    const recordId = `${collectionId}-${String(number).padStart(3, "0")}`;
    ids.push(recordId);
    await records.save({
      recordId,
      sourceId: collectionId,
      groupId: "G",
      collectionId,
      runId,
      deliveryMode: "LIVE",
      title: String(number),
      landingUrl: `https://c.example/${number}`,
      syndicatedAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
      hash: recordId,
      recordKey: recordId,
      state: "harvested",
      updatedAt: "2026-11-20T00:00:00.000Z",
    });
  }
  return ids;
}

async function move(ids: string[], status: LinkStatus["status"]): Promise<void> {
  for (const id of ids) {
    const record = (await links.get(id)) as RecordLink;
    expect(
      await links.replaceLinkStatus(record, {
        ...restoredStatus(new Date()),
        checkId: `${id} ${status}`,
        status,
      }),
    ).toBe(true);
  }
}

const titles = (found: RecordLink[]) => found.map(({ title }) => Number(title));

async function sampled(): Promise<string[]> {
  const sampled = await sampleOldestAndNewest(collectionId, links);
  return sampled.map(({ url }) => url.slice("https://c.example/".length));
}

describe("the ends of a collection", () => {
  it.each([
    [
      "60 newest",
      {
        deleted: [5, 64],
        expected: [
          [1, 2],
          [4, 3],
        ],
      },
    ],
    [
      "60 oldest",
      {
        deleted: [1, 60],
        expected: [
          [61, 62],
          [64, 63],
        ],
      },
    ],
  ] as const)("%s of 64 records deleted → the others are sampled", async (_ends, { deleted, expected }) => {
    const ids = await harvest(1, 64);
    await move(ids.slice(deleted[0] - 1, deleted[1]), "deleted");
    expect([
      titles(await links.oldest(collectionId, 2)),
      titles(await links.newest(collectionId, 2)),
    ]).toEqual(expected);
    expect(await sampled()).toHaveLength(4);
  });

  it("a deleted record, harvested again → still left out; restored → there again", async () => {
    const [id = ""] = await harvest(1, 1);
    await move([id], "deleted");
    await harvest(1, 1, "second");
    expect((await records.get(id))?.runId).toBe("second");
    expect(await links.newest(collectionId, 2)).toEqual([]);
    await move([id], "active");
    await harvest(1, 1, "third");
    expect(titles(await links.newest(collectionId, 2))).toEqual([1]);
    expect(await records.get(id)).not.toHaveProperty("listedIn");
  });
});

describe("where a list continues", () => {
  it("a record of the place is gone from the list by then → the list continues behind it", async () => {
    const ids = await harvest(1, 3);
    const { next } = await links.list(collectionId, { limit: 1 });
    await move([ids[2] ?? ""], "deleted");
    expect(titles((await links.list(collectionId, { limit: 5, after: next })).items)).toEqual([2, 1]);
  });
});

describe("the list of a collection", () => {
  it("the active ones of many that are suppressed → all, in parts that may be short", async () => {
    const ids = await harvest(1, 520);
    await move(ids.slice(3, 515), "suppressed");
    const parts: number[][] = [];
    let after: RecordCursor | undefined;
    do {
      const part = await links.list(collectionId, { limit: 4, after });
      parts.push(titles(part.items));
      after = part.next;
    } while (after !== undefined);
    expect(parts).toEqual([[520, 519, 518, 517], [516], [3, 2, 1]]);
  });
});

describe("the records of a status", () => {
  const attemptAt = (hour: number) => `2026-11-20T0${hour}:00:00.000Z`;
  /** All parts of the list of this collection, oldest attempt or last deletion first. */
  async function listed(state: HiddenState, limit: number): Promise<number[]> {
    const found: number[] = [];
    let after: StateCursor | undefined;
    do {
      const part = await links.listByState(state, { collectionId, limit, after });
      expect(part.items.length).toBeLessThanOrEqual(limit);
      found.push(...titles(part.items));
      after = part.next;
    } while (after !== undefined);
    return found;
  }
  async function change(id: string, more: Partial<LinkStatus>): Promise<void> {
    const was = (await links.get(id)) as RecordLink;
    const linkStatus = { ...restoredStatus(new Date()), checkId: `${id} ${JSON.stringify(more)}`, ...more };
    await links.replaceLinkStatus(was, linkStatus);
  }

  it("suppressed → by their next attempt; deleted → the last one first; restored → in neither; harvested again → as before", async () => {
    const ids = await harvest(1, 6);
    const [one = "", two = "", three = "", four = "", five = ""] = ids;
    await change(one, { status: "suppressed", nextAttemptAt: attemptAt(7) });
    await change(two, { status: "suppressed", nextAttemptAt: attemptAt(6) });
    await change(three, { status: "deleted", since: attemptAt(1) });
    await change(four, { status: "suppressed", nextAttemptAt: attemptAt(5) });
    await change(four, { status: "deleted", since: attemptAt(2) });
    await change(five, { status: "suppressed", nextAttemptAt: attemptAt(4) });
    await change(five, { status: "active" });
    await harvest(1, 6, "second");
    for (const limit of [1, 10]) {
      expect(await listed("suppressed", limit)).toEqual([2, 1]);
      expect(await listed("deleted", limit)).toEqual([4, 3]);
    }
    const { items } = await links.listByState("deleted", { collectionId, limit: 1 });
    expect(items).toEqual([await links.get(four)]);
  });
});

describe("attempts that are due", () => {
  const suppressed = (checkId: string, nextAttemptAt: string): LinkStatus => {
    return { ...restoredStatus(new Date()), checkId, status: "suppressed", failures: 1, nextAttemptAt };
  };
  const before = "2026-11-20T08:00:00.000Z";
  const overdue = async () => {
    const found: (string | undefined)[] = [];
    for await (const page of links.overduePages(before)) {
      const own = page.filter((record) => record.collectionId === collectionId);
      found.push(...own.map(({ link }) => link?.checkId));
    }
    return found;
  };

  it("the longest overdue first; not those that are due later, active again or deleted, also after a new harvest", async () => {
    const ids = await harvest(1, 5);
    const hours = ["07", "06", "09", "05", "04"];
    for (const [index, id] of ids.entries()) {
      const record = (await links.get(id)) as RecordLink;
      await links.replaceLinkStatus(
        record,
        suppressed(String(index), `2026-11-20T${hours[index]}:00:00.000Z`),
      );
    }
    await move(ids.slice(3, 4), "active");
    await move(ids.slice(4, 5), "deleted");
    await harvest(1, 5, "second");
    expect(await overdue()).toEqual(["1", "0"]);
    expect(await records.get(ids[0] ?? "")).not.toHaveProperty("linkState");
    expect(await records.get(ids[0] ?? "")).not.toHaveProperty("linkStateAt");
  });
});

describe("the claim of a check", () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();

  it("taken → nobody else's; given back → the next one's; another's is not given back", async () => {
    const [id = ""] = await harvest(1, 1);
    expect(await links.claimCheck(id, { requestedAt: at(8), notSince: at(2) })).toBe(true);
    expect(await links.claimCheck(id, { requestedAt: at(9), notSince: at(3) })).toBe(false);
    await links.releaseCheck(id, at(8));
    expect(await links.claimCheck(id, { requestedAt: at(9), notSince: at(3) })).toBe(true);
    await links.releaseCheck(id, at(8));
    expect(await links.claimCheck(id, { requestedAt: at(10), notSince: at(4) })).toBe(false);
  });
});

describe("the hold of a collection", () => {
  const change = (checkId: string): StatusChange => {
    return {
      status: "suppressed",
      since: "2026-11-20T08:00:00.000Z",
      checkId,
      reason: "held by an operator",
    };
  };

  const held = { since: "2026-11-20T08:00:00.000Z", by: "anna", reason: "moves" };

  it("changes are kept until they are reported; a repeated change adds none", async () => {
    const { hold: _hold, ...wanted } = readCollection({ collectionId, title: "C" });
    await collections.save(wanted);
    expect(await collections.setHold(collectionId, held, change("1"))).toEqual([change("1")]);
    expect(await collections.setHold(collectionId, held, change("2"))).toEqual([change("1")]);
    expect(await collections.get(collectionId)).toMatchObject({ collection: { hold: true }, held });
    expect(await collections.setHold(collectionId, undefined, change("3"))).toEqual([
      change("1"),
      change("3"),
    ]);
    await collections.clearPendingNotifications(collectionId, [change("1")]);
    expect(await collections.setHold(collectionId, undefined, change("4"))).toEqual([
      change("1"),
      change("3"),
    ]);
    await collections.clearPendingNotifications(collectionId, [change("1"), change("3")]);
    expect(await collections.setHold(collectionId, undefined, change("5"))).toEqual([]);
  });

  it("of none that there is → nothing, and none comes to be", async () => {
    expect(await collections.setHold(collectionId, held, change("1"))).toEqual([]);
    expect(await collections.get(collectionId)).toBeUndefined();
  });

  it("one that is not valid → said so, and whether it is held", async () => {
    const { hold: _hold, ...wanted } = readCollection({ collectionId, title: "C" });
    await collections.save({ ...wanted, recheckDelaysHours: [] });
    await collections.setHold(collectionId, held, undefined);
    const problem = expect.stringMatching(/^recheckDelaysHours: /);
    expect(await collections.get(collectionId)).toMatchObject({
      unusable: { collectionId, problem, hold: true },
    });
  });
});
