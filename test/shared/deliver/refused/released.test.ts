import { beforeEach, describe, expect, it } from "vitest";
import { changeArchiveState } from "../../../../shared/deliver/claims/archive-operations.ts";
import { releaseRecord, revalidate } from "../../../../shared/deliver/refused/revalidate.ts";
import { validationRules } from "../../../../shared/deliver/validation/rule.ts";
import { compileRules } from "../../../../shared/deliver/validation/rule-set.ts";
import type { SourceOutcome } from "../../../../shared/records/runs/run.ts";
import { stages } from "../../../../shared/records/runs/stages.ts";
import { sourceOutcome } from "../../records/runs/source-outcome.ts";
import { deliver, runStage } from "../run-world.ts";
import {
  begin,
  broken,
  corrected,
  delivered,
  harvest,
  listed,
  ports,
  refused,
  rule,
  stateOf,
  strict,
} from "./refused-world.ts";

const listing: SourceOutcome = sourceOutcome({ sourceId: "source", entries: 1, requested: 1 });

beforeEach(begin);

describe("a released record", () => {
  it("harvested again → counted as converted, and not as released from an earlier run, too", async () => {
    await releaseRecord(await refused(), "operator", ports);
    const runId = harvest([broken]);
    ports.listings.set(`${runId} source`, listing);
    await deliver(runId, ports);
    expect(ports.mails.at(-1)?.text).toContain("S: 1 listed, 1 converted, 1 delivered");
  });

  it("the next run of the other mode → still waits", async () => {
    await releaseRecord(await refused(), "operator", ports);
    await deliver(harvest([], "TEST"), ports);
    expect(delivered()).toEqual([]);
    expect(await listed()).toHaveLength(1);
  });

  it.each([
    { condition: "still broken", article: { id: "a", title: "other" }, titles: ["lower case"] },
    { condition: "online-first now", article: { ...broken, isOnlineFirst: true }, titles: ["lower case"] },
    { condition: "valid now", article: { id: "a", title: "Capital" }, titles: ["Capital"] },
  ])("harvested again, $condition → $titles, once", async ({ article, titles }) => {
    await releaseRecord(await refused(), "operator", ports);
    await deliver(harvest([article]), ports);
    expect(delivered()).toEqual(titles);
    expect(await listed()).toEqual([]);
    await deliver(harvest([{ id: "a", title: "Valid by now" }]), ports);
    expect(delivered()).toEqual(titles);
  });

  it.each([
    { condition: "online-first", article: { ...broken, isOnlineFirst: true }, titles: ["lower case"] },
    { condition: "valid", article: { id: "a", title: "Capital" }, titles: ["Capital"] },
  ])("released while a run takes it up as $condition → delivered, once", async ({ article, titles }) => {
    const record = await refused();
    const next = harvest([article]);
    const { finishStage } = ports.runs;
    ports.runs.finishStage = async (runId, stage, result) => {
      if (stage === "validate") await releaseRecord(record, "operator", ports);
      return finishStage(runId, stage, result);
    };
    await deliver(next, ports);
    ports.runs.finishStage = finishStage;
    await deliver(harvest([]), ports);
    await deliver(harvest([]), ports);
    expect(delivered()).toEqual(titles);
    expect(await listed()).toEqual([]);
  });

  it("two runs at once → in one of them", async () => {
    await releaseRecord(await refused(), "operator", ports);
    const both = [harvest([]), harvest([])];
    for (const stage of stages) await Promise.all(both.map((runId) => runStage(stage, { runId }, ports)));
    expect(delivered()).toEqual(["lower case"]);
  });

  it("the stage that refused it is repeated → stays released", async () => {
    const runId = harvest([broken]);
    await runStage("validate", { runId }, ports);
    for (const record of await listed()) await releaseRecord(record, "operator", ports);
    await runStage("validate", { runId }, ports);
    expect((await listed())[0]?.released?.by).toBe("operator");
  });

  it("released twice → the first time counts; harvested again meanwhile → no longer possible", async () => {
    const record = await refused();
    expect(await releaseRecord(record, "operator", ports)).toBe("released");
    expect(await releaseRecord(record, "rules", ports)).toBe("released");
    const released = ports.published.filter(({ type }) => type === "record.released");
    expect(new Set(released.map(({ changeId }) => changeId)).size).toBe(1);
    expect((await listed())[0]?.released?.by).toBe("operator");
    await deliver(harvest([]), ports);
    expect(await releaseRecord(record, "operator", ports)).toBe("gone");
  });

  it.each([
    ["ignore", "ignored"],
    ["manual", "elsewhere"],
  ] as const)(
    "`%s` by the archive → %s: neither released by hand nor by corrected rules, and still listed",
    async (state, told) => {
      const record = await refused();
      const { recordId } = record.document;
      await changeArchiveState({ recordId, mode: "LIVE", state }, ports);
      expect(await releaseRecord(record, "operator", ports)).toBe(told);
      expect(await revalidate([record], compileRules(corrected), ports)).toEqual([told]);
      const released = { at: "2026-11-20T19:00:00.000Z", by: "operator" as const };
      expect(await revalidate([{ ...record, released }], compileRules(strict), ports)).toEqual([told]);
      expect(await listed()).toMatchObject([{ document: { recordId } }]);
      expect((await listed())[0]).not.toHaveProperty("released");
      await changeArchiveState({ recordId, mode: "LIVE", state: "reset" }, ports);
      expect(await releaseRecord(record, "operator", ports)).toBe("released");
      await deliver(harvest([]), ports);
      expect(delivered()).toEqual(["lower case"]);
    },
  );

  it.each([
    ["claimed", "claimed", undefined],
    ["automatic", "delivered", undefined],
    ["online_first", "released", 1_900_000_000],
    ["error", "released", undefined],
  ] as const)("its address is another record's, which is %s → %s", async (state, told, expiresAt) => {
    const record = await refused();
    const [key] = record.document.archiveKeys;
    if (key === undefined) throw new Error("it has no key");
    const claim = { owner: "other", entryKey: "record:other", state };
    ports.archived.set(key, { ...claim, ...(expiresAt !== undefined && { expiresAt }) });
    expect(await releaseRecord(record, "operator", ports)).toBe(told);
    await deliver(harvest([]), ports);
    expect(delivered()).toEqual(told === "released" ? ["lower case"] : []);
    expect(await listed()).toHaveLength(told === "released" ? 0 : 1);
  });

  it.each([
    ["still broken", strict],
    ["online-first by now", validationRules.parse([rule("245", "a")])],
  ])(
    "released by another request while it is held against the rules, %s → released",
    async (_when, rules) => {
      const record = await refused();
      const { loadMarc } = ports.records;
      ports.records.loadMarc = async (key) => {
        await releaseRecord(record, "operator", ports);
        const [tag, indicators] = ["936", "uw"];
        const read = await loadMarc(key);
        return rules === strict
          ? read
          : { ...read, fields: [...read.fields, [tag, indicators, [["d", "n/a"]]]] };
      };
      expect(await revalidate([record], compileRules(rules), ports)).toEqual(["released"]);
      expect(stateOf("a")).toBe("released");
    },
  );

  it("a run killed at any write, before or after it is done → delivered once", async () => {
    let kills = 0;
    for (const before of [true, false]) {
      for (let writes = 0; ; writes += 1) {
        begin();
        await releaseRecord(await refused(), "operator", ports);
        const next = harvest([
          { id: "b", title: "Beside it" },
          { id: "c", title: "broken too" },
        ]);
        const startedAt = ports.now;
        ports.dieAfter(writes, { before });
        await deliver(next, ports);
        const died = ports.now !== startedAt;
        ports.live();
        await deliver(harvest([{ id: "a", title: "Valid by now" }]), ports);
        expect(delivered(), `killed at write ${writes}`).toEqual(["Beside it", "lower case"]);
        expect((await listed()).map(({ document }) => document.recordId)).toEqual(["c"]);
        if (!died) break;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(30);
  });
});
