import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { withEvent } from "../../shared/snapshots/definitions/definition.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

let operator: Operator;
beforeAll(async () => {
  operator = new Operator(await testCloud(stateFolder(), { polling: false }));
});

interface Definition {
  id: string;
  seeds: string[];
}

interface Page {
  definitions: Definition[];
  next?: string;
}

const define = (seeds: string[]) =>
  operator.ask<Definition>("POST", "/snapshots", { title: "T", type: "snapshot", seeds });
const seedsOf = (count: number, chars: number) =>
  Array.from({ length: count }, (_, index) => `https://a.example/${index}/${"journal/".repeat(chars / 8)}`);

describe("an item has at most 400 KB", () => {
  it("a snapshot with 5,000 seeds of 200 characters, 1 MB → kept as it is, and its jobs have their seeds", async () => {
    const { snapshotStore } = await import("../../shared/snapshots/stores/snapshot-store.ts");
    const { makeJobs, submitJobs } = await import("../../shared/snapshots/definitions/submit-jobs.ts");
    const seeds = seedsOf(5000, 200);
    const created = await define(seeds);
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect((await operator.ask<Definition>("GET", `/snapshots/${id}`)).body.seeds).toEqual(seeds);
    const snapshots = snapshotStore();
    const stored = await snapshots.definition(id);
    if (stored === undefined) throw new Error("no definition");
    await snapshots.replace({ ...stored.definition, isActive: true, type: "selective" }, stored.version);
    await makeJobs(id, new Date(), { snapshots });
    const clock = { now: () => new Date(), sleep: async () => {} };
    const jobs = await submitJobs(id, { snapshots, clock, captureJobs: { send: async () => {} } });
    expect(jobs.flatMap((job) => job.seeds)).toEqual(seeds);
    const read = await Promise.all(jobs.map((job) => snapshots.job(job.id)));
    expect(read.flatMap((job) => job?.seeds)).toEqual(seeds);
  });

  it("seeds that do not compress → kept as they are; those too long for an answer → refused", async () => {
    const random = (count: number) =>
      Array.from({ length: count }, () => `https://a.example/${randomBytes(900).toString("hex")}`);
    const seeds = random(2000);
    const created = await define(seeds);
    expect(created.status).toBe(201);
    expect((await operator.ask<Definition>("GET", `/snapshots/${created.body.id}`)).body.seeds).toEqual(
      seeds,
    );
    const { status, body } = await define(random(2300));
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        field: "seeds",
        value: "2300 URLs",
        detail: expect.stringMatching(/have \d+ kB together, more than 4000 kB/),
      }),
    ]);
  });

  it("a list of definitions whose seeds are too long for one answer → pages that end earlier, with all of them", async () => {
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push((await define(seedsOf(1000 + count, 1800))).body.id);
    const listed: string[] = [];
    for (let after: string | undefined = "", pages = 0; after !== undefined; pages += 1) {
      expect(pages).toBeLessThan(20);
      const path: string = after === "" ? "/snapshots" : `/snapshots?after=${after}`;
      const { status, body }: { status: number; body: Page } = await operator.ask<Page>("GET", path);
      expect(status).toBe(200);
      listed.push(...body.definitions.map(({ id }) => id));
      after = body.next;
    }
    expect(listed).toEqual(expect.arrayContaining(ids));
    expect(new Set(listed).size).toBe(listed.length);
  });

  it.each(["a list", "compressed"])(
    "seeds in their item, %s, as earlier versions kept them → read, then kept apart",
    async (form) => {
      const { snapshotStore } = await import("../../shared/snapshots/stores/snapshot-store.ts");
      const { getItem, updateIf } = await import("../../shared/adapters/aws/dynamodb.ts");
      const { body } = await define(["https://c.example/", `https://c.example/${form.length}`]);
      const Key = { kind: "definition", id: body.id };
      const TableName = "ingather-snapshots";
      const old = form === "a list" ? body.seeds : gzipSync(JSON.stringify(body.seeds));
      await updateIf({
        TableName,
        Key,
        UpdateExpression: "SET #definition.seeds = :old",
        ConditionExpression: "attribute_exists(id)",
        ExpressionAttributeNames: { "#definition": "definition" },
        ExpressionAttributeValues: { ":old": old },
      });
      const stored = await snapshotStore().definition(body.id);
      if (stored === undefined) throw new Error("no definition");
      expect(stored.definition.seeds).toEqual(body.seeds);
      expect(await snapshotStore().replace(stored.definition, stored.version)).toBe(true);
      const item = await getItem<{ definition: { seeds: unknown } }>({ TableName, Key });
      expect(item?.definition.seeds).toEqual({ digest: expect.any(String), count: 2 });
      expect((await snapshotStore().definition(body.id))?.definition).toEqual(stored.definition);
    },
  );

  it("the history of a definition → its latest events, whoever wrote them; the item stays small", async () => {
    const { snapshotStore } = await import("../../shared/snapshots/stores/snapshot-store.ts");
    const { body } = await define(["https://b.example/"]);
    const stored = await snapshotStore().definition(body.id);
    if (stored === undefined) throw new Error("no definition");
    let { definition, version } = stored;
    const firstMs = Date.now() + 1000;
    // Of 2,000 characters each: several at once, and one after the other.
    for (let event = 0; event < 260; event += 1) {
      definition = withEvent(definition, new Date(firstMs + event), `event ${event}: ${"ü".repeat(3000)}`);
      if (event % 7 !== 0) continue;
      expect(await snapshotStore().replace(definition, version)).toBe(true);
      ({ definition, version } = (await snapshotStore().definition(body.id)) ?? { definition, version });
    }
    expect(await snapshotStore().replace(definition, version)).toBe(true);
    // One who has read it before moves the same events, and changes nothing.
    expect(await snapshotStore().replace(definition, version)).toBe(false);
    const { getItem } = await import("../../shared/adapters/aws/dynamodb.ts");
    const Key = { kind: "definition", id: body.id };
    const item = await getItem<object>({ TableName: "ingather-snapshots", Key });
    expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(150_000);
    const shown = await operator.ask<{ history: { at: string; what: string }[] }>(
      "GET",
      `/snapshots/${body.id}`,
    );
    expect(shown.body.history.map(({ at }) => Date.parse(at))).toEqual(
      Array.from({ length: 100 }, (_, index) => firstMs + 160 + index),
    );
    expect(await snapshotStore().earlierEvents(body.id, 1000)).toHaveLength(261 - 20);
  });
});
