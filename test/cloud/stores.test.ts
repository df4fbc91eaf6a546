import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../shared/core/errors.ts";
import type { ArchiveClaim } from "../../shared/delivery/archive/archive-entry.ts";
import type { DelinquentRecord } from "../../shared/delivery/delinquent/delinquent-record.ts";
import { type Delivery, deliveryPlace } from "../../shared/delivery/plan/delivery.ts";
import type { KnownReason } from "../../shared/harvest/known.ts";
import type { Run, RunMode, RunState } from "../../shared/harvest/run.ts";
import type { StoredRecord } from "../../shared/harvest/stored-record.ts";
import type {
  ArchiveStore,
  DelinquentStore,
  DeliveryStore,
  RecordStore,
  RunStore,
  SourceStore,
  ValidationRuleStore,
} from "../../shared/ports.ts";
import { group } from "../../shared/sources/group.ts";
import { source } from "../../shared/sources/source.ts";
import { ruleKey, type ValidationRule } from "../../shared/validation/rule.ts";
import { MemoryPorts } from "../shared/memory-ports.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

/** The stores whose conditions a delivery goes by. */
interface Stores {
  archive: ArchiveStore;
  records: RecordStore;
  delinquents: DelinquentStore;
  deliveries: DeliveryStore;
  runs: RunStore;
  sources: SourceStore;
  rules: ValidationRuleStore;
}

interface Configured {
  kind: "source" | "group";
  id: string;
  value: Record<string, unknown>;
}

/** Those of the tests' memory and those of the cloud, over the tables of the template; each test has ids of its own. */
const worlds: [string, () => Promise<{ stores: Stores; configure: (item: Configured) => Promise<void> }>][] =
  [
    [
      "in memory",
      async () => {
        const ports = new MemoryPorts();
        ports.now = new Date();
        return { stores: ports, configure: async (item) => configureMemory(ports, item) };
      },
    ],
    ["on DynamoDB", storesOfCloud],
  ];

beforeAll(async () => {
  await testCloud(stateFolder(), { polling: false });
});

async function storesOfCloud() {
  const { archiveStore } = await import("../../shared/aws/delivery/archive-store.ts");
  const { configurationStore } = await import("../../shared/aws/config/configuration-store.ts");
  const { delinquentStore } = await import("../../shared/aws/delivery/delinquent-store.ts");
  const { deliveryStore } = await import("../../shared/aws/delivery/delivery-store.ts");
  const { recordStore } = await import("../../shared/aws/harvest/record-store.ts");
  const { runStore } = await import("../../shared/aws/harvest/run-store.ts");
  const { validationRuleStore } = await import("../../shared/aws/config/validation-rule-store.ts");
  const { sourceStore } = await import("../../shared/aws/config/source-store.ts");
  const stores = {
    archive: archiveStore(),
    records: recordStore(),
    delinquents: delinquentStore(),
    deliveries: deliveryStore(),
    runs: runStore(),
    sources: sourceStore(),
    rules: validationRuleStore(),
  };
  const configuration = configurationStore();
  return { stores, configure: (item: Configured) => configuration.put(item) };
}

function configureMemory(ports: MemoryPorts, { kind, id, value }: Configured): void {
  const parsed = (kind === "source" ? source : group).safeParse(value);
  const problem = String(parsed.error);
  if (kind === "source") {
    if (parsed.success) ports.sourcesById.set(id, source.parse(value));
    else ports.unusable.push({ sourceId: id, title: id, problem });
  } else if (parsed.success) ports.groups.set(id, group.parse(value));
  else ports.unusableGroups.push({ groupId: id, problem });
}

let ids = 0;
const time = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString();
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

describe.each(worlds)("the stores %s", (_where, open) => {
  let stores: Stores;
  let configure: (item: Configured) => Promise<void>;
  let id: string;
  beforeEach(async () => {
    ({ stores, configure } = await open());
    ids += 1;
    id = `id-${ids}`;
  });

  describe("a claim in the archive", () => {
    const now = new Date();
    const soon = seconds(now) + 3600;
    const claim = (owner: string, more: Partial<ArchiveClaim> = {}): ArchiveClaim => ({
      owner,
      entryKey: `record:${id}`,
      state: "claimed",
      ...more,
    });

    it.each<[string, Partial<ArchiveClaim>, boolean, KnownReason | undefined]>([
      ["claimed → not another's, known", {}, false, "delivered"],
      ["delivered → not another's, known", { state: "automatic" }, false, "delivered"],
      ["ignored → not another's, known", { state: "ignore" }, false, "ignored"],
      ["delivered by hand → not another's, known", { state: "manual" }, false, "elsewhere"],
      ["refused → another's, unknown", { state: "error", expiresAt: soon }, true, undefined],
      ["reset → another's, unknown", { state: "reset" }, true, undefined],
      ["online-first → not another's, known", { state: "online_first", expiresAt: soon }, false, "waiting"],
      [
        "online-first, expired → another's, unknown",
        { state: "online_first", expiresAt: seconds(now) },
        true,
        undefined,
      ],
    ])("%s", async (_title, held, isFree, knownAs) => {
      expect(await stores.archive.claim(id, claim("first", held), now)).toBe(true);
      expect(await stores.archive.claim(id, claim("first"), now)).toBe(true);
      expect((await stores.archive.known([id, `${id}-other`, id])).get(id)).toBe(knownAs);
      expect(await stores.archive.claim(id, claim("second"), now)).toBe(isFree);
      expect(await stores.archive.claim(id, claim("first"), now)).toBe(!isFree);
    });

    it("given back by its owner → free; by another → kept", async () => {
      await stores.archive.claim(id, claim("first"), now);
      await stores.archive.giveBack(id, "second");
      expect(await stores.archive.claim(id, claim("second"), now)).toBe(false);
      await stores.archive.giveBack(id, "first");
      await stores.archive.giveBack(id, "first");
      expect(await stores.archive.claim(id, claim("second"), now)).toBe(true);
    });

    it("described by its owner → found by each key; by another, or after an operator's word → unchanged", async () => {
      const keys = [`record:${id}`, `url:${id}`];
      for (const key of keys) await stores.archive.claim(key, claim("first"), now);
      expect(await stores.archive.entry(`url:${id}`)).toBeUndefined();
      const known = {
        recordId: id,
        sourceId: "s",
        title: "T",
        hash: "h",
        urls: [],
        recordKey: "k",
        at: time(1),
      };
      const entry = { ...known, ...claim("first", { state: "automatic" }), keys };
      await stores.archive.describe({ ...entry, owner: "second", title: "another's" });
      expect(await stores.archive.entry(`url:${id}`)).toBeUndefined();
      await stores.archive.describe(entry);
      expect(await stores.archive.entry(`url:${id}`)).toEqual(entry);
      await stores.archive.setState(`record:${id}`, "second", "reset");
      expect((await stores.archive.entry(`url:${id}`))?.state).toBe("automatic");
      await stores.archive.setState(`record:${id}`, "first", "reset");
      await stores.archive.describe(entry);
      expect((await stores.archive.entry(`url:${id}`))?.state).toBe("reset");
    });

    it("claimed anew after a reset → no entry until it is described, which keeps the file of its delivery", async () => {
      const key = `record:${id}`;
      const known = {
        recordId: id,
        sourceId: "s",
        title: "T",
        hash: "h",
        urls: [],
        recordKey: "k",
        at: time(1),
      };
      const entry = (owner: string, more: Partial<ArchiveClaim>) => ({
        ...known,
        ...claim(owner, more),
        keys: [key],
      });
      await stores.archive.claim(key, claim("first"), now);
      await stores.archive.describe({
        ...entry("first", { state: "automatic" }),
        file: "G_1.xml",
        doi: "10.5555/a",
      });
      await stores.archive.setState(key, "first", "reset");
      const refused = { state: "error" as const, expiresAt: soon };
      expect(await stores.archive.claim(key, claim("second", refused), now)).toBe(true);
      expect(await stores.archive.entry(key)).toBeUndefined();
      const { expiresAt: _soon, ...described } = entry("second", refused);
      await stores.archive.describe({ ...described, error: "E" });
      expect(await stores.archive.entry(key)).toEqual({
        ...entry("second", refused),
        error: "E",
        file: "G_1.xml",
      });
    });
  });

  describe("a record", () => {
    const record = (runId: string, deliveryMode: RunMode = "LIVE"): StoredRecord => ({
      recordId: id,
      sourceId: "s",
      groupId: "G",
      collectionId: "c",
      runId,
      deliveryMode,
      title: "T",
      landingUrl: "https://s.example/1",
      syndicatedAt: time(1),
      hash: "h",
      recordKey: `k/${runId}`,
      state: "harvested",
      updatedAt: time(1),
    });
    const live = () => ({ recordId: id, deliveryMode: "LIVE" as const });
    const test = () => ({ recordId: id, deliveryMode: "TEST" as const });
    const told = async () => {
      const { runId, state, deliveryFile } = (await stores.records.get(id)) ?? {};
      return [runId, state, deliveryFile];
    };

    it("written by its first run → new; by the next → not new, and replaced", async () => {
      expect(await stores.records.save(record("first"))).toBe(true);
      expect(await stores.records.save(record("first"))).toBe(true);
      expect(await stores.records.save(record("second"))).toBe(false);
      expect(await told()).toEqual(["second", "harvested", undefined]);
    });

    it("what its run has found out → not undone by a repeat of the reader", async () => {
      await stores.records.save(record("first"));
      await stores.records.setState(live(), "delinquent", { findings: ["why"] });
      await stores.records.save(record("first"));
      expect(await stores.records.get(id)).toMatchObject({ state: "delinquent", findings: ["why"] });
    });

    it("delivered → final; reopened → not, and without its file", async () => {
      await stores.records.save(record("first"));
      await stores.records.setState(live(), "delivered", { deliveryFile: "f.xml" });
      await stores.records.setState(live(), "duplicate");
      await stores.records.save(record("second"));
      expect(await told()).toEqual(["first", "delivered", "f.xml"]);
      await stores.records.reopen(test());
      expect(await told()).toEqual(["first", "delivered", "f.xml"]);
      await stores.records.reopen(live());
      expect(await told()).toEqual(["first", "harvested", undefined]);
      await stores.records.save(record("second"));
      expect(await told()).toEqual(["second", "harvested", undefined]);
    });

    it("delivered by a test run → a live run takes it over, and no test run changes it after that", async () => {
      await stores.records.save(record("test", "TEST"));
      await stores.records.setState(live(), "duplicate");
      await stores.records.setState(test(), "delivered", { deliveryFile: "test.xml" });
      await stores.records.save(record("live"));
      expect(await told()).toEqual(["live", "harvested", undefined]);
      await stores.records.save(record("again", "TEST"));
      await stores.records.setState(test(), "delivered", { deliveryFile: "test.xml" });
      expect(await told()).toEqual(["live", "harvested", undefined]);
    });

    it("unknown → no state creates it", async () => {
      await stores.records.setState(live(), "delivered");
      expect(await stores.records.get(id)).toBeUndefined();
    });
  });

  describe("a delinquent record", () => {
    const refused = (day: number, title = "T"): DelinquentRecord => ({
      deliveryMode: "LIVE",
      document: {
        state: "converted",
        requestId: "r",
        recordId: id,
        sourceId: "s",
        groupId: "G",
        url: "https://s.example/1",
        title,
        hash: "h",
        urls: [],
        recordKey: "k",
        archiveKeys: [],
        warnings: [],
      },
      findings: [{ record: id, tag: "245", reason: `${title} is wrong` }],
      findingCount: 1,
      refusedAt: time(day),
    });
    const listed = () => stores.delinquents.get("LIVE", "s", id);
    const take = () => stores.delinquents.remove(refused(2), { upTo: time(2), evenReleased: true });
    const released = { at: time(3), by: "operator" as const };

    it("refused again → listed as it is now; by an earlier run → as it was", async () => {
      await stores.delinquents.keep(refused(2));
      await stores.delinquents.keep(refused(3, "later"));
      await stores.delinquents.keep(refused(1, "earlier"));
      const record = await listed();
      expect(record?.document.title).toBe("later");
      expect((await stores.delinquents.findings(refused(3)))[0]?.reason).toBe("later is wrong");
    });

    it.each([
      ["listed as it was read → renewed", async () => undefined, true],
      ["taken off the list → stays off", () => take(), false],
      ["refused by a later run → as that has found it", () => stores.delinquents.keep(refused(3)), false],
      ["released → stays so", () => stores.delinquents.release(refused(2), released), false],
    ])("judged anew, %s", async (_what, meanwhile, isRenewed) => {
      await stores.delinquents.keep(refused(2));
      await meanwhile();
      const before = await listed();
      const { findings } = refused(2, "now");
      expect(await stores.delinquents.renew({ ...refused(2), findings })).toBe(isRenewed);
      expect(await listed()).toEqual(isRenewed && before !== undefined ? { ...before, findings } : before);
    });

    it("released → no run refuses it again; the first release counts", async () => {
      await stores.delinquents.keep(refused(2));
      expect(await stores.delinquents.release(refused(2), released)).toBe(true);
      expect(await stores.delinquents.release(refused(2), { ...released, by: "rules" })).toBe(true);
      await stores.delinquents.keep(refused(4, "later"));
      expect(await listed()).toMatchObject({ released, document: { title: "T" } });
    });

    it.each([
      ["refused by a run before → off the list", false, { upTo: time(2), evenReleased: false }, false],
      ["refused by a later run → listed", false, { upTo: time(1), evenReleased: true }, true],
      ["released → listed", true, { upTo: time(2), evenReleased: false }, true],
      ["released, and that is meant → off the list", true, { upTo: time(2), evenReleased: true }, false],
    ])("removed: %s", async (_title, isReleased, only, isListed) => {
      await stores.delinquents.keep(refused(2));
      if (isReleased) await stores.delinquents.release(refused(2), released);
      await stores.delinquents.remove(refused(2), only);
      expect((await listed()) !== undefined).toBe(isListed);
    });

    it("released → among the released of its mode alone, until it is taken off", async () => {
      const waiting = async (mode: RunMode) => {
        const found: string[] = [];
        for await (const page of stores.delinquents.releasedPagesOf(mode))
          found.push(...page.map(({ document }) => document.recordId));
        return found.includes(id);
      };
      await stores.delinquents.keep(refused(2));
      expect(await waiting("LIVE")).toBe(false);
      await stores.delinquents.release(refused(2), released);
      expect([await waiting("LIVE"), await waiting("TEST")]).toEqual([true, false]);
      await stores.delinquents.remove(refused(2), { upTo: time(2), evenReleased: true });
      expect(await waiting("LIVE")).toBe(false);
    });

    it("asked for by documents → those that are listed, of the mode and source alone", async () => {
      await stores.delinquents.keep(refused(2));
      const { document } = refused(2);
      const unknown = { ...document, recordId: `${id}-other` };
      const elsewhere = { ...document, sourceId: "other" };
      expect(await stores.delinquents.listed("LIVE", [unknown, document, document])).toEqual(new Set([id]));
      expect(await stores.delinquents.listed("LIVE", [elsewhere])).toEqual(new Set());
      expect(await stores.delinquents.listed("TEST", [document])).toEqual(new Set());
      expect(await stores.delinquents.listed("LIVE", [])).toEqual(new Set());
    });

    it("more than one read of the table gives → listed whole, and from where a page ends", async () => {
      const large = (recordId: string): DelinquentRecord => {
        const { document, ...record } = refused(2);
        return {
          ...record,
          document: { ...document, recordId, sourceId: id, warnings: ["x".repeat(300_000)] },
        };
      };
      for (const recordId of ["a", "b", "c", "d", "e"]) await stores.delinquents.keep(large(recordId));
      const idsOf = async (page: { limit: number; after?: string }) =>
        (await stores.delinquents.ofSource("LIVE", id, page)).map(({ document }) => document.recordId);
      expect(await idsOf({ limit: 5 })).toEqual(["a", "b", "c", "d", "e"]);
      expect(await idsOf({ limit: 2, after: "b" })).toEqual(["c", "d"]);
    });

    it("not listed → cannot be released", async () => {
      expect(await stores.delinquents.release(refused(2), released)).toBe(false);
    });
  });

  describe("the rules", () => {
    const about = (source: string | null, subfield: string): ValidationRule => ({
      source,
      recordType: "regular",
      tag: "245",
      subfield,
      presence: "always",
      regex: null,
    });
    const keysOn = async (page: Parameters<ValidationRuleStore["page"]>[0]) =>
      (await stores.rules.page(page)).map(ruleKey);

    it("more than a page holds → in the order of their keys, of one source alone where it is asked for", async () => {
      for (const subfield of ["c", "a", "b"])
        for (const source of [id, `${id} regular`, `${id}-other`])
          await stores.rules.put(about(source, subfield));
      const key = (subfield: string) => `${id} regular 245 ${subfield}`;
      expect(await keysOn({ source: id, limit: 2 })).toEqual([key("a"), key("b")]);
      expect(await keysOn({ source: id, limit: 2, after: key("b") })).toEqual([key("c")]);
      expect(await keysOn({ source: id, limit: 9, after: "!" })).toEqual(["a", "b", "c"].map(key));
      expect(await keysOn({ source: id, limit: 9, after: key("c") })).toEqual([]);
      expect(await keysOn({ limit: 2, after: key("b") })).toEqual([key("c"), `${id} regular regular 245 a`]);
    });
  });

  describe("the upload of a run", () => {
    const lease = (holder: string, untilMs: number) => ({ runId: id, holder, untilMs });

    it("held by another → free at its end; ended by another → still held; by its holder → free", async () => {
      expect(await stores.deliveries.lease(lease("one", 1000), 0)).toBe(0);
      expect(await stores.deliveries.lease(lease("two", 1500), 500)).toBe(1000);
      await stores.deliveries.endLease(lease("two", 1500));
      expect(await stores.deliveries.lease(lease("two", 1500), 500)).toBe(1000);
      await stores.deliveries.endLease(lease("one", 1000));
      expect(await stores.deliveries.lease(lease("two", 1500), 500)).toBe(500);
    });

    it("held for too long → another's", async () => {
      await stores.deliveries.lease(lease("one", 1000), 0);
      expect(await stores.deliveries.lease(lease("two", 2000), 1000)).toBe(1000);
      await stores.deliveries.endLease(lease("one", 1000));
      expect(await stores.deliveries.lease(lease("three", 3000), 1500)).toBe(2000);
    });

    it("what was noted of a file on its way last → counts", async () => {
      const place = { host: "receiver.example", port: 22, folder: "Default/input" };
      const sending = { place, temporary: "Default/input/a.tmp" };
      await stores.deliveries.noteSending(id, sending);
      await stores.deliveries.noteSending(id, { ...sending, sizeBytes: 7, renameSent: true });
      expect(await stores.deliveries.sending(id)).toEqual({ ...sending, sizeBytes: 7, renameSent: true });
    });
  });

  it("deliveries, more than a page holds → newest first, and on from the place where a page ends", async () => {
    const delivery = (day: number): Delivery => {
      const runStartedAt = time(day);
      const name = { groupId: id, fileName: `${id}.xml`, key: `${id}/${day}.xml`, runId: `${id}-${day}` };
      const figures = { records: 1, sizeBytes: 9, deliveredAt: runStartedAt };
      return { ...name, runStartedAt, deliveryMode: "LIVE", ...figures };
    };
    for (const day of [301, 303, 302]) await stores.deliveries.save(delivery(day));
    const first = await stores.deliveries.list({ limit: 2 });
    expect(first).toEqual([delivery(303), delivery(302)]);
    const after = deliveryPlace(delivery(302));
    expect(await stores.deliveries.list({ limit: 1, after })).toEqual([delivery(301)]);
  });

  describe("a run", () => {
    const run = (runId: string, state: RunState, day = 1): Run => ({
      runId,
      deliveryMode: "LIVE",
      state,
      startedAt: time(day),
      deadlineAt: time(day),
    });

    it("created twice → the first stands", async () => {
      await stores.runs.create(run(id, "starting"));
      expect(await stores.runs.create(run(id, "finished"))).toEqual(run(id, "starting"));
    });

    it("failed, with 40 finished ones after it → still among the unfinished", async () => {
      await stores.runs.create(run(id, "failed"));
      for (let day = 2; day <= 41; day += 1) await stores.runs.create(run(`${id}-${day}`, "finished", day));
      expect((await stores.runs.unfinished("LIVE")).map(({ runId }) => runId)).toContain(id);
    });

    it("listed by pages, newest first → each once, of its mode alone, and nothing else of its items", async () => {
      const days = [200, 203, 202, 201];
      const test = (day: number): Run => ({ ...run(`${id}-${day}`, "finished", day), deliveryMode: "TEST" });
      for (const day of days) await stores.runs.create(test(day));
      await stores.runs.create(run(id, "finished", 204));
      const first = await stores.runs.latest("TEST", { limit: 3 });
      expect(first).toEqual([test(203), test(202), test(201)]);
      expect(await stores.runs.latest("TEST", { limit: 3, after: first.at(-1) })).toEqual([test(200)]);
    });

    it("moved from a state that it is in → with its failure, which the next move ends; from another → not", async () => {
      await stores.runs.create(run(id, "harvesting"));
      const failure = { stage: "upload", reason: "no space", at: time(2) };
      expect(await stores.runs.move(id, ["starting"], { state: "delivering" })).toBe(false);
      expect(await stores.runs.move(id, ["starting", "harvesting"], { state: "failed", failure })).toBe(true);
      expect(await stores.runs.get(id)).toMatchObject({ state: "failed", failure });
      expect(await stores.runs.move(id, ["failed"], { state: "delivering" })).toBe(true);
      expect(await stores.runs.get(id)).toEqual({ ...run(id, "delivering") });
    });

    it("a stage finished twice → the first result stands", async () => {
      expect(await stores.runs.stageResult(id, "plan")).toBeUndefined();
      expect(await stores.runs.finishStage(id, "plan", { n: 1 })).toEqual({ n: 1 });
      expect(await stores.runs.finishStage(id, "plan", { n: 2 })).toEqual({ n: 1 });
      expect(await stores.runs.stageResult(id, "plan")).toEqual({ n: 1 });
    });

    it("a tally → two sets that only grow; a request → its first claimant's", async () => {
      await stores.runs.count(id, "t", { opened: ["a", "b"] });
      await stores.runs.count(id, "t", { opened: ["b"], closed: ["a"] });
      expect(await stores.runs.count(id, "t", { closed: ["a"] })).toEqual({ opened: 2, closed: 1 });
      expect(await stores.runs.open(id, "t")).toEqual(["b"]);
      const claim = (claimant: string) => stores.runs.claimRequests(id, "s", { ids: ["x"], claimant });
      expect([await claim("one"), await claim("two"), await claim("one")].map(({ size }) => size)).toEqual([
        1, 0, 1,
      ]);
    });

    it("a document, or a listing, saved twice → the first stands", async () => {
      const document = {
        requestId: "r",
        sourceId: "s",
        url: "https://s.example/1",
        state: "known" as const,
        as: "delivered" as const,
      };
      await stores.runs.saveDocument(id, document);
      await stores.runs.saveDocument(id, { ...document, url: "https://s.example/2" });
      const kept = [];
      for await (const page of stores.runs.documentPages(id)) kept.push(...page);
      expect(kept).toEqual([document]);
      const outcome = {
        sourceId: "s",
        title: "S",
        state: "read" as const,
        known: {},
        requested: 0,
        dropped: [],
      };
      await stores.runs.saveListing(id, "feed", { ...outcome, entries: 1 });
      await stores.runs.saveListing(id, "feed", { ...outcome, entries: 2 });
      expect(await stores.runs.sources(id)).toEqual([{ ...outcome, entries: 1 }]);
    });

    it("what a listing leads to, settled twice → the first stands", async () => {
      const outcome = {
        sourceId: "settled",
        title: "S",
        state: "read" as const,
        entries: 1,
        known: {},
        requested: 1,
        dropped: [],
      };
      // More than one object takes.
      const articles = Array.from({ length: 1200 }, (_, n) => ({
        id: String(n),
        kind: "article" as const,
        url: `https://s.example/${n}`,
      }));
      const page = { id: "page", kind: "page" as const, url: "https://s.example/" };
      const listing = { outcome, articles, pages: [page] };
      expect(await stores.runs.settledListing(id, "settled", "feed")).toBeUndefined();
      expect(await stores.runs.settleListing(id, "feed", listing)).toEqual(listing);
      expect(await stores.runs.settleListing(id, "feed", { ...listing, articles: [] })).toEqual(listing);
      expect(await stores.runs.settledListing(id, "settled", "feed")).toEqual(listing);
      expect(await stores.runs.sources(id)).toContainEqual(outcome);
    });
  });

  describe("the configuration", () => {
    const feed = { title: "S", type: "RSS", url: "https://s.example/", groupId: "G", deliveryMode: "TEST" };
    const isil = { isil: "XX-1", userAgent: "test", outputFolder: "g" };

    it("an unusable source → told apart from the others; asked for by itself → a ConfigError", async () => {
      const bad = `${id}-bad`;
      await configure({ kind: "source", id, value: { ...feed, sourceId: id } });
      await configure({ kind: "source", id: bad, value: { ...feed, sourceId: bad, type: "GUESS" } });
      const { sources, unusable } = await stores.sources.sourcesOf("TEST");
      expect(sources.map(({ sourceId }) => sourceId)).toContain(id);
      expect(unusable.map(({ sourceId }) => sourceId)).toContain(bad);
      expect((await stores.sources.source(id))?.sourceId).toBe(id);
      await expect(stores.sources.source(bad)).rejects.toThrow(ConfigError);
      expect(await stores.sources.source(`${id}-none`)).toBeUndefined();
      const named = await stores.sources.sourcesNamed([id, bad, `${id}-none`]);
      expect(named.sources.map(({ sourceId }) => sourceId)).toEqual([id]);
      expect(named.unusable.map(({ sourceId }) => sourceId)).toEqual([bad]);
    });

    it("an unusable group → told apart from the others; asked for by itself → a ConfigError", async () => {
      const bad = `${id}-bad`;
      await configure({ kind: "group", id, value: { ...isil, groupId: id } });
      await configure({ kind: "group", id: bad, value: { groupId: bad } });
      const { groups, unusable } = await stores.sources.groups();
      expect(groups.map(({ groupId }) => groupId)).toContain(id);
      expect(unusable.map(({ groupId }) => groupId)).toContain(bad);
      expect((await stores.sources.group(id))?.groupId).toBe(id);
      await expect(stores.sources.group(bad)).rejects.toThrow(ConfigError);
    });
  });
});
