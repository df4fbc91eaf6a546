import { beforeEach, describe, expect, it } from "vitest";
import { changeArchiveState, findArchived } from "../../../../shared/deliver/claims/archive-operations.ts";
import type { OperatorState } from "../../../../shared/records/archive/archive-entry.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, deliveredTitles, harvested, runStage } from "../run-world.ts";

const article: Article = { id: "a", urls: ["https://journal.example/a"], doi: "10.5555/a" };
const early: Article = { ...article, isOnlineFirst: true };
const refused: Article = { ...article, title: "" };

let ports: MemoryPorts;
beforeEach(() => {
  ports = new MemoryPorts();
});

function pass(days: number): void {
  ports.now = new Date(ports.now.getTime() + days * 86_400_000);
}

async function delivery(runId: string, ...articles: Article[]): Promise<void> {
  harvested(ports, runId, articles);
  await deliver(runId, ports);
}

const set = (state: OperatorState, recordId = "a") =>
  changeArchiveState({ recordId, mode: "LIVE", state }, ports);
const blocked = async () => (await ports.archive.knownReasons(["doi:10.5555/a"])).size > 0;

describe("the archive", () => {
  it("a delivered record → an entry with all its metadata, found by any of its keys", async () => {
    await delivery("run", article);
    const entry = await findArchived({ url: "http://JOURNAL.example/A/" }, "LIVE", ports.archive);
    expect(entry).toMatchObject({
      state: "automatic",
      recordId: "a",
      sourceId: "source",
      title: "On a",
      hash: "a",
      urls: ["https://journal.example/a"],
      recordKey: "a/run",
      at: "2026-11-20T19:00:00.000Z",
      file: "Test_zotero_261120_001.xml",
    });
    for (const by of [{ recordId: "a" }, { doi: "https://doi.org/10.5555/A" }]) {
      expect(await findArchived(by, "LIVE", ports.archive)).toEqual(entry);
    }
    expect(await findArchived({ recordId: "a" }, "TEST", ports.archive)).toBeUndefined();
  });

  it("a record that a stopped run has claimed → claimed by all its keys, and delivered when the run has finished", async () => {
    harvested(ports, "run", [article]);
    await runStage("validate", { runId: "run" }, ports);
    await runStage("upload", { runId: "run" }, ports);
    const keys = ["doi:10.5555/a", "url:journal.example/a", "hash:a", "record:a"];
    const reasons = async () => [...(await ports.archive.knownReasons(keys)).values()];
    expect(await reasons()).toEqual(keys.map(() => "claimed"));
    await deliver("run", ports);
    expect(await reasons()).toEqual(keys.map(() => "delivered"));
  });

  it.each([
    ["LIVE", "2026-11-20T19:00:00.000Z"],
    ["TEST", undefined],
  ] as const)("a %s delivery → the source's last delivery is %s", async (mode, last) => {
    harvested(ports, "run", [article], { mode });
    await deliver("run", ports);
    expect(ports.statuses.get("source")?.lastDeliveredAt).toBe(last);
  });

  it("refused by validation → an error with its reasons, which blocks nothing and is replaced", async () => {
    await delivery("first", refused);
    const entry = await findArchived({ recordId: "a" }, "LIVE", ports.archive);
    expect(entry).toMatchObject({ state: "error", error: expect.stringContaining("245") });
    expect(await blocked()).toBe(false);
    await delivery("second", article);
    expect(deliveredTitles(ports)).toEqual(["On a"]);
    const { state, error } = (await findArchived({ recordId: "a" }, "LIVE", ports.archive)) ?? {};
    expect([state, error]).toEqual(["automatic", undefined]);
  });

  it("delivered, reset, then refused → an error that keeps the file of its delivery", async () => {
    await delivery("first", article);
    await set("reset");
    await delivery("second", refused);
    expect(await findArchived({ recordId: "a" }, "LIVE", ports.archive)).toMatchObject({
      state: "error",
      error: expect.stringContaining("245"),
      file: "Test_zotero_261120_001.xml",
      recordKey: "a/second",
    });
  });

  it("delivered to the test system, then live → the record is that of the live run", async () => {
    const known = {
      recordId: "a",
      sourceId: "source",
      groupId: "Test",
      collectionId: "source",
      title: "On a",
    };
    const save = (runId: string, deliveryMode: "TEST" | "LIVE") =>
      ports.records.save({
        ...known,
        runId,
        deliveryMode,
        landingUrl: "https://journal.example/a",
        syndicatedAt: ports.now.toISOString(),
        hash: "a",
        recordKey: `a/${runId}`,
        state: "harvested",
        updatedAt: ports.now.toISOString(),
      });
    for (const [runId, mode] of [
      ["test", "TEST"],
      ["live", "LIVE"],
      ["again", "TEST"],
    ] as const) {
      harvested(ports, runId, [article], { mode });
      await save(runId, mode);
      await deliver(runId, ports);
      pass(1);
    }
    expect(ports.recordsById.get("a")).toMatchObject({
      recordKey: "a/live",
      state: "delivered",
      deliveryFile: "Test_zotero_261121_001.xml",
    });
  });

  it("a title longer than an item may be → the entry has its beginning", async () => {
    await delivery("run", { ...article, title: "x".repeat(500_000) });
    const entry = await findArchived({ recordId: "a" }, "LIVE", ports.archive);
    expect(JSON.stringify(entry).length).toBeLessThan(10_000);
  });

  it.each([
    ["a window of 10 days", 10, 5],
    ["a window of 60 days", 60, 14],
    ["no window", 0, 14],
  ])(
    "online-first with %s → blocked for %i → then delivered in its final form",
    async (_title, window, days) => {
      const value = {
        sourceId: "source",
        title: "S",
        type: "RSS",
        url: "https://s.example/",
        groupId: "Test",
      };
      ports.sourcesById.set(
        "source",
        source.parse({ ...value, deliveryMode: "LIVE", updateWindowDays: window }),
      );
      await delivery("first", early);
      expect(await findArchived({ recordId: "a" }, "LIVE", ports.archive)).toMatchObject({
        state: "online_first",
      });
      pass(days - 0.01);
      expect(await blocked()).toBe(true);
      await delivery("second", article);
      expect(deliveredTitles(ports)).toEqual([]);
      pass(0.02);
      expect(await blocked()).toBe(false);
      await delivery("third", article);
      expect(deliveredTitles(ports)).toEqual(["On a"]);
      pass(1000);
      expect(await blocked()).toBe(true);
    },
  );

  it("still online-first when it is harvested again → blocked for as long again", async () => {
    await delivery("first", early);
    pass(15);
    await delivery("second", early);
    pass(13);
    expect(await blocked()).toBe(true);
  });

  it.each([
    ["without a DOI at first", undefined],
    ["with a DOI from the first", "10.5555/a"],
  ])(
    "online-first %s, expired between the start of a run and its reading → delivered by that run",
    async (_title, doi) => {
      const { doi: _none, ...bare } = early;
      await delivery("first", { ...bare, ...(doi !== undefined && { doi }) });
      pass(14 - 1 / 24);
      harvested(ports, "second", [article]);
      pass(1 / 12);
      expect((await ports.archive.knownReasons(["url:journal.example/a"])).size).toBe(0);
      await deliver("second", ports);
      expect(deliveredTitles(ports)).toEqual(["On a"]);
    },
  );

  it("the same article as one of another source → its keys are free again; the other's reset lets it in", async () => {
    await delivery("first", { id: "b", urls: ["https://journal.example/a"] }, article);
    expect(deliveredTitles(ports)).toEqual(["On b"]);
    expect([...ports.archived.values()].map(({ keys }) => keys?.length)).toEqual([undefined, 3, undefined]);
    await set("reset", "b");
    await delivery("second", article);
    expect(deliveredTitles(ports)).toEqual(["On a", "On b"]);
    expect(await findArchived({ doi: "10.5555/a" }, "LIVE", ports.archive)).toMatchObject({ recordId: "a" });
  });

  it("reset → delivered again, once, however it has changed", async () => {
    await delivery("first", article);
    expect(await set("reset")).toMatchObject({ state: "reset" });
    expect(await blocked()).toBe(false);
    await delivery("second", { ...article, title: "On a, corrected", urls: ["https://journal.example/new"] });
    await delivery("third", article);
    expect(deliveredTitles(ports)).toEqual(["On a", "On a, corrected"]);
    expect(await findArchived({ url: "https://journal.example/new" }, "LIVE", ports.archive)).toMatchObject({
      state: "automatic",
      title: "On a, corrected",
    });
  });

  it("reset, and the stage that delivered it is repeated → it stays reset", async () => {
    await delivery("first", article);
    await set("reset");
    ports.results.delete("first archive");
    await runStage("archive", { runId: "first" }, ports);
    expect(await blocked()).toBe(false);
  });

  it.each([
    ["delivered", article],
    ["refused", refused],
    ["online-first", early],
  ])("%s, then ignored, or delivered by hand → never harvested or delivered again", async (_what, given) => {
    for (const state of ["ignore", "manual"] as const) {
      ports = new MemoryPorts();
      await delivery("first", given);
      const before = deliveredTitles(ports);
      await set(state);
      pass(1000);
      expect(await blocked()).toBe(true);
      await delivery("second", article);
      expect(deliveredTitles(ports)).toEqual(before);
    }
  });

  it("unknown, or about to be delivered → no operator changes it", async () => {
    harvested(ports, "run", [article]);
    await runStage("validate", { runId: "run" }, ports);
    expect(await set("reset")).toBeUndefined();
    await runStage("upload", { runId: "run" }, ports);
    expect(await blocked()).toBe(true);
    expect(await set("reset")).toBe("claimed");
    expect(await blocked()).toBe(true);
  });

  it("a change of state killed at any write, and repeated → the same as without the kill", async () => {
    for (let writes = 0; ; writes += 1) {
      ports = new MemoryPorts();
      await delivery("first", article);
      ports.dieAfter(writes, { before: true });
      const wasKilled = await set("reset").then(
        () => false,
        () => true,
      );
      ports.live();
      await set("reset");
      await delivery("second", article);
      expect(deliveredTitles(ports), `killed at write ${writes}`).toEqual(["On a", "On a"]);
      if (!wasKilled) break;
    }
  });
});
