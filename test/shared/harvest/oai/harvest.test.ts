import { describe, expect, it } from "vitest";
import { readLongHarvests } from "../../../../shared/deliver/validate/joined-harvests.ts";
import { validateRecord } from "../../../../shared/deliver/validation/validate-record.ts";
import { endHarvests } from "../../../../shared/harvest/oai/control-harvest.ts";
import { startOaiHarvest } from "../../../../shared/harvest/oai/start.ts";
import { startHarvest } from "../../../../shared/harvest/start-harvest.ts";
import type { DocumentOutcome } from "../../../../shared/records/runs/run.ts";
import type { Group } from "../../../../shared/records/sources/group.ts";
import { type NewSource, source } from "../../../../shared/records/sources/source.ts";
import {
  envelope,
  errorPage,
  getRecord,
  listPage,
  pagesOf,
  record,
  type Script,
} from "../../../local/cli/harvest/scripted-repository.ts";
import { identify, OaiWorld, sourceId } from "./oai-world.ts";

const monday = "2026-11-02T20:00:00Z";
const tuesday = "2026-11-03T20:00:00Z";
const wednesday = "2026-11-04T20:00:00Z";
const december = "2026-12-10T20:00:00Z";

/** A repository with a list. */
const repository =
  (list: Script, about = identify()): Script =>
  (args, nth) =>
    args.verb === "Identify" ? about : list(args, nth);

describe("a harvest of an OAI-PMH source", () => {
  it("first → the whole list; each document kept with one event", async () => {
    const world = new OaiWorld(repository(pagesOf("ab", "bc")));
    await world.harvest(monday);
    expect(world.requested).toEqual([
      "verb=Identify",
      "verb=ListRecords&metadataPrefix=oai_dc",
      "verb=ListRecords&resumptionToken=1",
    ]);
    expect(world.documents("present")).toBe("abc");
    expect(world.events).toEqual(["document.new a", "document.new b", "document.new c"]);
  });

  it("next → from the responseDate of the first page, one second earlier", async () => {
    const world = new OaiWorld(repository(pagesOf("ab", "c")));
    await world.harvest(monday);
    await world.harvest(tuesday);
    expect(world.lists[2]).toBe("metadataPrefix=oai_dc&from=2026-05-01T09:59:59Z");
    expect(world.events).toHaveLength(3);
  });

  it.each([
    ["by years ahead → from our own time", "2036-01-01T00:00:00Z", "&from=2026-11-02T19:59:59Z"],
    ["that is unreadable → the whole list", "yesterday", ""],
  ])("next, after a clock %s", async (_, time, from) => {
    const page = pagesOf("ab");
    const world = new OaiWorld(
      repository((args, nth) => String(page(args, nth)).replace(/(?<=<responseDate>)[^<]*/, time)),
    );
    await world.harvest(monday);
    await world.harvest(tuesday);
    expect(world.lists[1]).toBe(`metadataPrefix=oai_dc${from}`);
    expect(world.ports.oaiHarvestStates.get(sourceId)?.responseDate).not.toBe(time);
  });

  it.each([
    ["by days → one day earlier", identify({ granularity: "YYYY-MM-DD" }), "2026-04-30"],
    [
      "whose Identify is HTML → days, which every repository supports",
      "<html><body>Hi</body></html>",
      "2026-04-30",
    ],
    ["whose Identify fails → days", errorPage("badVerb"), "2026-04-30"],
  ])("next, of a repository %s", async (_, about, from) => {
    const world = new OaiWorld(repository(pagesOf("a"), about));
    await world.harvest(monday);
    await world.harvest(tuesday);
    expect(world.lists[1]).toBe(`metadataPrefix=oai_dc&from=${from}`);
  });

  it("set, format and earliest day → arguments of each list", async () => {
    const oai = { metadataPrefix: "mods", set: "a:b", from: "2020-01-01" };
    const world = new OaiWorld(repository(pagesOf("a")), { oai });
    await world.harvest(monday);
    await world.harvest(tuesday);
    expect(world.lists).toEqual([
      "metadataPrefix=mods&set=a:b&from=2020-01-01",
      "metadataPrefix=mods&set=a:b&from=2026-05-01T09:59:59Z",
    ]);
  });

  it("another set than before → the whole list of it", async () => {
    const world = new OaiWorld(repository(pagesOf("a")));
    await world.harvest(monday);
    world.ports.sourcesById.set(sourceId, { ...world.source, oai: { ...world.source.oai, set: "new" } });
    await world.harvest(tuesday);
    expect(world.lists[1]).toBe("metadataPrefix=oai_dc&set=new");
  });

  it("unchanged documents → no event; a changed one → document.opened", async () => {
    const world = new OaiWorld(repository(pagesOf("ab")));
    await world.harvest(monday);
    world.script = repository(() =>
      listPage([record("a"), record("b", { title: "New", datestamp: "2026-11-03" })]),
    );
    await world.harvest(tuesday);
    expect(world.events.slice(2)).toEqual(["document.opened b"]);
  });

  it("a deleted record → a tombstone and document.deleted; one that was never known, too", async () => {
    const world = new OaiWorld(repository(pagesOf("ab")));
    await world.harvest(monday);
    world.script = repository(() => listPage([record("a", { deleted: true })]));
    await world.harvest(tuesday);
    expect([world.documents("present"), world.documents("deleted")]).toEqual(["b", "a"]);
    expect(world.events.slice(2)).toEqual(["document.deleted a"]);
  });

  it("a record without an identifier or metadata → dropped with its reason, the others kept", async () => {
    const broken =
      "<record><header><identifier>x</identifier><datestamp>2026-01-01</datestamp></header></record>";
    const world = new OaiWorld(repository(() => listPage([record(""), broken, record("a")])));
    await world.harvest(monday);
    expect(world.documents("present")).toBe("a");
    const [outcome] = await world.ports.runs.sourceOutcomes(`harvest-${sourceId}-live-20261102T200000Z`);
    expect(outcome?.dropped).toEqual([
      { entry: "a record", reason: "it has no identifier" },
      { entry: "x", reason: "it has no metadata, and is not deleted" },
    ]);
  });

  it.each(["", "yesterday", "2026-02-31T10:00:00Z", "2026-01-01T10:00:00"])(
    "a record with the datestamp %j → kept, with a warning in the report",
    async (datestamp) => {
      const world = new OaiWorld(repository(() => listPage([record("a", { datestamp }), record("b")])));
      await world.harvest(monday);
      expect(world.documents("present")).toBe("ab");
      const [outcome] = await world.ports.runs.sourceOutcomes(`harvest-${sourceId}-live-20261102T200000Z`);
      expect(outcome).toMatchObject({ state: "read", reason: expect.stringContaining("no valid datestamp") });
    },
  );

  it("a page that had to be repaired → in the report", async () => {
    const world = new OaiWorld(repository(() => listPage([record("a")]).replace("Title a", "A & B")));
    await world.harvest(monday);
    const [outcome] = await world.ports.runs.sourceOutcomes(`harvest-${sourceId}-live-20261102T200000Z`);
    expect(outcome?.reason).toContain("a page had to be repaired");
  });
});

describe("only a complete list moves the window", () => {
  it.each<[string, Script]>([
    [
      "interrupted",
      ({ resumptionToken }) => (resumptionToken ? { status: 403 } : listPage([record("b")], "2")),
    ],
    [
      "short",
      ({ resumptionToken }) =>
        resumptionToken ? listPage([record("b")], "") : listPage([record("a")], "2", 'completeListSize="9"'),
    ],
    ["malformed forever", () => "<OAI-PMH"],
    ["of another verb", () => listPage([record("b")]).replaceAll("ListRecords", "ListIdentifiers")],
  ])("%s → the next list begins where this one did", async (_, list) => {
    const world = new OaiWorld(repository(pagesOf("a")));
    await world.harvest(monday);
    world.script = repository(list);
    await world.harvest(tuesday);
    world.script = repository(() => errorPage("noRecordsMatch"));
    await world.harvest(wednesday);
    expect(world.lists.at(-1)).toBe("metadataPrefix=oai_dc&from=2026-05-01T09:59:59Z");
    expect(world.documents("deleted")).toBe("");
  });

  it("noRecordsMatch in a window → complete: the window moves", async () => {
    const world = new OaiWorld(repository(pagesOf("a")));
    await world.harvest(monday);
    world.script = repository(() => envelope('<error code="noRecordsMatch"/>', "2026-05-02T10:00:00Z"));
    await world.harvest(tuesday);
    await world.harvest(wednesday);
    expect(world.lists.at(-1)).toBe("metadataPrefix=oai_dc&from=2026-05-02T09:59:59Z");
  });

  it("a list that starts again → the responseDate of its second beginning", async () => {
    const list: Script = ({ resumptionToken }, nth) =>
      resumptionToken === undefined
        ? listPage([record("a")], `t${nth}`).replace("10:00:00", `1${nth}:00:00`)
        : resumptionToken === "t1"
          ? errorPage("badResumptionToken")
          : listPage([record("b")], "");
    const world = new OaiWorld(repository(list));
    await world.harvest(monday);
    world.script = repository(pagesOf("a"));
    await world.harvest(tuesday);
    expect(world.lists.at(-1)).toBe("metadataPrefix=oai_dc&from=2026-05-01T11:59:59Z");
    expect(world.events).toEqual(["document.new a", "document.new b"]);
  });
});

describe("a repository that does not keep deleted records", () => {
  const about = identify({ deletedRecord: "no" });

  it("→ the whole list again after 30 days; what it lacks is deleted", async () => {
    const world = new OaiWorld(repository(pagesOf("ab", "c"), about));
    await world.harvest(monday);
    await world.harvest(tuesday);
    expect(world.lists.at(-2)).toContain("from=");
    world.script = repository(pagesOf("ac"), about);
    await world.harvest(december);
    expect(world.lists.at(-1)).toBe("metadataPrefix=oai_dc");
    expect([world.documents("present"), world.documents("deleted")]).toEqual(["ac", "b"]);
    expect(world.events.at(-1)).toBe("document.deleted b");
  });

  it.each<[string, Script]>([
    ["is empty", () => errorPage("noRecordsMatch")],
    ["is empty, with a status of 500", () => ({ status: 500, body: errorPage("noRecordsMatch") })],
    [
      "is interrupted",
      ({ resumptionToken }) => (resumptionToken ? { status: 403 } : listPage([record("a")], "2")),
    ],
    [
      "is short",
      ({ resumptionToken }) =>
        resumptionToken ? listPage([], "") : listPage([record("a")], "2", 'completeListSize="3"'),
    ],
  ])("whose whole list %s → nothing is deleted", async (_, list) => {
    const world = new OaiWorld(repository(pagesOf("abc"), about));
    await world.harvest(monday);
    world.script = repository(list, about);
    await world.harvest(december);
    expect([world.documents("present"), world.documents("deleted")]).toEqual(["abc", ""]);
    expect(world.ports.oaiHarvestStates.get(sourceId)?.last?.completeness.type).not.toBe("complete");
  });

  it("with more documents to look at than one invocation has time for → the next ones go on", async () => {
    const ids = Array.from({ length: 2400 }, (_, n) => String(n));
    const list =
      (names: string[]): Script =>
      ({ verb, identifier }) =>
        verb === "GetRecord" ? getRecord(names, identifier) : listPage(names.map((name) => record(name)));
    const world = new OaiWorld(repository(list(ids), about));
    await world.harvest(monday);
    world.script = repository(list(ids.slice(100)), about);
    const { documents } = world.ports;
    const after: string[] = [];
    const { list: listDocuments } = documents;
    documents.list = (source, page) => {
      after.push(page.after ?? "");
      world.ports.now = new Date(world.ports.now.getTime() + 100_000);
      return listDocuments(source, page);
    };
    await world.harvest(december);
    // Two pages of 200 in each invocation: more invocations than a message may be received. Then those that are missing are
    // looked for, from page to page.
    expect(after.slice(0, 12)).toEqual([...new Set(after.slice(0, 12))].sort());
    expect(after.slice(12)).toEqual(after.slice(12).toSorted());
    expect(new Set(world.asked.slice(1))).toEqual(new Set(ids.slice(0, 100)));
    expect(world.events.filter((event) => event.startsWith("document.deleted"))).toHaveLength(100);
    expect(world.ports.oaiHarvestStates.get(sourceId)).not.toHaveProperty("reconciled");
  });

  it("fullHarvestDays 0 → never the whole list again", async () => {
    const world = new OaiWorld(repository(pagesOf("a"), about), { oai: { fullHarvestDays: 0 } });
    await world.harvest(monday);
    await world.harvest(december);
    expect(world.lists.at(-1)).toContain("from=");
  });
});

describe("a source that is changed while its list is read", () => {
  it.each<[string, Partial<NewSource>, string]>([
    ["another repository", { url: "https://other.example/oai" }, "metadataPrefix=oai_dc"],
    ["another set", { oai: { set: "new" } }, "metadataPrefix=oai_dc&set=new"],
    ["another format", { oai: { metadataPrefix: "mods" } }, "metadataPrefix=mods"],
    ["another first day", { oai: { from: "2020-01-01" } }, "metadataPrefix=oai_dc&from=2020-01-01"],
  ])("%s → the list is read to its end where it began, then the whole new list", async (_, change, next) => {
    const world = new OaiWorld(repository(pagesOf("ab", "c")));
    await world.start(monday);
    await world.read(2);
    world.ports.sourcesById.set(sourceId, source.parse({ ...world.source, ...change }));
    await world.read();
    expect(world.hosts.slice(0, 3)).toEqual(["r.example", "r.example", "r.example"]);
    const contents = [...world.ports.contents.values()];
    expect(contents.map(({ format }) => format)).toEqual(["oai_dc", "oai_dc", "oai_dc"]);
    await world.harvest(tuesday);
    expect(world.lists[2]).toBe(next);
    expect(world.hosts.at(-1)).toBe(new URL(world.source.url).host);
  });
});

describe("a source that is deleted", () => {
  it.each([
    ["after its list", undefined],
    ["while its list is read", 2],
  ])("%s, then added again → the whole list", async (_, count) => {
    const world = new OaiWorld(repository(pagesOf("ab", "c")));
    await world.start(monday);
    await world.read(count);
    for (const _time of [1, 2]) await endHarvests(sourceId, monday, world.ports);
    await world.read();
    await world.harvest(tuesday);
    expect(world.lists.slice(count === undefined ? 2 : -2)).toEqual([
      "metadataPrefix=oai_dc",
      "resumptionToken=1",
    ]);
  });

  it("deleted before, and added again while the deletion was still going on → its harvest continues", async () => {
    const world = new OaiWorld(repository(pagesOf("ab", "c")));
    await world.start(tuesday);
    await world.read(2);
    await endHarvests(sourceId, monday, world.ports);
    await world.read();
    expect(await world.ports.oaiHarvests.get(sourceId)).toMatchObject({
      last: { completeness: { type: "complete" } },
    });
  });

  it("a reader of its last page that is late → does not bring the old window back", async () => {
    const world = new OaiWorld(repository(pagesOf("a")));
    await world.start(monday);
    await world.read(1);
    const { oaiHarvests, runs } = world.ports;
    world.script = (args, nth) => {
      world.ports.oaiHarvestStates.delete(sourceId);
      return pagesOf("a")(args, nth);
    };
    await world.read();
    expect((await oaiHarvests.get(sourceId))?.responseDate).toBeUndefined();
    expect([...(await runs.listLongHarvests("LIVE"))]).toHaveLength(1);
  });
});

describe("one reader per source", () => {
  it("five schedules and two operators start one source at once → one list, read once", async () => {
    const world = new OaiWorld(repository(pagesOf("ab", "c")));
    const { ports, requests } = world;
    ports.now = new Date(monday);
    const started = ports.now.toISOString();
    const group = ports.groups.get("Test") as Group;
    const starts = Array.from({ length: 7 }, (_, number) =>
      startOaiHarvest(
        world.source,
        group,
        {
          runId: number < 5 ? `schedule-${number}` : `operator-${number}`,
          deliveryMode: "LIVE",
          startedAt: started,
        },
        { ...ports, requests },
      ),
    );
    const harvests = await Promise.all(starts);
    expect(new Set(harvests.map(({ runId }) => runId)).size).toBe(1);
    await world.read();
    expect(world.requested).toHaveLength(3);
    expect(world.events).toHaveLength(3);
  });

  it("a start while a harvest is in progress → that harvest; the run does not wait for it", async () => {
    const world = new OaiWorld(repository(pagesOf("ab", "c")));
    await world.start(monday);
    await world.read(2);
    await world.start(tuesday);
    expect(world.deliveries).toEqual(["live-20261103T200000Z"]);
    await world.read();
    expect(world.requested).toHaveLength(3);
    expect(world.deliveries).toEqual(["live-20261103T200000Z", "live-20261102T200000Z"]);
  });

  it("a start killed at any of its writes, then another start → one harvest", async () => {
    for (let writes = 0; writes < 12; writes += 1) {
      const world = new OaiWorld(repository(pagesOf("ab")));
      world.ports.dieAfter(writes, { before: false });
      await world.start(monday).catch(() => undefined);
      world.ports.live();
      await world.start(monday);
      await world.start(tuesday);
      await world.read();
      expect(world.requested, `killed after ${writes} writes`).toHaveLength(2);
      expect(world.documents("present")).toBe("ab");
    }
  });
});

describe("a harvest whose reader is killed", () => {
  it.each([
    ["complete", ["ab", "c", "d"], { type: "complete" }, "2026-05-01T10:00:00Z"],
    [
      "its one repetition is counted once",
      ["ab", "bc", "d"],
      { type: "shifting", reason: expect.stringContaining(" 1 of its 5 records ") },
      undefined,
    ],
  ])(
    "at any of its writes → %s, each document with one event of each change id",
    async (_, pages, completeness, window) => {
      for (let writes = 0; writes < 60; writes += 1) {
        const world = new OaiWorld(repository(pagesOf(...pages)));
        await world.start(monday);
        world.ports.dieAfter(writes, { before: writes % 2 === 0 });
        await world.read();
        const when = `killed after ${writes} writes`;
        expect(world.documents("present"), when).toBe("abcd");
        expect(new Set(world.ports.published.map(({ changeId }) => changeId)).size, when).toBe(4);
        expect(world.lists, when).toHaveLength(3);
        const state = world.ports.oaiHarvestStates.get(sourceId);
        expect([state?.last?.completeness, state?.responseDate], when).toEqual([completeness, window]);
      }
    },
  );
});

describe("the run that begins a harvest", () => {
  it("→ waits for the end of the list, then delivers", async () => {
    const world = new OaiWorld(repository(pagesOf("a", "b")));
    await world.start(monday);
    await world.read(2);
    expect(world.deliveries).toEqual([]);
    await world.read();
    expect(world.deliveries).toEqual(["live-20261102T200000Z"]);
  });

  const preview = async (world: OaiWorld) => {
    const { ports, requests } = world;
    ports.now = new Date(monday);
    await startHarvest(
      { deliveryMode: "NONE", scheduledTime: monday, sourceIds: [sourceId] },
      {
        ...ports,
        requests,
        deadlines: { schedule: async () => undefined },
        mail: { send: async () => undefined },
        delivery: { send: async () => undefined },
        runDeadlineMinutes: 180,
        softDeadlineMinutes: 0,
      },
    );
    await world.read();
  };

  it("as a preview → what the map of the source makes of its records", async () => {
    const record = `<record><header><identifier>a</identifier><datestamp>2026-01-01</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Bees</dc:title><dc:identifier>https://r.example/bees</dc:identifier><dc:subject>wasps</dc:subject></oai_dc:dc></metadata></record>`;
    const world = new OaiWorld(
      repository(() => listPage([record])),
      {
        crosswalk: { fields: { subject: [{ tag: "650", indicators: " 7", constants: { "2": "local" } }] } },
      },
    );
    await preview(world);
    const [marc] = [...world.ports.marcByKey.values()];
    const subjects = marc?.fields.filter(([tag]) => tag === "650" || tag === "653");
    expect(subjects).toEqual([
      [
        "650",
        " 7",
        [
          ["a", "wasps"],
          ["2", "local"],
        ],
      ],
    ]);
    expect(world.documents("present")).toBe("");
  });

  it("as a preview → the list itself, without documents or events", async () => {
    const world = new OaiWorld(repository(pagesOf("a", "b")));
    await preview(world);
    expect(world.lists).toEqual(["metadataPrefix=oai_dc", "resumptionToken=1"]);
    expect([world.documents("present"), world.events]).toEqual(["", []]);
  });
});

describe("documents that become records", () => {
  const address = "https://r.example/bees";
  const ofMetadata =
    (...all: string[]) =>
    () =>
      listPage(
        all.map(
          (metadata, at) =>
            `<record><header><identifier>${"abc"[at]}</identifier><datestamp>2026-01-01</datestamp></header><metadata>${metadata}</metadata></record>`,
        ),
      );
  const dublinCore = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Bees</dc:title><dc:identifier>${address}</dc:identifier><dc:date>2013-05-01</dc:date></oai_dc:dc>`;

  /** The outcomes that the next delivery takes. */
  async function joined(world: OaiWorld) {
    const run = { runId: "live-20261103T200000Z", deliveryMode: "LIVE" as const };
    const { runs, clock } = world.ports;
    const outcomes: DocumentOutcome[] = [];
    await readLongHarvests(
      { ...run, state: "delivering", startedAt: tuesday, deadlineAt: tuesday },
      { runs, clock },
      async (page) => void outcomes.push(...page),
    );
    return outcomes;
  }

  it.each([
    [
      "marcxml",
      `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">7</controlfield><controlfield tag="008">010203s2013    xx ||||||||||||||||||||||</controlfield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">Bees</subfield></datafield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">${address}</subfield></datafield></record>`,
    ],
    ["oai_dc", dublinCore],
    [
      "mods",
      `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Bees</title></titleInfo><originInfo><dateIssued>2013</dateIssued></originInfo><location><url>${address}</url></location></mods>`,
    ],
  ])("%s → kept, and a valid record that joins the next delivery", async (metadataPrefix, metadata) => {
    const world = new OaiWorld(repository(ofMetadata(metadata)), { oai: { metadataPrefix } });
    await world.harvest(monday);
    const [outcome, ...others] = await joined(world);
    expect(others).toEqual([]);
    expect(outcome).toMatchObject({
      state: "converted",
      title: "Bees",
      groupId: "Test",
      urls: [address],
      archiveKeys: [expect.stringContaining("r.example/bees")],
    });
    const [stored] = [...world.ports.recordsById.values()];
    expect(stored).toMatchObject({
      landingUrl: address,
      state: "harvested",
      syndicatedAt: "2013-01-01T00:00:00.000Z",
    });
    const marc = world.ports.marcByKey.get(stored?.recordKey ?? "");
    expect(marc?.control.slice(0, 2)).toEqual([
      ["001", expect.stringMatching(/^Test#2026-11-02#[0-9A-F]{40}$/)],
      ["003", "XX-1"],
    ]);
    expect(marc && validateRecord(marc)).toEqual({ outcome: "valid", findings: [] });
    expect(world.events).toEqual(["document.new a"]);
  });

  it("one without a title → kept, and dropped with the reason; the others become records", async () => {
    const untitled = dublinCore.replace("<dc:title>Bees</dc:title>", "");
    const world = new OaiWorld(repository(ofMetadata(untitled, dublinCore)));
    await world.harvest(monday);
    expect(await joined(world)).toMatchObject([
      { state: "dropped", title: "a", reason: expect.stringMatching(/^no-title: /) },
      { state: "converted", title: "Bees" },
    ]);
    expect(world.documents("present")).toBe("ab");
  });

  it("of another format → kept alone", async () => {
    const world = new OaiWorld(repository(ofMetadata('<mets xmlns="http://www.loc.gov/METS/"/>')));
    await world.harvest(monday);
    expect([world.documents("present"), await joined(world)]).toEqual(["a", []]);
  });

  it("without an address → its record leads to GetRecord", async () => {
    const local = dublinCore.replace(address, "box 7");
    const world = new OaiWorld(repository(ofMetadata(local)));
    await world.harvest(monday);
    const url = "https://r.example/oai?verb=GetRecord&identifier=a&metadataPrefix=oai_dc";
    expect(await joined(world)).toMatchObject([{ state: "converted", url, urls: [url] }]);
  });
});

describe("a set that is published", () => {
  it.each([
    ["with audiences, read completely → registered", { audiences: ["primo"] }, pagesOf("ab", "c"), 1],
    ["whose last audience was taken away → withdrawn", { audiences: [] }, pagesOf("a"), 1],
    ["without audiences → not registered", {}, pagesOf("a"), 0],
    ["of which a page is missing → not registered", { audiences: ["primo"] }, () => ({ status: 403 }), 0],
  ] as [string, { audiences?: "primo"[] }, Script, number][])("%s", async (_, settings, list, times) => {
    const world = new OaiWorld(repository(list), settings);
    await world.harvest(monday);
    expect(world.registered).toEqual(Array(times).fill(world.source.sourceId));
  });
});
