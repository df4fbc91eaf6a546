import { describe, expect, it } from "vitest";
import { reportRun } from "../../../../shared/deliver/report/report.ts";
import { readPreview } from "../../../../shared/deliver/validate/preview.ts";
import { validateRun } from "../../../../shared/deliver/validate/validate.ts";
import type { DocumentOutcome, SourceOutcome } from "../../../../shared/records/runs/run.ts";
import { runStage } from "../../deliver/run-world.ts";
import type { MockResponse } from "../mock-hosts.ts";
import { deliveredBefore, feed, item, worldOf } from "./site-world.ts";

const good = item("/1", { title: "Good", DOI: "10.1234/good" });
const bad = item("/1", { title: "Bad", creators: "x" });
const undated = item("/1", { title: "Undated", date: "soon" });
const web = item("/1", { title: "Web", itemType: "webpage" });

/** What was listed and requested, and the outcome. */
function counts({ sources, documents }: { sources: SourceOutcome[]; documents: DocumentOutcome[] }) {
  const [source] = sources;
  return [source?.entries, source?.requested, documents.map(({ state }) => state).sort()];
}

describe("an answer with several items of one address", () => {
  it.each<[string, object[], [string, string][]]>([
    [
      "good, bad",
      [good, bad],
      [
        ["Bad", "dropped"],
        ["Good", "converted"],
      ],
    ],
    [
      "bad, good",
      [bad, good],
      [
        ["Bad", "dropped"],
        ["Good", "converted"],
      ],
    ],
    [
      "good, undated",
      [good, undated],
      [
        ["Good", "converted"],
        ["Undated", "dropped"],
      ],
    ],
    [
      "good, web page",
      [good, web],
      [
        ["Good", "converted"],
        ["Web", "dropped"],
      ],
    ],
    [
      "bad, bad",
      [bad, bad],
      [
        ["Bad", "dropped"],
        ["Bad", "dropped"],
      ],
    ],
  ])("%s → each its own outcome, also when it is read twice", async (_what, body, expected) => {
    for (const death of [undefined, { writes: 2, before: false }]) {
      const { world, add } = await worldOf({
        site: { "/feed": feed("/1") },
        translations: { "SITE/1": { body } },
      });
      add({ url: "/feed" });
      world.killAfter = death;
      const harvested = await world.harvest();
      const outcomes = harvested.documents.map(({ title, state }) => [title, state]);
      expect(outcomes.sort()).toEqual(expected);
      expect(counts(harvested)).toEqual([2, 2, expected.map(([, state]) => state).sort()]);
    }
  });

  it("of two works → a record each, of which a preview takes the second for the first's duplicate", async () => {
    const { world, host, add } = await worldOf({
      site: { "/feed": feed("/1") },
      translations: {
        "SITE/1": {
          body: [
            item("/1", { title: "First", DOI: "10.1234/one" }),
            item("/1", { title: "Second", DOI: "10.1234/two" }),
          ],
        },
      },
    });
    add({ url: "/feed" });
    const preview = { deliveryMode: "NONE" as const, sourceIds: ["a"] };
    const { documents } = await world.harvest(preview);
    expect(world.recordsOf(documents)).toEqual([
      ["First", [`${host.origin}/1`, "https://doi.org/10.1234/one"]],
      ["Second", [`${host.origin}/1`, "https://doi.org/10.1234/two"]],
    ]);
    const [runId = ""] = world.deliveries;
    await validateRun(
      { runId },
      {
        ...world.memory,
        next: { send: async () => {} },
        partsQueue: { send: async () => {} },
        clock: { now: () => new Date("2026-11-20T20:00:00Z") },
      },
    );
    const told = await readPreview(runId, world.memory);
    expect(told?.records.map(({ title }) => title)).toEqual([expect.stringMatching(/^(First|Second)$/)]);
    expect(told?.missed).toEqual([
      expect.objectContaining({
        state: "dropped",
        reason: expect.stringMatching(/^duplicate of "(First|Second)" <http:.*\/1>: both have url:/),
      }),
    ]);
  });

  it("of two works and a bad one → one delivered, the second reported as the same, the bad one with its reason", async () => {
    const body = [
      bad,
      item("/1", { title: "First", DOI: "10.1234/one" }),
      item("/1", { title: "Second", DOI: "10.1234/two" }),
    ];
    const { world, add } = await worldOf({
      site: { "/feed": feed("/1") },
      translations: { "SITE/1": { body } },
    });
    add({ url: "/feed" });
    await world.harvest();
    const [runId = ""] = world.deliveries;
    for (const stage of ["validate", "upload"] as const) await runStage(stage, { runId }, world.memory);
    const report = await reportRun(runId, world.memory.runs);
    expect(report.totals).toMatchObject({ delivered: 1 });
    expect(report.sources).toMatchObject([
      { entries: 3, requested: 3, read: 3, converted: 2, delivered: 1, duplicates: { count: 1 } },
    ]);
  });
});

describe("a source's entries are the sum of their outcomes", () => {
  const three: Record<string, string> = { "SITE/1": "One", "SITE/2": "Two", "SITE/3": "Three" };
  const offered = { status: 300, body: { session: "S", items: three } };
  const again = { status: 300, body: { session: "T", items: three } };
  const all = { body: [item("/1"), item("/2"), item("/3")] };

  it.each<[string, MockResponse, [number, number, string[]], string[]]>([
    ["all", all, [3, 3, ["converted", "converted", "converted"]], []],
    [
      "two",
      { body: [item("/1"), item("/2")] },
      [3, 2, ["converted", "converted"]],
      ["requested, but missing from the translation server's response"],
    ],
    [
      "one",
      { body: [item("/1")] },
      [3, 1, ["converted"]],
      ["requested, but missing from the translation server's response"],
    ],
    [
      "more",
      { body: [item("/1"), item("/2"), item("/3"), item("/4")] },
      [4, 4, Array(4).fill("converted")],
      [],
    ],
    ["choices", again, [3, 3, ["failed", "failed", "failed"]], []],
    ["nothing", { body: [] }, [3, 3, ["failed", "failed", "failed"]], []],
  ])("three choices, answered with %s", async (_what, answer, expected, dropped) => {
    const { world, host, add } = await worldOf({
      site: {},
      translations: { "SITE/toc": offered, "SELECT S": answer },
    });
    add({ type: "DIRECT", url: "/toc" });
    const harvested = await world.harvest();
    expect(counts(harvested)).toEqual(expected);
    expect(harvested.sources[0]?.dropped.map(({ reason }) => reason)).toEqual(dropped);
    // The list itself is not an article: known by its address, it would never be requested again.
    const keys = harvested.documents.flatMap((document) =>
      document.state === "converted" ? document.archiveKeys : [],
    );
    expect(keys).not.toContain(`url:${host.hostKey}/toc`);
  });

  it("choices that failed → an outcome for each, except those that were omitted", async () => {
    const items = { "http://169.254.169.254/latest": "Meta", "SITE/1": { title: "One" }, "10.1234/x.2": 1 };
    const { world, host, add } = await worldOf({
      site: {},
      translations: { "SITE/toc": { status: 300, body: { session: "S", items } }, "SELECT S": again },
    });
    add({ type: "DIRECT", url: "/toc" });
    const { documents } = await world.harvest();
    expect(documents.map(({ url, title, state }) => [url, title, state]).sort()).toEqual(
      [
        ["10.1234/x.2", undefined, "failed"],
        [`${host.origin}/1`, "One", "failed"],
        ["http://169.254.169.254/latest", undefined, "dropped"],
      ].sort(),
    );
  });

  it("a search that finds one article → known by its own address alone", async () => {
    const { world, add } = await worldOf({
      site: {},
      translations: { "1111-1119": { body: [item("/a/2")] } },
    });
    add({ type: "APIQUERY", url: "/search", online: { issn: "1111-1119", ppn: "1" } });
    const { documents } = await world.harvest();
    expect(documents).toMatchObject([{ state: "converted", title: "Item /a/2" }]);
    expect(JSON.stringify(documents)).not.toContain("/search");
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof worldOf>>["add"]>[0], string]>([
    ["a list", { type: "DIRECT", url: "/toc" }, "SELECT S"],
    ["a search", { type: "APIQUERY", url: "/toc", online: { issn: "1111-1119", ppn: "1" } }, "1111-1119"],
  ])(
    "items of %s without a URL of their own, or with that of the list → each its own keys, none of the list",
    async (_what, source, answered) => {
      const items = [
        item("/toc", { title: "One", url: "", DOI: "10.1234/one" }),
        item("/toc", { title: "Two", url: undefined, DOI: "10.1234/two" }),
        item("/toc?utm_source=x", { title: "Three", DOI: "" }),
        item("/toc", { title: "Four", DOI: "" }),
      ];
      const { world, host, add } = await worldOf({
        site: {},
        translations: { "SITE/toc": offered, [answered]: { body: items } },
      });
      add(source);
      const { documents } = await world.harvest();
      const found = documents.flatMap((document) =>
        document.state === "converted" ? [[document.title, document.archiveKeys, document.hash]] : [],
      );
      expect(found.toSorted()).toEqual(
        [
          ["One", ["doi:10.1234/one"]],
          ["Two", ["doi:10.1234/two"]],
          ["Three", []],
          ["Four", []],
        ]
          .map(([title, keys]) => {
            const hash = found.find(([name]) => name === title)?.[2];
            return [title, [...(keys ?? []), `hash:${hash}`], hash];
          })
          .toSorted(),
      );
      expect(JSON.stringify(found)).not.toContain(`url:${host.hostKey}`);
    },
  );

  it("items of a page of a feed without a URL of their own → each its own keys, and a run later known by them", async () => {
    const body = ["one", "two"].map((name) => item("/1", { title: name, url: "", DOI: `10.1234/${name}` }));
    const { world, add } = await worldOf({
      site: { "/feed": feed("/1") },
      translations: { "SITE/1": { body } },
    });
    add({ url: "/feed" });
    deliveredBefore(world, "doi:10.1234/one");
    const { documents } = await world.harvest();
    expect(documents.map(({ title, state }) => [title, state]).sort()).toEqual([
      ["one", "known"],
      ["two", "converted"],
    ]);
    expect(JSON.stringify(documents)).not.toContain('"url:');
  });

  it("a search that finds two → two listed", async () => {
    const { world, add } = await worldOf({
      site: {},
      translations: { "1111-1119": { body: [item("/a/1"), item("/a/2")] } },
    });
    add({ type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } });
    expect(counts(await world.harvest())).toEqual([2, 2, ["converted", "converted"]]);
  });

  it("entries that lead to articles of other entries → dropped with that reason", async () => {
    const translations = Object.fromEntries(["/1", "/4", "/5"].map((path) => [`SITE${path}`, offered]));
    const { world, host, add } = await worldOf({
      site: { "/feed": feed("/1", "/2", "/3", "/4", "/5") },
      translations: { ...translations, "SELECT S": all },
    });
    add({ url: "/feed" });
    const harvested = await world.harvest();
    expect(counts(harvested)).toEqual([5, 5, [...Array(3).fill("converted"), "dropped", "dropped"]]);
    expect(harvested.documents.filter(({ state }) => state === "dropped")).toEqual(
      ["/4", "/5"].map((path) =>
        expect.objectContaining({
          url: host.origin + path,
          reason: "it has 3 articles, all of which the run found elsewhere",
        }),
      ),
    );
  });

  it("a choice that was delivered before → counted as known", async () => {
    const { world, host, add } = await worldOf({
      site: {},
      translations: { "SITE/toc": offered, "SELECT S": { body: [item("/2"), item("/3")] } },
    });
    add({ type: "DIRECT", url: "/toc" });
    deliveredBefore(world, `url:${host.hostKey}/1`);
    const harvested = await world.harvest();
    expect(counts(harvested)).toEqual([3, 2, ["converted", "converted"]]);
    expect(harvested.sources[0]?.known).toEqual({ delivered: 1 });
  });
});
