import { describe, expect, it } from "vitest";
import { outcomesFrom } from "../../../../shared/deliver/updates/part-outcomes.ts";
import { type Article, sftpDestination } from "../run-world.ts";
import { described, ofSource, seededRandom, titled, UpdateWorld } from "./update-world.ts";

const articles = (count: number): Article[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    urls: [`https://journal.example/r${index}`],
    groupId: index % 3 === 0 ? "Other" : "Test",
  }));

async function worldWith(
  ids: number,
  group: Parameters<UpdateWorld["deliver"]>[1] = {},
): Promise<UpdateWorld> {
  const world = new UpdateWorld();
  await world.deliver(articles(ids), group);
  return world;
}

describe("a reconversion", () => {
  it("of records with each outcome → each listed with its reason, nothing delivered", async () => {
    const world = await worldWith(6);
    world.now.set("r1", (delivered) => titled("r1", "Corrected", delivered));
    world.now.set("r2", (delivered) => titled("r2", "", delivered));
    world.now.set("r3", () => ({ type: "unconvertible", reason: "no-title: x" }));
    world.now.set("r4", () => ({ type: "gone", reason: "its stored page has been deleted" }));
    world.now.set("r5", () => {
      throw new Error("a bug");
    });
    const files = world.memory.files.size;
    const { reconversionId } = await world.request();
    await world.run();
    expect(await world.outcomes(reconversionId)).toEqual({
      r0: "same",
      r1: "changed",
      r2: expect.stringContaining("refused: "),
      r3: "unconvertible: no-title: x",
      r4: "gone: its stored page has been deleted",
      r5: "unconvertible: its conversion fails: a bug",
    });
    expect(await world.memory.reconversions.get(reconversionId)).toMatchObject({
      state: "tried",
      counts: { same: 1, changed: 1, refused: 1, unconvertible: 2, gone: 1 },
    });
    expect(world.memory.files.size).toBe(files);
  });

  it.each([
    [3, "changed"],
    [9, "unconvertible: its names or its DOI could not be looked up in time"],
  ])("whose lookups are answered at the %i. try → %s", async (answeredAt, expected) => {
    const world = await worldWith(2);
    let tries = 0;
    world.now.set("r1", (delivered) =>
      ++tries < answeredAt ? { type: "waiting" } : titled("r1", "Corrected", delivered),
    );
    const { reconversionId } = await world.request();
    await world.run();
    expect(await world.outcomes(reconversionId)).toEqual({ r0: "same", r1: expected });
  });

  it("of many records, one of which has changed → the part that has it is the first page of those", async () => {
    const world = await worldWith(8);
    const [, , , , , , last] = articles(8);
    world.now.set(last?.id ?? "", (delivered) => titled(last?.id ?? "", "Corrected", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    const page = await outcomesFrom(reconversionId, { limit: 9, outcome: "changed" }, world.memory.runs);
    expect(page.records.filter(({ outcome }) => outcome === "changed")).toHaveLength(1);
  });

  it("its records, in pages of any size → each once, in order", async () => {
    const world = await worldWith(8);
    const { reconversionId } = await world.request();
    await world.run();
    for (const limit of [1, 2, 3, 100]) {
      const found: string[] = [];
      let after: number | undefined = 0;
      while (after !== undefined) {
        const page = await outcomesFrom(reconversionId, { after, limit }, world.memory.runs);
        found.push(...page.records.map(({ recordId }) => recordId));
        after = page.next;
      }
      expect(found.sort()).toEqual(articles(8).map(({ id }) => id));
    }
    expect(await outcomesFrom(reconversionId, { limit: 9, outcome: "gone" }, world.memory.runs)).toEqual({
      records: [],
    });
  });

  it("of the records that an earlier one could not convert → only those", async () => {
    const world = await worldWith(4);
    world.now.set("r2", () => ({ type: "unconvertible", reason: "x" }));
    const first = await world.request();
    await world.run();
    const second = await world.request({
      type: "outcome",
      sourceId: "source",
      reconversionId: first.reconversionId,
      outcome: "unconvertible",
    });
    world.now.set("r2", (delivered) => titled("r2", "Corrected", delivered));
    await world.run();
    expect(await world.outcomes(second.reconversionId)).toEqual({ r2: "changed" });
  });

  it("of some days → only what was delivered on them", async () => {
    const world = await worldWith(1);
    world.memory.now = new Date("2026-11-22T19:00:00Z");
    await world.deliver([{ id: "later", urls: ["https://journal.example/later"] }], {}, "later");
    for (const [days, expected] of [
      [{ to: "2026-11-20" }, ["r0"]],
      [{ from: "2026-11-21", to: "2026-11-22" }, ["later"]],
      [{ from: "2026-11-23" }, []],
    ] as const) {
      const { reconversionId } = await world.request({ ...ofSource, ...days });
      await world.run();
      expect(Object.keys(await world.outcomes(reconversionId))).toEqual(expected);
    }
  });
});

describe("accepted updates", () => {
  it("→ a file of their own, the same number, status c, the new content in the archive, history and events", async () => {
    const world = await worldWith(2);
    const number = (await world.delivered("r1")).control.find(([tag]) => tag === "001")?.[1];
    world.now.set("r1", (delivered) => titled("r1", "Corrected", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    expect(await world.accept(reconversionId)).toBe(true);
    expect(await world.accept(reconversionId)).toBe(true);
    await world.run();
    expect(await world.accept(reconversionId)).toBe(false);
    expect([...world.memory.files.keys()]).toContain("test/Test_zotero_261120_001_updates.xml");
    expect(world.updates.map(described)).toEqual([{ title: "Corrected", number, status: "c" }]);
    expect(await world.memory.archive.entry("record:r1")).toMatchObject({
      state: "automatic",
      title: "Corrected",
      hash: "r1 Corrected",
      file: "Test_zotero_261120_001_updates.xml",
    });
    const known = await world.memory.archive.knownReasons(["hash:r1 Corrected", "hash:r1"]);
    expect([...known.values()]).toEqual(["delivered", "delivered"]);
    expect(await world.memory.records.versions("r1")).toHaveLength(2);
    expect(world.memory.recordsById.get("r1")).toMatchObject({ title: "Corrected", state: "delivered" });
    expect(world.memory.published.filter(({ type }) => type === "record.updated")).toMatchObject([
      { detail: { recordId: "r1", reconversionId } },
    ]);
    expect(await world.memory.reconversions.get(reconversionId)).toMatchObject({
      state: "delivered",
      counts: { same: 1, delivered: 1 },
      files: ["Test_zotero_261120_001_updates.xml"],
    });
    const again = await world.request();
    await world.run();
    expect(await world.outcomes(again.reconversionId)).toEqual({ r0: "same", r1: "same" });
  });

  it("reversed → a further update with the former content", async () => {
    const world = await worldWith(2);
    const former = await world.delivered("r1");
    world.now.set("r1", (delivered) => titled("r1", "Wrong", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    await world.accept(reconversionId);
    await world.run();
    const reversal = await world.request({ type: "reversal", sourceId: "source", reconversionId });
    await world.run();
    await world.accept(reversal.reconversionId);
    await world.run();
    expect(world.updates.map((xml) => described(xml).title)).toEqual(["Wrong", "On r1"]);
    const { leader, ...fields } = await world.delivered("r1");
    expect(fields).toEqual({ control: former.control, fields: former.fields });
    expect(leader.charAt(5)).toBe("c");
    expect(await world.memory.archive.entry("record:r1")).toMatchObject({ title: "On r1", hash: "r1" });
    // The article that really has what the mistake claimed can be delivered.
    const known = await world.memory.archive.knownReasons(["hash:r1 Wrong", "hash:r1"]);
    expect([...known]).toEqual([["hash:r1", "delivered"]]);
  });

  it("accepted by a process that was killed before it sent the message → delivered when they are resumed", async () => {
    const world = await worldWith(2);
    world.now.set("r1", (delivered) => titled("r1", "Corrected", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    await world.accept(reconversionId);
    world.queue.length = 0;
    expect(await world.accept(reconversionId)).toBe(true);
    await world.run();
    expect(world.updates).toHaveLength(1);
  });

  it("cancelled after they were reserved → the new keys are free", async () => {
    const world = await worldWith(2);
    world.now.set("r1", (delivered) => titled("r1", "Wrong", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    await world.accept(reconversionId);
    world.meanwhile = () => world.cancel(reconversionId);
    await world.run();
    expect(world.updates).toEqual([]);
    const known = await world.memory.archive.knownReasons(["hash:r1 Wrong", "hash:r1"]);
    expect([...known]).toEqual([["hash:r1", "delivered"]]);
  });

  it("of the records that an earlier one has delivered → those", async () => {
    const world = await worldWith(3);
    world.now.set("r1", (delivered) => titled("r1", "Corrected", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    await world.accept(reconversionId);
    await world.run();
    const again = await world.request({
      type: "outcome",
      sourceId: "source",
      reconversionId,
      outcome: "delivered",
    });
    await world.run();
    expect(await world.outcomes(again.reconversionId)).toEqual({ r1: "same" });
  });

  it.each<[string, (world: UpdateWorld) => Promise<unknown>, string]>([
    [
      "delivered again by another reconversion",
      async (world) => {
        const other = await world.request();
        await world.run();
        await world.accept(other.reconversionId);
        await world.run();
      },
      "stale: it has been delivered again since",
    ],
    [
      "reset by an operator",
      (world) => world.memory.archive.setState("record:r1", "run/r1", "reset"),
      "stale: it is no longer delivered: its state is reset",
    ],
    [
      "excluded by an operator",
      (world) => world.memory.archive.setState("record:r1", "run/r1", "ignore"),
      "stale: it is no longer delivered: its state is ignore",
    ],
    [
      "whose new key belongs to another record",
      (world) =>
        world.memory.archive.claim(
          "hash:r1 Corrected",
          { owner: "run/r0", entryKey: "record:r0", state: "claimed" },
          world.memory.now,
        ),
      "stale: another record has the key hash:r1 Corrected: r0",
    ],
  ])("of a record that was meanwhile %s → stale, and not overwritten", async (_what, meanwhile, expected) => {
    const world = await worldWith(2);
    world.now.set("r1", (delivered) => titled("r1", "Corrected", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    await meanwhile(world);
    const before = world.updates.length;
    await world.accept(reconversionId);
    await world.run();
    expect(await world.outcomes(reconversionId)).toMatchObject({ r1: expected });
    expect(world.updates).toHaveLength(before);
    expect(await world.memory.reconversions.get(reconversionId)).toMatchObject({
      state: "delivered",
      counts: { stale: 1 },
    });
  });

  it("cancelled before they are sent → no file, and another reconversion may deliver them", async () => {
    const world = await worldWith(2);
    world.now.set("r1", (delivered) => titled("r1", "Corrected", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    await world.accept(reconversionId);
    expect(await world.cancel(reconversionId)).toBe(true);
    await world.run();
    expect(world.updates).toEqual([]);
    const other = await world.request();
    await world.run();
    await world.accept(other.reconversionId);
    await world.run();
    expect(world.updates).toHaveLength(1);
    expect(await world.cancel(other.reconversionId)).toBe(false);
  });

  it("whose receiver is down → delivered when it is resumed", async () => {
    const world = await worldWith(2, { group: { destination: sftpDestination } });
    world.now.set("r1", (delivered) => titled("r1", "Corrected", delivered));
    const { reconversionId } = await world.request();
    await world.run();
    await world.accept(reconversionId);
    world.memory.deadReceivers.set("Test", "no route to host");
    let reads = 0;
    const random = () => {
      reads += 1;
      if (reads > 20) world.memory.deadReceivers.clear();
      return 0.99;
    };
    await world.run(random);
    expect(world.memory.received.filter(([path]) => path.includes("_updates"))).toHaveLength(1);
  });
});

describe("any records, some changed, readers killed at any write, messages in any order and twice", () => {
  it("→ each update exactly once, with its number, whatever happens meanwhile", async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = seededRandom(seed);
      const isSftp = random() < 0.5;
      const count = 1 + Math.floor(random() * 14);
      const world = await worldWith(count, isSftp ? { group: { destination: sftpDestination } } : {});
      const numbers = new Map<string, string>();
      const titles = new Map<string, string>();
      for (const { id } of articles(count)) {
        const number = (await world.delivered(id)).control.find(([tag]) => tag === "001")?.[1] ?? "";
        numbers.set(id, number);
        if (random() < 0.6) titles.set(id, `Title ${id}`);
      }
      for (const [id, title] of titles) world.now.set(id, (delivered) => titled(id, title, delivered));
      const requested = [await world.request()];
      if (random() < 0.5) requested.push(await world.request());
      await world.run(random);
      const withdrawn = new Set<string>();
      for (const id of titles.keys()) {
        if (random() > 0.15) continue;
        withdrawn.add(id);
        await world.memory.archive.setState(`record:${id}`, `run/${id}`, "ignore");
      }
      for (const { reconversionId } of requested) await world.accept(reconversionId);
      const cancelled = new Set<string>();
      world.meanwhile = async () => {
        for (const { reconversionId } of requested)
          if (random() < 0.05 && (await world.cancel(reconversionId))) cancelled.add(reconversionId);
      };
      await world.run(random);
      const when = `seed ${seed}`;
      const found = world.updates.map(described);
      const expected = [...titles]
        .filter(([id]) => !withdrawn.has(id))
        .map(([id, title]) => ({ title, number: numbers.get(id), status: "c" }));
      const byTitle = (a: { title: string }, b: { title: string }) => (a.title < b.title ? -1 : 1);
      if (cancelled.size === 0) expect(found.sort(byTitle), when).toEqual(expected.sort(byTitle));
      else {
        expect(new Set(found.map(({ title }) => title)).size, when).toBe(found.length);
        for (const one of found) expect(expected, when).toContainEqual(one);
        if (cancelled.size === requested.length) expect(found, when).toEqual([]);
      }
      if (isSftp) {
        const files = [...world.memory.files.keys()].filter((key) => key.endsWith("_updates.xml"));
        const received = world.memory.received.filter(([path]) => path.endsWith("_updates.xml"));
        expect(received, when).toHaveLength(files.length);
      }
      for (const { title } of found) {
        const id = title.replace("Title ", "");
        expect(await world.memory.archive.entry(`record:${id}`), when).toMatchObject({ title });
        expect(world.memory.archived.get(`record:${id}`)?.pendingUpdate, when).toBeUndefined();
      }
      for (const { reconversionId } of requested) {
        const { state } = (await world.memory.reconversions.get(reconversionId)) ?? {};
        const hasChanges = titles.size > 0;
        const expectedState = cancelled.has(reconversionId)
          ? "cancelled"
          : hasChanges
            ? "delivered"
            : "tried";
        expect(state, when).toBe(expectedState);
      }
    }
  });
});
