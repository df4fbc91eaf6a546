import { randomBytes } from "node:crypto";
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

const define = (seeds: string[]) =>
  operator.ask<Definition>("POST", "/snapshots", { title: "T", type: "snapshot", seeds });
const seedsOf = (count: number, chars: number) =>
  Array.from({ length: count }, (_, index) => `https://a.example/${index}/${"journal/".repeat(chars / 8)}`);

describe("an item has at most 400 KB", () => {
  it("a snapshot with 5,000 seeds of 200 characters, 1 MB → kept as it is, and its jobs have their seeds", async () => {
    const { snapshotStore } = await import("../../shared/adapters/aws/snapshots/snapshot-store.ts");
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

  it("seeds that take more, however they are stored → refused, naming them and what they take", async () => {
    const seeds = Array.from({ length: 2000 }, () => `https://a.example/${randomBytes(900).toString("hex")}`);
    const { status, body } = await define(seeds);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        field: "seeds",
        value: "2000 URLs",
        detail: expect.stringMatching(/take \d+ kB compressed, more than the 300 kB that can be stored/),
      }),
    ]);
  });

  it("the history of a definition → its latest events", async () => {
    const { snapshotStore } = await import("../../shared/adapters/aws/snapshots/snapshot-store.ts");
    const { body } = await define(["https://b.example/"]);
    const stored = await snapshotStore().definition(body.id);
    if (stored === undefined) throw new Error("no definition");
    let { definition } = stored;
    for (let event = 0; event < 5000; event += 1)
      definition = withEvent(definition, new Date(event), `event ${event}: ${"x".repeat(500)}`);
    expect(await snapshotStore().replace(definition, stored.version)).toBe(true);
    const { history } = (await snapshotStore().definition(body.id))?.definition ?? {};
    expect(history).toHaveLength(100);
    expect(history?.at(-1)?.at).toEqual(new Date(4999));
  });
});
