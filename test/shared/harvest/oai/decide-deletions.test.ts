import { describe, expect, it } from "vitest";
import { decideDeletions } from "../../../../shared/harvest/oai/decide-deletions.ts";
import { eventTypes } from "../../../../shared/records/events/event-types.ts";
import {
  errorPage,
  getRecord,
  listPage,
  record,
  type Script,
} from "../../../local/cli/harvest/scripted-repository.ts";
import { identify, noResponse, OaiWorld, sourceId } from "./oai-world.ts";

const about = identify({ deletedRecord: "no" });
const ids = Array.from({ length: 250 }, (_, n) => `r${n}`);

/** A list of one page. */
const listing =
  (listed: string[], attributes = "") =>
  ({ verb, identifier }: Readonly<Record<string, string>>) =>
    verb === "Identify"
      ? about
      : verb === "GetRecord"
        ? getRecord(listed, identifier)
        : listPage(
            listed.map((id) => record(id)),
            "",
            attributes,
          );

/** Months apart, so that each list is a full one. */
const at = (month: number) => `2027-${String(month).padStart(2, "0")}-01T20:00:00Z`;

async function worldOf(...lists: Script[]): Promise<OaiWorld> {
  const world = new OaiWorld(listing(ids));
  await world.harvest(at(1));
  for (const [number, list] of lists.entries()) {
    world.script = list;
    await world.harvest(at(2 + 2 * number));
  }
  return world;
}

const stateOf = (world: OaiWorld) => world.ports.oaiHarvestStates.get(sourceId);
const deleted = (world: OaiWorld) =>
  world.ports.published.filter(({ type }) => type === "document.deleted").length;
const heldEvents = (world: OaiWorld) =>
  world.ports.published.filter(({ type }) => type === "source.deletions-held");
const heldId = (world: OaiWorld) => stateOf(world)?.heldDeletions?.harvestId ?? "none";

describe("a full list that lacks documents", () => {
  it("one page of 2 that announces 250 → short: nothing is deleted", async () => {
    const world = await worldOf(listing(ids.slice(0, 2), 'completeListSize="250"'));
    expect(stateOf(world)?.last?.completeness).toEqual({ type: "short", announced: 250, read: 2 });
    expect(deleted(world)).toBe(0);
  });

  it.each([
    ["exists → it stays", ids, 0],
    ["is gone by the repository's word → deleted", ids.slice(1), 1],
  ])("as many records as before, one of them twice → shifting; the missing one %s", async (_, have, gone) => {
    const list = listing([...ids.slice(1), "r7"]);
    const world = await worldOf((args) =>
      args.verb === "GetRecord" ? getRecord(have, args.identifier) : list(args),
    );
    expect(stateOf(world)?.last?.completeness).toMatchObject({ type: "shifting" });
    // Another full list is due.
    expect(stateOf(world)?.lastFullAt).toBe("2027-01-01T20:00:00.000Z");
    expect([world.asked.slice(1), deleted(world)]).toEqual([["r0"], gone]);
  });

  it("one document, and has a record that cannot be read → it is asked for; it exists: nothing is deleted", async () => {
    const list = listing([...ids.slice(1), ""]);
    const world = await worldOf((args) =>
      args.verb === "GetRecord" ? getRecord(ids, args.identifier) : list(args),
    );
    expect([deleted(world), world.asked.slice(1), heldEvents(world)]).toEqual([0, ["r0"], []]);
  });

  it("documents, and does not answer GetRecord → held, with the reason, after one request; released → deleted", async () => {
    const list = listing(ids.slice(5));
    const world = await worldOf((args) => (args.verb === "GetRecord" ? errorPage("badVerb") : list(args)));
    expect([deleted(world), world.asked.length]).toEqual([0, 1]);
    expect(stateOf(world)?.heldDeletions).toMatchObject({ documents: 5, unconfirmed: "badVerb: said so" });
    await decideDeletions(sourceId, { harvestId: heldId(world), decision: "release" }, world.ports);
    await world.harvest(at(5));
    expect(deleted(world)).toBe(5);
  });

  it("one document, and answers GetRecord with another record → held: nothing says that it is gone", async () => {
    const list = listing(ids.slice(1));
    const world = await worldOf((args) => (args.verb === "GetRecord" ? getRecord(["r7"], "r7") : list(args)));
    expect([deleted(world), stateOf(world)?.heldDeletions?.documents]).toEqual([0, 1]);
  });

  it("documents, and its repository denies all records, also those that it lists → held, and nothing is deleted", async () => {
    const list = listing(ids.slice(5));
    const world = await worldOf((args) =>
      args.verb === "GetRecord" ? errorPage("idDoesNotExist") : list(args),
    );
    expect([deleted(world), world.asked.length]).toEqual([0, 1]);
    expect(stateOf(world)?.heldDeletions).toMatchObject({
      documents: 5,
      unconfirmed: "GetRecord denies a record that the list has",
    });
  });

  describe.each([
    ["no response", { status: noResponse }],
    ["503", { status: 503, body: "" }],
    ["429", { status: 429, body: "" }],
    ["a web page", { status: 200, body: "<html>Maintenance</html>" }],
    ["500, and that there is no such record", { status: 500, body: errorPage("idDoesNotExist") }],
  ])("documents, and answers GetRecord with %s", (_, answer) => {
    /** GetRecord is not answered by so many requests after the first ones, then as it should be. */
    const failing = (listed: string[], from: number, until: number): Script => {
      const list = listing(listed);
      let asked = 0;
      return (args) => {
        if (args.verb === "GetRecord" && asked++ >= from && asked <= until) return answer;
        return list(args);
      };
    };
    const names = ["heldDeletions", "releasedDeletions", "outage", "isFullWanted"];
    const noted = (world: OaiWorld) =>
      names.filter((name) => Object.keys(stateOf(world) ?? {}).includes(name));

    it.each([0, 1, 3])("twice, after %i → asked again: each is deleted", async (from) => {
      const world = await worldOf(failing(ids.slice(5), from, from + 2));
      expect([deleted(world), noted(world)]).toEqual([5, []]);
    });

    it.each([
      [0, 0],
      [1, 0],
      [3, 2],
    ])(
      "after %i without end → nothing is deleted or held; the next poll reads the whole list, and asks again",
      async (from, gone) => {
        const world = await worldOf(failing(ids.slice(5), from, Number.POSITIVE_INFINITY));
        expect([deleted(world), noted(world), heldEvents(world)]).toEqual([gone, names.slice(2), []]);
        world.script = listing(ids.slice(5));
        await world.harvest("2027-02-02T20:00:00Z");
        expect([deleted(world), noted(world)]).toEqual([5, []]);
      },
    );

    it("in two lists in a row → held, with the reason; the whole list is wanted no more", async () => {
      const silent = failing(ids.slice(5), 0, Number.POSITIVE_INFINITY);
      const world = await worldOf(silent, silent);
      expect([deleted(world), noted(world)]).toEqual([0, ["heldDeletions", "outage"]]);
      expect(stateOf(world)?.heldDeletions).toMatchObject({ documents: 5, unconfirmed: expect.any(String) });
    });

    it("after an operator has released them → they stay released, and the next list deletes them", async () => {
      const world = await worldOf(listing(ids.slice(100)));
      await decideDeletions(sourceId, { harvestId: heldId(world), decision: "release" }, world.ports);
      world.script = failing(ids.slice(100), 3, 30);
      await world.harvest(at(3));
      expect(deleted(world)).toBeLessThan(100);
      expect(noted(world)).toEqual(names);
      world.script = listing(ids.slice(100));
      await world.harvest("2027-03-02T20:00:00Z");
      expect([deleted(world), noted(world), heldEvents(world).length]).toEqual([100, [], 1]);
    });
  });

  it("a document of a set that no header names → it exists: it stays", async () => {
    const world = new OaiWorld(listing(ids), { oai: { set: "virtual" } });
    await world.harvest(at(1));
    const list = listing(ids.slice(1));
    world.script = (args) => (args.verb === "GetRecord" ? getRecord(ids, args.identifier) : list(args));
    await world.harvest(at(2));
    expect([deleted(world), world.asked.at(-1)]).toEqual([0, "r0"]);
  });

  it("more documents than may be asked for after it → the others are asked for after the next list", async () => {
    const many = Array.from({ length: 3000 }, (_, n) => `m${n}`);
    const world = new OaiWorld(listing(many));
    await world.harvest(at(1));
    world.script = listing(many.slice(140));
    await world.harvest(at(2));
    expect([deleted(world), world.asked.length]).toEqual([100, 101]);
    await world.harvest(at(4));
    expect([deleted(world), world.asked.length]).toEqual([140, 142]);
  });

  it("none, and has records that cannot be read → nothing is held", async () => {
    const world = await worldOf(listing([...ids, "", ""]));
    expect([deleted(world), heldEvents(world)]).toEqual([0, []]);
    expect(stateOf(world)?.last?.completeness).toEqual({ type: "complete" });
  });

  it("begun again after a page, then shifted → what the first attempt has listed counts no more", async () => {
    const world = new OaiWorld(listing(ids));
    await world.harvest(at(1));
    const listed = (all: string[], token: string) =>
      listPage(
        all.map((id) => record(id)),
        token,
      );
    // The first attempt lists r0, which the second one lacks, as r1 came twice.
    world.script = ({ verb, resumptionToken }, nth) => {
      if (verb === "Identify") return about;
      if (resumptionToken === "expired") return errorPage("badResumptionToken");
      if (resumptionToken === undefined)
        return nth === 2 ? listed(["r0"], "expired") : listed(["r1", ...ids.slice(1, 240)], "rest");
      return listed(ids.slice(240), "");
    };
    await world.harvest(at(2));
    expect(stateOf(world)?.last?.completeness).toMatchObject({ type: "shifting" });
    expect(deleted(world)).toBe(0);
  });

  it("20 of 250 → deleted", async () => {
    const world = await worldOf(listing(ids.slice(20)));
    expect([deleted(world), heldEvents(world)]).toEqual([20, []]);
  });

  it("21 of 250 → held: none is deleted, and one valid event, however often its message comes", async () => {
    const world = new OaiWorld(listing(ids));
    await world.harvest(at(1));
    world.script = listing(ids.slice(21));
    await world.start(at(2));
    await world.read(1);
    const [last] = world.queue;
    await world.read();
    if (last !== undefined) world.queue.push(last);
    await world.read();
    expect(deleted(world)).toBe(0);
    const events = heldEvents(world);
    expect(new Set(events.map(({ changeId }) => changeId)).size).toBe(1);
    expect(eventTypes["source.deletions-held"].detail.parse(events[0]?.detail)).toMatchObject({
      ...{ sourceId, documents: 21, of: 250 },
    });
    expect(stateOf(world)?.heldDeletions).toMatchObject({ documents: 21, of: 250, examples: { length: 10 } });
  });

  it("held, then listed again → nothing is held any more", async () => {
    const world = await worldOf(listing(ids.slice(21)), listing(ids));
    expect([deleted(world), stateOf(world)]).toEqual([0, expect.not.objectContaining({ heldDeletions: {} })]);
    expect(stateOf(world)).not.toHaveProperty("heldDeletions");
  });
});

describe("an operator's decision on held deletions", () => {
  it.each([
    ["release → the next list deletes what it lacks, too", ["release"], 100],
    ["release twice → the same", ["release", "release"], 100],
    ["drop → the documents stay", ["drop"], 0],
    ["release, then drop → the documents stay", ["release", "drop"], 0],
  ] as const)("%s", async (_, decisions, gone) => {
    const world = await worldOf(listing(ids.slice(100)));
    const harvestId = heldId(world);
    for (const decision of decisions) {
      expect(await decideDeletions(sourceId, { harvestId, decision }, world.ports)).toBe("decided");
    }
    await world.harvest(at(3));
    expect(deleted(world)).toBe(gone);
    if (gone > 0) expect(stateOf(world)).not.toHaveProperty("heldDeletions");
    expect(stateOf(world)).not.toHaveProperty("releasedDeletions");
  });

  it("release, then a list that shifts → the next full list, wanted at once, deletes what it lacks, too", async () => {
    const world = await worldOf(listing(ids.slice(100)));
    await decideDeletions(sourceId, { harvestId: heldId(world), decision: "release" }, world.ports);
    const shifted = listing([...ids.slice(100), "r107"]);
    world.script = (args) => (args.verb === "GetRecord" ? errorPage("badVerb") : shifted(args));
    await world.harvest(at(3));
    expect(stateOf(world)?.last?.completeness).toMatchObject({ type: "shifting" });
    expect([deleted(world), stateOf(world)?.isFullWanted]).toEqual([0, true]);
    world.script = listing(ids.slice(100));
    await world.harvest("2027-03-02T20:00:00Z");
    expect(deleted(world)).toBe(100);
    for (const name of ["heldDeletions", "releasedDeletions", "isFullWanted"])
      expect(stateOf(world)).not.toHaveProperty(name);
  });

  it("release, then a list that shifts and has more to ask for than it may → the next one asks for all", async () => {
    const many = Array.from({ length: 3000 }, (_, n) => `m${n}`);
    const world = new OaiWorld(listing(many));
    await world.harvest(at(1));
    world.script = listing(many.slice(400));
    await world.harvest(at(2));
    await decideDeletions(sourceId, { harvestId: heldId(world), decision: "release" }, world.ports);
    const shifted = listing([...many.slice(400), "m500"]);
    let asked = 0;
    // Every second question is not answered: these documents stay behind those that the next list would begin with.
    world.script = (args) =>
      args.verb === "GetRecord" && asked++ % 2 === 1 ? errorPage("badArgument") : shifted(args);
    await world.harvest(at(3));
    expect(deleted(world)).toBe(50);
    world.script = listing(many.slice(400));
    await world.harvest("2027-03-02T20:00:00Z");
    expect(deleted(world)).toBe(400);
  });

  it("release, then a list that lacks other documents, too → held again", async () => {
    const world = await worldOf(listing(ids.slice(100)));
    await decideDeletions(sourceId, { harvestId: heldId(world), decision: "release" }, world.ports);
    world.script = listing(ids.slice(130));
    await world.harvest(at(3));
    expect(deleted(world)).toBe(0);
    expect(stateOf(world)?.heldDeletions?.documents).toBe(130);
    expect(heldEvents(world)).toHaveLength(2);
  });

  it("release, then a list that is short → the release stays; the next list deletes", async () => {
    const world = await worldOf(listing(ids.slice(100)));
    await decideDeletions(sourceId, { harvestId: heldId(world), decision: "release" }, world.ports);
    world.script = listing(ids.slice(240), 'completeListSize="250"');
    await world.harvest(at(3));
    expect(deleted(world)).toBe(0);
    world.script = listing(ids.slice(100));
    await world.harvest("2027-03-02T20:00:00Z");
    expect(deleted(world)).toBe(100);
  });

  it("on another list's deletions, or when nothing is held → gone", async () => {
    const world = await worldOf(listing(ids.slice(100)));
    expect(await decideDeletions(sourceId, { harvestId: "x", decision: "drop" }, world.ports)).toBe("gone");
    const harvestId = heldId(world);
    await decideDeletions(sourceId, { harvestId, decision: "drop" }, world.ports);
    expect(await decideDeletions(sourceId, { harvestId, decision: "drop" }, world.ports)).toBe("gone");
  });
});

describe("a reader that is killed while it compares or deletes", () => {
  it.each([
    ["20 of 250 are gone → each deleted once", 20, 20],
    ["21 of 250 are gone → held", 21, 0],
  ])("%s", async (_, gone, expected) => {
    for (let writes = 0; writes < 60; writes += 4) {
      const world = new OaiWorld(listing(ids));
      await world.harvest(at(1));
      world.script = listing(ids.slice(gone));
      await world.start(at(2));
      // Past the marks of those that are listed.
      world.ports.dieAfter(225 + writes, { before: writes % 8 === 0 });
      await world.read();
      const changes = world.ports.published.filter(({ type }) => type === "document.deleted");
      expect(new Set(changes.map(({ changeId }) => changeId)).size, `after ${writes}`).toBe(expected);
      expect(stateOf(world)?.last?.completeness.type).toBe("complete");
      expect(heldEvents(world).length > 0).toBe(expected === 0);
    }
  });
});
