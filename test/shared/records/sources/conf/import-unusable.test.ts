import { beforeEach, describe, expect, it } from "vitest";
import { journal } from "../fixtures.ts";
import { begin, ini, store, take } from "./import-world.ts";

beforeEach(begin);

const section = (title: string, id: number, ...lines: string[]) =>
  `[${title}]\n${[...journal, ...lines].join("\n").replace("4711", String(id))}\n`;
const before = section("Before", 4712);
const bad = section("Bad", 4713);
const after = section("After", 4714);
const all = `${ini}${before}${bad}${after}`;

/** Another value in every journal, so that each one that is imported changes. */
const changed = (text: string) => text.replaceAll("zotero_type = RSS", "zotero_type = CRAWL");
const typeOf = async (id: number) =>
  (await store.item({ kind: "source", id: `ixtheo-${id}` }))?.value.type as string | undefined;

describe("a file with one journal that cannot be used", () => {
  it.each<[string, string]>([
    ["a bad value", section("Bad", 4713, "selective_evaluation = perhaps")],
    ["a bad expression", section("Bad", 4713, "exclude_if_marc_field_245a = (")],
    ["an exclusion of no field", section("Bad", 4713, "exclude_if_marc_field_24 = x")],
    ["an empty value", section("Bad", 4713, "ssgn =")],
    ["a key twice", section("Bad", 4713, "ssgn = FG_1", "ssgn = FG_0")],
    ["an unknown group", bad.replace("IxTheo", "Unknown")],
    ["an id that is not a number", bad.replace("4713", "x")],
    ["no id", bad.replace("zeder_id = 4713\n", "")],
    ["no URL", bad.replace(/zotero_url.*\n/, "")],
    ["a garbled header", bad.replace("]", "")],
    ["an empty header", bad.replace("[Bad]", "[]")],
    ["an empty section", "[Bad]\n"],
    ["a new title and no type", bad.replace("[Bad]", "[Renamed]").replace("zotero_type = RSS\n", "")],
    ["a new title and a bad id", bad.replace("[Bad]", "[Renamed]").replace("4713", "x")],
    ["the section twice", `${bad}${bad.replace("4713", "4719")}`],
    ["more than can be stored", section("Bad", 4713, `suppress_json_field_x = ${"x".repeat(400_000)}`)],
  ])("%s → the others are imported, it is unchanged, and is named", async (_what, broken) => {
    await take(all);
    const kept = await store.item({ kind: "source", id: "ixtheo-4713" });
    const outcome = await take(changed(`${ini}${before}${broken}${after}`));
    expect(outcome).toMatchObject({ type: "imported", version: 2, sources: 3 });
    expect(outcome.unusable?.length).toBeGreaterThan(0);
    expect(outcome.problems?.length).toBeGreaterThan(0);
    expect(await store.item({ kind: "source", id: "ixtheo-4713" })).toEqual(kept);
    for (const id of [4711, 4712, 4714]) expect(await typeOf(id)).toBe("CRAWL");
  });

  it.each<[string, string, string[]]>([
    ["the id of another journal", bad.replace("4713", "4714"), ["Bad", "After"]],
    ["no header", bad.replace("[Bad]\n", ""), ["Before"]],
    ["a line in brackets that is not a header", `[0-9]+ x\nssgn = FG_1\n${bad}`, ["Before", "0-9]+ x"]],
  ])("%s → every journal that it makes doubtful is unchanged", async (_what, broken, titles) => {
    await take(all);
    const outcome = await take(changed(`${ini}${before}${broken}${after}`));
    expect(outcome.unusable?.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
    const ids = new Map([
      ["Before", 4712],
      ["Bad", 4713],
      ["After", 4714],
    ]);
    for (const title of titles) {
      const id = ids.get(title);
      if (id !== undefined) expect(await typeOf(id)).toBe("RSS");
    }
    expect(await typeOf(4713)).toBeDefined();
    expect(await typeOf(4711)).toBe("CRAWL");
    expect(outcome.names?.filter(([type]) => type === "removed")).toEqual([]);
  });

  it("the outcome → title, line of the header, what is kept, and each problem", async () => {
    const broken = section("Bad", 4713, "ssgn =", "paged_rss = perhaps");
    const line = `${ini}${before}`.split("\n").length;
    const problems = [
      { line: line + 7, message: expect.stringContaining("missing variable value") },
      { line: line + 8, message: expect.stringContaining("invalid boolean value") },
    ];
    expect(await take(`${ini}${before}${broken}`)).toMatchObject({
      unusable: [{ title: "Bad", line, kept: [] }],
      problems,
    });
    expect(await typeOf(4713)).toBeUndefined();
    await take(all);
    expect(await take(`${ini}${before}${broken}${after}`)).toMatchObject({
      unusable: [{ title: "Bad", line, kept: ["ixtheo-4713"] }],
      problems,
      changes: [],
    });
  });

  it("a journal that is no longer in the file → kept with a warning; removed with allowRemovals, the bad one is not", async () => {
    await take(all);
    const text = `${ini}${before}${bad.replace("zotero_type = RSS", "zotero_type = X")}`;
    const outcome = await take(text);
    expect(outcome.names).toEqual([]);
    expect(outcome.warnings).toContain(
      "not removed, because a section of the file cannot be used: source ixtheo-4714 (After)",
    );
    const permitted = await take(text, {}, { allowRemovals: true });
    expect(permitted.names).toEqual([["removed", "ixtheo-4714", []]]);
    expect(await typeOf(4713)).toBe("RSS");
  });

  it("the group of the bad journal is no longer in the file → the group stays, also with allowRemovals", async () => {
    await take(`${ini}${bad.replace("IxTheo", "Other")}`);
    const withoutOther = ini
      .replace("groups = IxTheo,Other", "groups = IxTheo")
      .replace(/\[Other\][^[]*/, "");
    await take(`${withoutOther}${bad.replace("IxTheo", "Other")}`, {}, { allowRemovals: true });
    expect(await store.item({ kind: "source", id: "other-4713" })).toBeDefined();
    expect(await store.item({ kind: "group", id: "Other" })).toBeDefined();
  });

  it("mended → it is imported, and what the file lacks is removed", async () => {
    await take(all);
    await take(`${ini}${before}${bad.replace("zotero_type = RSS", "zotero_type = X")}`);
    const outcome = await take(`${ini}${before}${bad.replace("RSS", "CRAWL")}`);
    expect(outcome.unusable).toBeUndefined();
    expect(outcome.names).toEqual([
      ["changed", "ixtheo-4713", ["type"]],
      ["removed", "ixtheo-4714", []],
    ]);
  });

  it("a dry run → says the same and writes nothing", async () => {
    await take(all);
    const text = changed(`${ini}${before}${bad}`.replace("zeder_id = 4713", "zeder_id = x"));
    const dry = await take(text, {}, { dryRun: true });
    const { version: _, ...written } = await take(text);
    expect(dry).toEqual(written);
    expect(dry.unusable).toMatchObject([{ title: "Bad", kept: ["ixtheo-4713"] }]);
  });

  it.each<[string, string]>([
    ["a journal that cannot be used", bad.replace("4713", "x")],
    ["a field that would be left out", section("Bad", 4713, "add_marc_field_520 = abstract")],
    ["a date format that would be left out", section("Bad", 4713, "zotero_strptime_format = %Q")],
  ])("strict, %s → the file is refused, nothing is written", async (_what, broken) => {
    await take(all);
    const outcome = await take(changed(`${ini}${before}${broken}${after}`), {}, { isStrict: true });
    expect(outcome).toMatchObject({ type: "refused", problems: [{ line: expect.any(Number) }] });
    expect(store.versions).toHaveLength(1);
  });

  it.each<[string, (text: string) => string]>([
    ["a group", (text) => text.replace("isil = DE-1", "isil =")],
    ["a group's header", (text) => text.replace("[Other]", "[Other")],
    ["a group twice", (text) => `${text}[Other]\n`],
    ["a subgroup", (text) => text.replace("https://example.org/relbib", "ftp://example.org/relbib")],
    ["the global section", (text) => text.replace("timeout_crawl_operation = 1800", "")],
  ])(
    "a problem of %s → the file is refused with the problems of the journals, too",
    async (_what, damage) => {
      const outcome = await take(damage(`${all}${section("Worse", 4715, "ssgn =")}`));
      expect(outcome.type).toBe("refused");
      expect(outcome.problems?.map(({ message }) => message).join("\n")).toContain(
        '"ssgn" in section "Worse"',
      );
      expect(outcome.problems?.length).toBeGreaterThan(1);
      expect(store.stored.size).toBe(0);
    },
  );
});
