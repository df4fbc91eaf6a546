import { describe, expect, it } from "vitest";
import { PlatformError, ThrottledError } from "../../../../../shared/core/errors.ts";
import {
  type ImportJob,
  importTries,
  runImport,
} from "../../../../../shared/records/sources/conf/import-job.ts";
import { memoryImports } from "../../../memory/imports.ts";
import { configuration, journal } from "../fixtures.ts";
import { MemoryConfiguration } from "../memory-configuration.ts";

const count = 1300;
const sections = Array.from({ length: count }, (_, at) =>
  [`[Journal ${at}]`, ...journal].join("\n").replace("4711", String(10_000 + at)),
);
const ini = [configuration(journal), ...sections].join("\n\n");

interface World {
  store: MemoryConfiguration;
  imports: ReturnType<typeof memoryImports>;
  time: Date;
  /** One try. @returns the error that ended it */
  attempt(options?: { receiveCount?: number; remainingMs?: number }): Promise<Error | undefined>;
  job(): Promise<ImportJob | undefined>;
}

async function world(fields: Partial<ImportJob> = {}, text = ini): Promise<World> {
  const store = new MemoryConfiguration();
  const imports = memoryImports();
  const asked = { by: "anna", requestedAt: "2026-11-20T10:00:00.000Z", allowRemovals: true, isStrict: false };
  const job = { importId: "i", state: "waiting" as const, total: 1, applied: 0, ...asked, ...fields };
  await imports.create(job, { ini: text, files: {} });
  const made: World = {
    store,
    imports,
    time: new Date("2026-11-20T10:00:00Z"),
    attempt: ({ receiveCount = 1, remainingMs = 300_000 } = {}) => {
      const ports = {
        imports,
        configuration: store,
        configurationHistory: store.changes,
        leases: store.leases,
        quality: store.quality,
        clock: { now: () => made.time },
      };
      const receipt = { receiveCount, remainingMs: () => remainingMs };
      return runImport({ importId: "i" }, ports, receipt).then(
        () => undefined,
        (error: Error) => error,
      );
    },
    job: () => imports.get("i"),
  };
  return made;
}

/** The stored values. */
const values = ({ store }: World) =>
  Object.fromEntries([...store.stored].map(([name, json]) => [name, JSON.parse(json).value]));

describe("an import with many changes", () => {
  it("killed at any place, again and again → the rest is done as the same version; repeated → nothing happens", async () => {
    const calm = await world();
    expect(await calm.attempt()).toBeUndefined();
    const expected = values(calm);
    expect(Object.keys(expected).length).toBeGreaterThan(count);
    for (const kills of [[0], [3, 700], [501, 1, 0, 400]]) {
      const killed = await world();
      for (const changes of kills) {
        killed.store.diesAfter = changes;
        expect(await killed.attempt()).toBeInstanceOf(Error);
        killed.store.diesAfter = undefined;
        expect(await killed.attempt(), "the dead one has the lease").toBeInstanceOf(ThrottledError);
        killed.time = new Date(killed.time.getTime() + 121_000);
      }
      expect(await killed.attempt()).toBeUndefined();
      expect(values(killed)).toEqual(expected);
      const total = Object.keys(expected).length;
      expect(await killed.job()).toMatchObject({ state: "done", total, applied: total, version: 1 });
      expect(killed.store.versions).toMatchObject([{ version: 1, added: total, importId: "i" }]);
      expect(await killed.store.changes.changesOf(1)).toHaveLength(total);
      const before = [...killed.store.stored];
      expect(await killed.attempt()).toBeUndefined();
      expect([...killed.store.stored]).toEqual(before);
    }
  });

  it("the time is over → says how far it is, and the next try continues", async () => {
    const slow = await world();
    expect(await slow.attempt({ remainingMs: 5000 })).toBeInstanceOf(ThrottledError);
    expect(await slow.job()).toMatchObject({ state: "running", applied: 0 });
    expect(await slow.attempt()).toBeUndefined();
    expect(await slow.job()).toMatchObject({ state: "done" });
  });

  it("a source that cannot be written → all others are; the last try names it", async () => {
    const failing = await world();
    const { apply } = failing.store;
    failing.store.apply = async (change, version) => {
      if (change.item.id === "ixtheo-10007") throw new Error("too large");
      return apply.call(failing.store, change, version);
    };
    expect(await failing.attempt()).toBeInstanceOf(PlatformError);
    expect(await failing.job()).toMatchObject({ state: "running" });
    expect(await failing.attempt({ receiveCount: importTries })).toBeUndefined();
    expect(await failing.job()).toMatchObject({
      state: "done",
      failed: [{ kind: "source", id: "ixtheo-10007", reason: "too large" }],
      failedCount: 1,
    });
    const stored = Object.keys(values(failing));
    expect(stored.filter((name) => name.startsWith("source "))).toHaveLength(count);
  });

  it("the last try has no more time, or its store fails → stopped with the reason; sent again → done", async () => {
    for (const cause of ["time", "store"]) {
      const stopped = await world();
      if (cause === "store") stopped.store.diesAfter = 3;
      const last = { receiveCount: importTries, ...(cause === "time" && { remainingMs: 5000 }) };
      const error = await stopped.attempt(last);
      expect(error).toBeInstanceOf(Error);
      expect(await stopped.job()).toMatchObject({ state: "stopped", reason: error?.message });
      expect(await stopped.job()).toHaveProperty("endedAt");
      stopped.store.diesAfter = undefined;
      stopped.time = new Date(stopped.time.getTime() + 121_000);
      expect(await stopped.attempt({ remainingMs: 5000 })).toBeInstanceOf(ThrottledError);
      expect(await stopped.job()).toMatchObject({ state: "running" });
      expect(await stopped.attempt()).toBeUndefined();
      expect(await stopped.job()).toMatchObject({ state: "done", version: 1 });
    }
  });

  it("another import is in progress at the last try → stopped, and says so", async () => {
    const waiting = await world();
    waiting.store.diesAfter = 3;
    expect(await waiting.attempt()).toBeInstanceOf(Error);
    waiting.store.diesAfter = undefined;
    expect(await waiting.attempt({ receiveCount: importTries })).toBeInstanceOf(ThrottledError);
    expect(await waiting.job()).toMatchObject({
      state: "stopped",
      reason: expect.stringContaining("import"),
    });
  });

  it("another import came between → refused, nothing is written", async () => {
    const late = await world({ after: 3 });
    expect(await late.attempt()).toBeUndefined();
    expect(await late.job()).toMatchObject({ state: "refused", reason: expect.stringContaining("another") });
    expect(late.store.stored.size).toBe(0);
  });

  it("a file that is refused → says why", async () => {
    const wrong = await world({ isStrict: true }, `${ini}\n[No type]\n`);
    expect(await wrong.attempt()).toBeUndefined();
    expect(await wrong.job()).toMatchObject({ state: "refused", reason: expect.stringMatching(/^line \d+/) });
  });
});
