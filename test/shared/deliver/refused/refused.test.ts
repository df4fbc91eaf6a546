import { beforeEach, describe, expect, it } from "vitest";
import { releaseRecord, revalidate } from "../../../../shared/deliver/refused/revalidate.ts";
import { validationRules } from "../../../../shared/deliver/validation/rule.ts";
import { compileRules } from "../../../../shared/deliver/validation/rule-set.ts";
import { deliver } from "../run-world.ts";
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

beforeEach(begin);

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

describe("a revalidated record", () => {
  it("rules corrected → released, and in the next delivery", async () => {
    const record = await refused();
    expect(await revalidate([record], compileRules(corrected), ports)).toEqual(["valid"]);
    expect(stateOf("a")).toBe("released");
    await deliver(harvest([]), ports);
    expect(delivered()).toEqual(["lower case"]);
    expect(stateOf("a")).toBe("delivered");
    expect(await listed()).toEqual([]);
    expect(ports.mails.at(-1)?.text).toContain(
      "source: 1 listed, 1 released from an earlier run, 1 delivered",
    );
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

  it("refused again by a run meanwhile → listed with the findings of that run", async () => {
    const record = await refused();
    await deliver(harvest([{ id: "a", title: "other title" }]), ports);
    expect(await revalidate([record], compileRules(strict), ports)).toEqual(["gone"]);
    expect((await listed()).map(({ document }) => document.recordKey)).toEqual(["a/run-2"]);
  });

  it("released by hand → delivered, whatever the rules say", async () => {
    await releaseRecord(await refused(), "operator", ports);
    expect(await revalidate(await listed(), compileRules(strict), ports)).toEqual(["released"]);
    expect(stateOf("a")).toBe("released");
  });
});
