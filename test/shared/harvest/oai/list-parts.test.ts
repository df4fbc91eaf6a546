import { describe, expect, it } from "vitest";
import { partAt } from "../../../../shared/harvest/oai/list-parts.ts";
import type { ListPlan } from "../../../../shared/harvest/oai-state/list-plan.ts";
import {
  errorPage,
  getRecord,
  listPage,
  record,
  type Script,
} from "../../../local/cli/harvest/scripted-repository.ts";
import { recordPage } from "./lying-repository.ts";
import { identify, OaiWorld, sourceId } from "./oai-world.ts";

const plan: ListPlan = {
  baseUrl: "https://r.example/oai",
  listKey: "k",
  args: { metadataPrefix: "oai_dc" },
  isFull: true,
  findsDeletions: false,
  expectsRecords: false,
};

const slices = { unit: "month" as const, first: "2026-11", last: "2027-01-02", isInSeconds: false };

describe("the parts of a list", () => {
  it.each<[string, Partial<ListPlan>, string[]]>([
    ["one list", {}, [": {}"]],
    ["sets", { sets: ["a", "b"] }, ['set a: {"set":"a"}', 'set b: {"set":"b"}']],
    [
      "months → the first has no beginning, the last no end",
      { slices },
      [
        '2026-11: {"until":"2026-11-30"}',
        '2026-12: {"from":"2026-12-01","until":"2026-12-31"}',
        '2027-01: {"from":"2027-01-01"}',
      ],
    ],
    [
      "years in seconds, of a source with a first day → all in seconds",
      {
        args: { metadataPrefix: "oai_dc", from: "2026-02-03" },
        slices: { ...slices, unit: "year", first: "2026-01", isInSeconds: true },
      },
      [
        '2026: {"from":"2026-02-03T00:00:00Z","until":"2026-12-31T23:59:59Z"}',
        '2027: {"from":"2027-01-01T00:00:00Z"}',
      ],
    ],
    ["a month that is the only one → all", { slices: { ...slices, first: "2027-01" } }, ["2027-01: {}"]],
    [
      "sets in years → set by set",
      { sets: ["a"], slices: { ...slices, unit: "year", first: "2026-01" } },
      ['set a, 2026: {"set":"a","until":"2026-12-31"}', 'set a, 2027: {"set":"a","from":"2027-01-01"}'],
    ],
  ])("%s", (_name, changes, expected) => {
    const whole = { ...plan, ...changes };
    const parts = expected.flatMap((_, at) => partAt(whole, at) ?? []);
    expect(partAt(whole, expected.length)).toBeUndefined();
    const shown = parts.map(
      ({ name, args: { metadataPrefix: _prefix, ...args } }) => `${name}: ${JSON.stringify(args)}`,
    );
    expect(shown).toEqual(expected);
  });
});

const lastOf = (world: OaiWorld) => world.ports.oaiHarvestStates.get(sourceId)?.last?.completeness;
const withIdentify =
  (script: Script, earliest = "2026-10-05"): Script =>
  (args, nth) =>
    args.verb === "Identify"
      ? identify({ deletedRecord: "no" }).replace(
          "<gran",
          `<earliestDatestamp>${earliest}</earliestDatestamp><gran`,
        )
      : script(args, nth);

describe("a list in slices", () => {
  it("a slice that breaks → requested once more, then named; nothing is deleted, and all is read again", async () => {
    let isBroken = false;
    const script: Script = ({ until, from, verb, identifier }) => {
      if (verb === "GetRecord") return getRecord("c", identifier);
      if (until === undefined) return from === undefined ? errorPage("badArgument") : listPage([record("c")]);
      if (isBroken && until.startsWith("2026-11")) return errorPage("badArgument");
      return until.startsWith("2026-10") && !isBroken ? listPage([record("a")]) : errorPage("noRecordsMatch");
    };
    const world = new OaiWorld(withIdentify(script), { oai: { slice: "month" } });
    await world.harvest("2026-12-10T20:00:00Z");
    expect(world.documents("present")).toBe("ac");
    expect(lastOf(world)).toEqual({ type: "complete" });
    isBroken = true;
    world.requested.length = 0;
    await world.harvest("2027-01-12T20:00:00Z");
    expect(world.lists).toEqual([
      "metadataPrefix=oai_dc&until=2026-10-31T23:59:59Z",
      "metadataPrefix=oai_dc&from=2026-11-01T00:00:00Z&until=2026-11-30T23:59:59Z",
      // In days, which it may take.
      "metadataPrefix=oai_dc&from=2026-11-01&until=2026-11-30",
      "metadataPrefix=oai_dc&from=2026-11-01T00:00:00Z&until=2026-11-30T23:59:59Z",
      "metadataPrefix=oai_dc&from=2026-11-01&until=2026-11-30",
      "metadataPrefix=oai_dc&from=2026-12-01T00:00:00Z&until=2026-12-31T23:59:59Z",
      "metadataPrefix=oai_dc&from=2027-01-01T00:00:00Z",
    ]);
    expect(lastOf(world)).toEqual({
      type: "interrupted",
      reason: "1 of 4 parts of the list could not be read: 2026-11: badArgument: said so",
    });
    expect(world.documents("present")).toBe("ac");
    isBroken = false;
    await world.harvest("2027-01-13T20:00:00Z");
    expect(lastOf(world)).toEqual({ type: "complete" });
  });

  it("three slices in a row that break → the others are not requested", async () => {
    const world = new OaiWorld(
      withIdentify(() => errorPage("badArgument"), "2020-01-01"),
      { oai: { slice: "month" } },
    );
    await world.harvest("2026-12-10T20:00:00Z");
    expect(lastOf(world)).toMatchObject({
      type: "interrupted",
      reason: expect.stringMatching(
        /^3 of 84 parts of the list could not be read, and 81 more were not requested: 2020-01: badArgument/,
      ),
    });
    expect(world.lists.length).toBeLessThan(15);
  });
});

describe("several sets", () => {
  it("a record of two sets → one document, of the collection of the first one; absent from one of them → it stays", async () => {
    const lists: Record<string, string[]> = { a: ["1", "2"], b: ["2", "3"] };
    const inSets = (id: string) => {
      const specs = Object.entries(lists).flatMap(([set, ids]) =>
        ids.includes(id) ? [`<setSpec>${set}</setSpec>`] : [],
      );
      return record(id).replace("<setSpec>s1</setSpec>", specs.join(""));
    };
    const script: Script = ({ set = "", verb, from, identifier = "" }) => {
      if (verb === "GetRecord")
        return Object.values(lists).flat().includes(identifier)
          ? recordPage(inSets(identifier))
          : errorPage("idDoesNotExist");
      return from === undefined ? listPage((lists[set] ?? []).map(inSets)) : errorPage("noRecordsMatch");
    };
    const oai = { sets: [{ set: "a", collectionId: "of-a" }, { set: "b" }] };
    const world = new OaiWorld(withIdentify(script), { oai });
    await world.harvest("2026-12-10T20:00:00Z");
    expect(world.lists).toEqual(["metadataPrefix=oai_dc&set=a", "metadataPrefix=oai_dc&set=b"]);
    expect(world.documents("present")).toBe("123");
    expect(
      [...world.ports.recordsById.values()]
        .map(({ title, collectionId }) => `${title}: ${collectionId}`)
        .sort(),
    ).toEqual(["Title 1: of-a", "Title 2: of-a", `Title 3: ${sourceId}`]);
    lists.a = ["1"];
    lists.b = ["2"];
    await world.harvest("2027-01-12T20:00:00Z");
    expect(lastOf(world)).toEqual({ type: "complete" });
    // The control, and the one that both lists lack.
    expect(world.asked).toEqual(["2", "3"]);
    expect([world.documents("present"), world.documents("deleted")]).toEqual(["12", "3"]);
  });
});

describe("a full list of identifiers", () => {
  it("reads headers; asks for records that are new but old; leaves the others to the list of changes", async () => {
    const stamps: Record<string, string> = { a: "2026-11-01", b: "2026-11-01" };
    const script: Script = ({ verb, from = "", identifier }) => {
      const listed = Object.entries(stamps).filter(([, datestamp]) => datestamp >= from.slice(0, 10));
      const records = listed.map(([id, datestamp]) => record(id, { datestamp }));
      if (verb === "GetRecord") return getRecord(Object.keys(stamps), identifier);
      if (records.length === 0) return errorPage("noRecordsMatch");
      const isOfHeaders = verb === "ListIdentifiers";
      const page = listPage(records);
      return isOfHeaders
        ? page
            .replaceAll(/<metadata>.*?<\/metadata>|<\/?record>/g, "")
            .replaceAll("ListRecords", "ListIdentifiers")
        : page;
    };
    const dated: Script = (args, nth) =>
      String(script(args, nth)).replace("2026-05-01T10:00:00Z", world.ports.now.toISOString());
    const world: OaiWorld = new OaiWorld(withIdentify(dated), { oai: { reconcileBy: "identifiers" } });
    await world.harvest("2026-12-10T20:00:00Z");
    delete stamps.b;
    Object.assign(stamps, { late: "2026-11-20", new: "2027-01-11" });
    world.requested.length = 0;
    await world.harvest("2027-01-12T20:00:00Z");
    expect(world.requested.slice(1)).toEqual([
      "verb=ListIdentifiers&metadataPrefix=oai_dc",
      "verb=GetRecord&identifier=late&metadataPrefix=oai_dc",
      // The control, and the one that the list lacks.
      "verb=GetRecord&identifier=late&metadataPrefix=oai_dc",
      "verb=GetRecord&identifier=b&metadataPrefix=oai_dc",
    ]);
    expect([world.documents("present"), world.documents("deleted")]).toEqual(["alate", "b"]);
    await world.harvest("2027-01-13T20:00:00Z");
    expect(world.lists.at(-1)).toBe("metadataPrefix=oai_dc&from=2026-12-10T19:59:59Z");
    expect(world.documents("present")).toBe("alatenew");
  });

  it("more than may be asked for → the next list reads all records", async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `${n},`);
    let listed = ids.slice(0, 10);
    const script: Script = ({ verb, from }) => {
      if (verb === "GetRecord") return errorPage("badVerb");
      if (from !== undefined) return errorPage("noRecordsMatch");
      const page = listPage(listed.map((id) => record(id, { datestamp: "2026-01-01" })));
      return verb === "ListRecords" ? page : page.replaceAll("ListRecords", "ListIdentifiers");
    };
    const world = new OaiWorld(withIdentify(script), { oai: { reconcileBy: "identifiers" } });
    await world.harvest("2026-12-10T20:00:00Z");
    listed = ids;
    await world.harvest("2027-01-12T20:00:00Z");
    expect(world.asked).toEqual([]);
    await world.harvest("2027-01-13T20:00:00Z");
    expect(world.requested.at(-1)).toBe("verb=ListRecords&metadataPrefix=oai_dc");
    expect(world.ports.documentsByKey.size).toBe(150);
  });
});
