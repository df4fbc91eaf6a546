import { beforeAll, describe, expect, it } from "vitest";
import { writeToken } from "../../../shared/give-back/protocol/resumption-token.ts";
import { GivenWorld, harvest } from "./world.ts";

const raw = '<a:thing xmlns:a="urn:a"><a:title>Raw &amp; ready</a:title></a:thing>';
const dc =
  '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Only Dublin Core</dc:title></oai_dc:dc>';

const world = new GivenWorld();
const id = (itemId: string) => `oai:library.example:${itemId}`;

beforeAll(async () => {
  for (let number = 1; number <= 250; number += 1) {
    const state = number % 2 === 0 ? "delivered" : "delinquent";
    world.putRecord(`r${number}`, `Title ${number}`, { state, sourceId: `s${number}` });
    world.now = new Date(world.now.getTime() + 1_000);
    if (number % 50 === 0) await world.logAll();
  }
  world.putDocument("r1", raw, "s1");
  world.putDocument("d1", dc, "papers");
  world.putDocument("d2", raw, "papers");
  world.putDocument("r2", undefined, "s2");
  world.putRecord("test", "Of a test run", { deliveryMode: "TEST" });
  await world.logAll();
});

const list = "verb=ListRecords&metadataPrefix=oai_dc";
const record = (itemId: string, prefix = "oai_dc") =>
  `verb=GetRecord&metadataPrefix=${prefix}&identifier=${id(itemId)}`;

describe("errors of the protocol", () => {
  it.each([
    ["no verb", "", "badVerb"],
    ["an unknown verb", "verb=Explain", "badVerb"],
    ["a verb in other letters", "verb=identify", "badVerb"],
    ["an empty verb", "verb=", "badVerb"],
    ["the verb twice", "verb=Identify&verb=Identify", "badVerb"],
    ["two verbs", "verb=Identify&verb=ListSets", "badVerb"],
    ["an argument that the verb does not have", "verb=Identify&set=search", "badArgument"],
    ["an unknown argument", `${list}&colour=red`, "badArgument"],
    ["an argument twice", `${list}&metadataPrefix=oai_dc`, "badArgument"],
    ["a missing metadataPrefix", "verb=ListRecords", "badArgument"],
    ["a missing metadataPrefix of identifiers", "verb=ListIdentifiers", "badArgument"],
    ["a missing identifier", "verb=GetRecord&metadataPrefix=oai_dc", "badArgument"],
    ["a missing metadataPrefix of a record", `verb=GetRecord&identifier=${id("r1")}`, "badArgument"],
    ["a malformed metadataPrefix", "verb=ListRecords&metadataPrefix=oai dc", "badArgument"],
    ["a malformed set", `${list}&set=a b`, "badArgument"],
    ["a set with an empty part", `${list}&set=a:`, "badArgument"],
    ["the inner name of the list of all", `${list}&set=${encodeURIComponent("#all")}`, "badArgument"],
    ["a malformed from", `${list}&from=yesterday`, "badArgument"],
    ["a day that does not exist", `${list}&from=2026-02-30`, "badArgument"],
    ["a time without Z", `${list}&from=2026-11-20T12:00:00`, "badArgument"],
    ["a time with milliseconds", `${list}&until=2026-11-20T12:00:00.000Z`, "badArgument"],
    [
      "from and until of different granularity",
      `${list}&from=2026-11-20&until=2026-11-21T00:00:00Z`,
      "badArgument",
    ],
    ["from after until", `${list}&from=2026-11-21&until=2026-11-20`, "badArgument"],
    ["a token with another argument", `${list}&resumptionToken=a`, "badArgument"],
    ["a token for a verb without one", "verb=Identify&resumptionToken=a", "badArgument"],
    ["an unknown token", "verb=ListRecords&resumptionToken=a", "badResumptionToken"],
    ["an empty token", "verb=ListIdentifiers&resumptionToken=", "badResumptionToken"],
    ["an unknown token of sets", "verb=ListSets&resumptionToken=a.b", "badResumptionToken"],
    ["an unknown format", "verb=ListRecords&metadataPrefix=lido", "cannotDisseminateFormat"],
    ["an unknown format of a record", record("r1", "lido"), "cannotDisseminateFormat"],
    ["a record that is not available in a format", record("r3", "raw"), "cannotDisseminateFormat"],
    ["a document without a record as MODS", record("d1", "mods"), "cannotDisseminateFormat"],
    ["an unknown identifier", record("r999"), "idDoesNotExist"],
    [
      "an identifier of another repository",
      "verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:a.example:r1",
      "idDoesNotExist",
    ],
    ["no identifier at all", "verb=GetRecord&metadataPrefix=oai_dc&identifier=%23log", "idDoesNotExist"],
    ["a record of a test run", record("test"), "idDoesNotExist"],
    [
      "formats of an unknown identifier",
      `verb=ListMetadataFormats&identifier=${id("r999")}`,
      "idDoesNotExist",
    ],
    ["formats of a deleted record", `verb=ListMetadataFormats&identifier=${id("r2")}`, "noMetadataFormats"],
    ["an unknown set", `${list}&set=source.unknown`, "noRecordsMatch"],
    ["a period before all records", `${list}&until=2020-01-01`, "noRecordsMatch"],
    ["a period after all records", `${list}&from=2030-01-01T00:00:00Z`, "noRecordsMatch"],
  ])("%s → %s is %s", async (_what, query, code) => {
    const text = await world.ask(query);
    expect(/<error code="(\w+)">/.exec(text)?.[1]).toBe(code);
    const { errors, verb } = await world.page(query);
    expect([errors.map((error) => error.code), verb]).toEqual([[code], undefined]);
    const isUnread = code === "badVerb" || code === "badArgument";
    expect(/<request[^>]*verb=/.test(text)).toBe(!isUnread);
  });

  it("a repository without records → Identify, formats and sets, but no records", async () => {
    const empty = new GivenWorld();
    expect((await empty.page("verb=Identify")).identity?.deletedRecord).toBe("persistent");
    expect((await empty.page("verb=ListSets")).sets.map(({ spec }) => spec)).toEqual(["search"]);
    expect((await empty.page(list)).errors.map(({ code }) => code)).toEqual(["noRecordsMatch"]);
    expect((await empty.page(record("r1"))).errors.map(({ code }) => code)).toEqual(["idDoesNotExist"]);
  });
});

describe("the verbs", () => {
  it("Identify → the repository", async () => {
    expect((await world.page("verb=Identify")).identity).toEqual({
      repositoryName: "Test & trial",
      baseUrl: "https://api.example/oai",
      protocolVersion: "2.0",
      adminEmails: ["metadata@library.example"],
      earliestDatestamp: "2026-11-20T12:00:50Z",
      deletedRecord: "persistent",
      granularity: "YYYY-MM-DDThh:mm:ssZ",
      compressions: ["gzip"],
    });
  });

  it.each([
    ["of the repository", "", ["oai_dc", "marcxml", "mods", "raw"]],
    ["of a record with a document", `&identifier=${id("r1")}`, ["oai_dc", "marcxml", "mods", "raw"]],
    ["of a record of an article", `&identifier=${id("r3")}`, ["oai_dc", "marcxml", "mods"]],
    ["of a document in Dublin Core without a record", `&identifier=${id("d1")}`, ["oai_dc", "raw"]],
    ["of a document in another format without a record", `&identifier=${id("d2")}`, ["raw"]],
  ])("ListMetadataFormats %s", async (_what, argument, prefixes) => {
    const { formats } = await world.page(`verb=ListMetadataFormats${argument}`);
    expect(formats.map(({ prefix }) => prefix)).toEqual(prefixes);
  });

  it("ListSets → all sets, in pages", async () => {
    const { pages } = await harvest(world, "verb=ListSets");
    const sets = pages.flatMap((page) => page.sets);
    expect(pages.length).toBe(2);
    expect(new Set(sets.map(({ spec }) => spec)).size).toBe(sets.length);
    const sources = Array.from({ length: 250 }, (_, index) => `source.s${index + 1}`);
    expect(sets.map(({ spec }) => spec).toSorted()).toEqual(
      [
        ...sources,
        "collection.papers",
        "group.Library",
        "search",
        "source.papers",
        "state.delivered",
        "state.refused",
      ].toSorted(),
    );
    expect(sets.find(({ spec }) => spec === "source.s7")?.name).toBe("Source s7");
  });

  it("GetRecord → header and metadata", async () => {
    const { records } = await world.page(record("r1", "marcxml"));
    expect(records).toMatchObject([
      {
        identifier: id("r1"),
        datestamp: "2026-11-20T12:04:10Z",
        sets: ["collection.papers", "group.Library", "search", "source.s1", "state.refused"],
        isDeleted: false,
        metadata: expect.stringMatching(/^<record[^>]* xmlns="http:\/\/www.loc.gov\/MARC21\/slim"/),
      },
    ]);
    expect(await world.ask(record("r1", "raw"))).toContain(`<metadata>${raw}</metadata>`);
    expect(await world.ask(record("d1"))).toContain(`<metadata>${dc}</metadata>`);
  });

  it("GetRecord of a deleted record → its tombstone", async () => {
    const { records } = await world.page(record("r2", "mods"));
    expect(records).toMatchObject([
      { identifier: id("r2"), isDeleted: true, datestamp: "2026-11-20T12:04:10Z" },
    ]);
    expect(records[0]?.metadata).toBeUndefined();
  });

  it.each(["ListRecords", "ListIdentifiers"])(
    "%s → each record once, the size on each page",
    async (verb) => {
      const { pages, records } = await harvest(world, `verb=${verb}&metadataPrefix=oai_dc`);
      expect(records.length).toBe(252);
      expect(new Set(records.map(({ identifier }) => identifier)).size).toBe(252);
      const deleted = records.filter(({ isDeleted }) => isDeleted).map(({ identifier }) => identifier);
      expect(deleted.toSorted()).toEqual([id("d2"), id("r2")]);
      const ends = pages.map(({ resumptionToken }) => [
        resumptionToken?.completeListSize,
        resumptionToken?.cursor,
      ]);
      expect(ends).toEqual(
        verb === "ListRecords"
          ? [
              [252, 0],
              [252, 100],
              [252, 200],
            ]
          : [[undefined, undefined]],
      );
    },
  );

  it.each([
    ["from, to the second", "&from=2026-11-20T12:04:10Z", 54],
    ["until, to the second", "&until=2026-11-20T12:00:50Z", 48],
    ["both on the same second", "&from=2026-11-20T12:01:40Z&until=2026-11-20T12:01:40Z", 50],
    ["a day", "&from=2026-11-20&until=2026-11-20", 252],
    ["a set", "&set=state.delivered", 125],
    ["a set and a period", "&set=state.delivered&until=2026-11-20T12:00:50Z", 24],
    ["a source", "&set=source.s5", 1],
    ["a group", "&set=group.Library", 250],
  ])("a list by %s", async (_what, argument, count) => {
    const { records } = await harvest(world, `verb=ListIdentifiers&metadataPrefix=oai_dc${argument}`);
    expect(records.length).toBe(count);
  });
});

describe("resumption tokens", () => {
  const firstToken = async () => (await world.page(list)).resumptionToken?.value ?? "";

  it("a token of another verb → badResumptionToken", async () => {
    const { errors } = await world.page(`verb=ListIdentifiers&resumptionToken=${await firstToken()}`);
    expect(errors.map(({ code }) => code)).toEqual(["badResumptionToken"]);
  });

  it("a token with any character changed, cut or added → badResumptionToken, after one read", async () => {
    const token = await firstToken();
    const changed = [...token].map((character, index) => {
      return `${token.slice(0, index)}${character === "A" ? "B" : "A"}${token.slice(index + 1)}`;
    });
    const cut = [...token].map((_, index) => token.slice(0, index));
    const forged = [
      `${token}A`,
      `${token}.`,
      `.${token}`,
      writeToken(
        {
          verb: "ListRecords",
          metadataPrefix: "oai_dc",
          list: "#log",
          from: "",
          until: "~",
          seen: "~",
          cursor: 0,
        },
        "another key",
      ),
    ];
    for (const each of [...changed, ...cut, ...forged]) {
      const { reads } = world.log;
      const { errors } = await world.page(`verb=ListRecords&resumptionToken=${encodeURIComponent(each)}`);
      expect([each, errors.map(({ code }) => code)]).toEqual([each, ["badResumptionToken"]]);
      expect(world.log.reads - reads).toBe(1);
    }
  });

  it("a token used again, years later → the same page", async () => {
    const token = await firstToken();
    const query = `verb=ListRecords&resumptionToken=${token}`;
    const before = await world.ask(query);
    world.now = new Date("2036-01-01T00:00:00Z");
    expect(await world.ask(query)).toBe(before);
  });
});

describe("the size of pages", () => {
  it("any page → a bounded number of reads of the log", async () => {
    for (const verb of ["ListRecords", "ListIdentifiers"]) {
      let token = "";
      do {
        const { reads } = world.log;
        const query = token === "" ? "metadataPrefix=mods" : `resumptionToken=${token}`;
        token = (await world.page(`verb=${verb}&${query}`)).resumptionToken?.value ?? "";
        // The state, the entries, their versions, and those that are missing; on the first page also the size.
        expect(world.log.reads - reads).toBeLessThanOrEqual(5);
      } while (token !== "");
    }
  });

  it("large records → pages of about a megabyte, none empty", async () => {
    const large = new GivenWorld();
    for (let number = 0; number < 12; number += 1) large.putRecord(`r${number}`, "x".repeat(300_000));
    await large.logAll();
    const { pages, records } = await harvest(large, "verb=ListRecords&metadataPrefix=marcxml");
    expect(pages.map((page) => page.records.length)).toEqual([4, 4, 4]);
    expect(new Set(records.map(({ identifier }) => identifier)).size).toBe(12);
  });

  it("a record that is larger than a response may be → deleted in the list, so that the list continues", async () => {
    const large = new GivenWorld();
    large.putRecord("r1", "x".repeat(5_000_000));
    large.putRecord("r2", "small");
    await large.logAll();
    const { records } = await harvest(large, "verb=ListRecords&metadataPrefix=marcxml");
    expect(records.map(({ isDeleted }) => isDeleted)).toEqual([true, false]);
  });

  it("a list of which a change replaces all that is left → the last page repeats a record, and is not empty", async () => {
    const busy = new GivenWorld();
    for (let number = 0; number < 150; number += 1) busy.putRecord(`r${number}`, "first");
    await busy.logAll();
    const { pages } = await harvest(busy, "verb=ListRecords&metadataPrefix=marcxml", async () => {
      for (let number = 0; number < 150; number += 1) busy.putRecord(`r${number}`, "second");
      await busy.logAll();
      busy.log.expire();
    });
    expect(pages.map((page) => page.records.length)).toEqual([100, 1]);
  });
});

it("a suppressed collection, a suppressed record → deleted in the set for searches, and there by their ids", async () => {
  const own = new GivenWorld();
  own.putRecord("r1", "One", { collectionId: "c1" });
  own.putRecord("r2", "Two", { collectionId: "c2" });
  own.putRecord("r3", "Three", { collectionId: "c2", link: { status: "suppressed" } });
  await own.logAll();
  const found = async () => {
    const { records } = await harvest(own, "verb=ListRecords&metadataPrefix=oai_dc&set=search");
    return Object.fromEntries(records.map(({ identifier, isDeleted }) => [identifier, !isDeleted]));
  };
  expect(await found()).toEqual({ [id("r1")]: true, [id("r2")]: true });
  own.hidden.add("c1");
  own.now = new Date("2026-11-21T12:00:00Z");
  await own.logAll();
  expect(await found()).toEqual({ [id("r1")]: false, [id("r2")]: true });
  expect((await own.page(record("r1"))).records).toMatchObject([{ isDeleted: false }]);
  const all = await harvest(own, "verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-21");
  expect(all.records.map(({ identifier, sets }) => [identifier, sets.includes("search")])).toEqual([
    [id("r1"), false],
  ]);
  own.hidden.clear();
  await own.logAll();
  expect(await found()).toEqual({ [id("r1")]: true, [id("r2")]: true });
});

it("a record that is stored again with the same content at another place → keeps its datestamp", async () => {
  const own = new GivenWorld();
  own.putRecord("r1", "One");
  await own.logAll();
  own.now = new Date("2026-11-21T12:00:00Z");
  own.putRecord("r1", "One", { recordKey: "elsewhere" });
  expect(await own.logAll()).toBe(0);
  expect((await own.page(record("r1"))).records[0]?.datestamp).toBe("2026-11-20T12:00:00Z");
});
