import { beforeEach, describe, expect, it } from "vitest";
import { changeArchiveState } from "../../../../shared/delivery/archive/operator-archive.ts";
import type { DelinquentRecord } from "../../../../shared/delivery/delinquent/delinquent-record.ts";
import { release, revalidate } from "../../../../shared/delivery/delinquent/revalidate.ts";
import { stages } from "../../../../shared/delivery/pipeline/stages.ts";
import type { ConvertedDocument, RunMode, SourceOutcome } from "../../../../shared/harvest/run.ts";
import { ruleKey, validationRules } from "../../../../shared/validation/rule.ts";
import { compileRules } from "../../../../shared/validation/rule-set.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, deliveredTitles, harvested, runStage } from "../run-world.ts";

const rule = (tag: string, subfield: string | null, regex: string | null = null) => ({
  tag,
  subfield,
  presence: "sometimes" as const,
  regex,
});
/** Titles begin with a capital letter. */
const strict = validationRules.parse([rule("245", "a", "^[A-Z]"), rule("936", "d")]);
const corrected = validationRules.parse([rule("245", "a"), rule("936", "d")]);

const listing: SourceOutcome = {
  sourceId: "source",
  title: "S",
  state: "read",
  entries: 1,
  known: {},
  requested: 1,
  dropped: [],
};

let ports: MemoryPorts;
beforeEach(() => begin());

function begin(): void {
  ports = new MemoryPorts();
  for (const each of strict) ports.validationRules.set(ruleKey(each), each);
}

/** A run that has harvested these articles; each starts a day after the last. */
function harvest(articles: Omit<Article, "urls">[], mode: RunMode = "LIVE"): string {
  ports.now = new Date(ports.now.getTime() + 86_400_000);
  const runId = `run-${ports.runsById.size + 1}`;
  harvested(
    ports,
    runId,
    articles.map((article) => ({ ...article, urls: [`https://a.example/${article.id}`] })),
    {
      mode,
    },
  );
  for (const { id } of articles) {
    const known = ports.documents(runId).find(({ requestId }) => requestId === id) as ConvertedDocument;
    const updatedAt = ports.now.toISOString();
    ports.recordsById.set(id, {
      ...known,
      runId,
      deliveryMode: mode,
      title: id,
      landingUrl: known.url,
      collectionId: "source",
      syndicatedAt: updatedAt,
      state: "harvested",
      updatedAt,
    });
  }
  return runId;
}

async function listed(): Promise<DelinquentRecord[]> {
  return [...ports.delinquentByKey.values()];
}

/** A record that a run has refused. */
async function refused(): Promise<DelinquentRecord> {
  await deliver(harvest([broken]), ports);
  const [record] = await listed();
  if (record === undefined) throw new Error("nothing was refused");
  return record;
}

const broken = { id: "a", title: "lower case" };
const delivered = () => deliveredTitles(ports);
const stateOf = (recordId: string) => ports.recordsById.get(recordId)?.state;

describe("a record that breaks a rule", () => {
  it("→ kept with its findings, not delivered", async () => {
    expect(await refused()).toMatchObject({
      document: { recordId: "a", recordKey: "a/run-1" },
      findings: [{ tag: "245", subfield: "a", level: "all regular" }],
      findingCount: 1,
      refusedAt: "2026-11-21T19:00:00.000Z",
    });
    expect(delivered()).toEqual([]);
    expect(stateOf("a")).toBe("delinquent");
  });

  it("harvested again, still broken → listed once, as it is now", async () => {
    await refused();
    await deliver(harvest([{ id: "a", title: "other title" }]), ports);
    expect((await listed()).map(({ document }) => document.recordKey)).toEqual(["a/run-2"]);
  });

  it.each([
    { condition: "valid now", article: { id: "a", title: "Capital" }, titles: ["Capital"] },
    { condition: "online-first now", article: { ...broken, isOnlineFirst: true }, titles: [] },
  ])("harvested again, $condition → no longer listed", async ({ article, titles }) => {
    await refused();
    await deliver(harvest([article]), ports);
    expect(await listed()).toEqual([]);
    expect(delivered()).toEqual(titles);
  });

  it("an older run that comes late → changes nothing in what a later one has listed", async () => {
    const older = harvest([{ id: "a", title: "older" }]);
    const later = harvest([{ id: "a", title: "later" }]);
    await deliver(later, ports);
    await deliver(older, ports);
    expect((await listed()).map(({ document }) => document.recordKey)).toEqual(["a/run-2"]);
  });

  it("a rule of another source → no finding", async () => {
    ports.validationRules.clear();
    const [another] = validationRules.parse([{ ...rule("245", "a", "^[A-Z]"), source: "another" }]);
    if (another !== undefined) await ports.rules.put(another);
    await deliver(harvest([broken]), ports);
    expect(delivered()).toEqual(["lower case"]);
  });
});

describe("a record held against the rules again", () => {
  it("rules corrected → released, and in the next delivery", async () => {
    const record = await refused();
    expect(await revalidate([record], compileRules(corrected), ports)).toEqual(["valid"]);
    expect(stateOf("a")).toBe("released");
    await deliver(harvest([]), ports);
    expect(delivered()).toEqual(["lower case"]);
    expect(stateOf("a")).toBe("delivered");
    expect(await listed()).toEqual([]);
    expect(ports.mails.at(-1)?.text).toContain("source: 1 released from an earlier run, 1 delivered");
  });

  it("rules changed otherwise → new findings", async () => {
    const record = await refused();
    const stricter = validationRules.parse([rule("245", "a", "^X"), rule("936", "d")]);
    expect(await revalidate([record], compileRules(stricter), ports)).toEqual(["delinquent"]);
    expect((await listed())[0]?.findings[0]?.reason).toContain('"^X"');
  });

  it.each([
    ["broken by them → not listed again", strict],
    ["fit for them → not released", corrected],
  ])("delivered by a run meanwhile, %s", async (_what, rules) => {
    const record = await refused();
    await deliver(harvest([{ id: "a", title: "Capital" }]), ports);
    expect(await revalidate([record], compileRules(rules), ports)).toEqual(["gone"]);
    expect(await listed()).toEqual([]);
    expect(stateOf("a")).toBe("delivered");
  });

  it("refused anew by a run meanwhile → listed as that run has found it", async () => {
    const record = await refused();
    await deliver(harvest([{ id: "a", title: "other title" }]), ports);
    expect(await revalidate([record], compileRules(strict), ports)).toEqual(["gone"]);
    expect((await listed()).map(({ document }) => document.recordKey)).toEqual(["a/run-2"]);
  });

  it("released by hand → goes out, whatever the rules say", async () => {
    await release(await refused(), "operator", ports);
    expect(await revalidate(await listed(), compileRules(strict), ports)).toEqual(["released"]);
    expect(stateOf("a")).toBe("released");
  });
});

describe("a released record", () => {
  it("harvested again → told as converted, and not as released from an earlier run besides", async () => {
    await release(await refused(), "operator", ports);
    const runId = harvest([broken]);
    ports.listings.set(`${runId} source`, listing);
    await deliver(runId, ports);
    expect(ports.mails.at(-1)?.text).toContain("S: 1 listed, 1 converted, 1 delivered");
  });

  it("the next run of the other mode → waits on", async () => {
    await release(await refused(), "operator", ports);
    await deliver(harvest([], "TEST"), ports);
    expect(delivered()).toEqual([]);
    expect(await listed()).toHaveLength(1);
  });

  it.each([
    { condition: "still broken", article: { id: "a", title: "other" }, titles: ["lower case"] },
    { condition: "online-first now", article: { ...broken, isOnlineFirst: true }, titles: ["lower case"] },
    { condition: "valid now", article: { id: "a", title: "Capital" }, titles: ["Capital"] },
  ])("harvested again, $condition → $titles, once", async ({ article, titles }) => {
    await release(await refused(), "operator", ports);
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
      if (stage === "validate") await release(record, "operator", ports);
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
    await release(await refused(), "operator", ports);
    const both = [harvest([]), harvest([])];
    for (const stage of stages) await Promise.all(both.map((runId) => runStage(stage, { runId }, ports)));
    expect(delivered()).toEqual(["lower case"]);
  });

  it("the stage that refused it is repeated → stays released", async () => {
    const runId = harvest([broken]);
    await runStage("validate", { runId }, ports);
    for (const record of await listed()) await release(record, "operator", ports);
    await runStage("validate", { runId }, ports);
    expect((await listed())[0]?.released?.by).toBe("operator");
  });

  it("released twice → the first time counts; taken up meanwhile → no longer possible", async () => {
    const record = await refused();
    expect(await release(record, "operator", ports)).toBe("released");
    expect(await release(record, "rules", ports)).toBe("released");
    expect((await listed())[0]?.released?.by).toBe("operator");
    await deliver(harvest([]), ports);
    expect(await release(record, "operator", ports)).toBe("gone");
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
      expect(await release(record, "operator", ports)).toBe(told);
      expect(await revalidate([record], compileRules(corrected), ports)).toEqual([told]);
      const released = { at: "2026-11-20T19:00:00.000Z", by: "operator" as const };
      expect(await revalidate([{ ...record, released }], compileRules(strict), ports)).toEqual([told]);
      expect(await listed()).toMatchObject([{ document: { recordId } }]);
      expect((await listed())[0]).not.toHaveProperty("released");
      await changeArchiveState({ recordId, mode: "LIVE", state: "reset" }, ports);
      expect(await release(record, "operator", ports)).toBe("released");
      await deliver(harvest([]), ports);
      expect(delivered()).toEqual(["lower case"]);
    },
  );

  it.each([
    ["claimed", "delivered", undefined],
    ["automatic", "delivered", undefined],
    ["online_first", "released", 1_900_000_000],
    ["error", "released", undefined],
  ] as const)("its address is another record's, which is %s → %s", async (state, told, expiresAt) => {
    const record = await refused();
    const [key] = record.document.archiveKeys;
    if (key === undefined) throw new Error("it has no key");
    const claim = { owner: "other", entryKey: "record:other", state };
    ports.archived.set(key, { ...claim, ...(expiresAt !== undefined && { expiresAt }) });
    expect(await release(record, "operator", ports)).toBe(told);
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
      const { marc } = ports.records;
      ports.records.marc = async (key) => {
        await release(record, "operator", ports);
        const [tag, indicators] = ["936", "uw"];
        const read = await marc(key);
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
        await release(await refused(), "operator", ports);
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
