import { describe, expect, it } from "vitest";
import { pollSources } from "../../../../shared/harvest/polls/poll-sources.ts";
import { listPage, record } from "../../../local/cli/harvest/scripted-repository.ts";
import { type Conduct, honest, LyingRepository } from "./lying-repository.ts";
import { identify, OaiWorld, sourceId } from "./oai-world.ts";

const at = (day: number) => new Date(Date.UTC(2027, 0, day, 20)).toISOString();

/** A source of 250 records in pages of 50. */
class Shifting {
  private now = new Date(at(1));
  readonly repository = new LyingRepository(250, 50, () => this.now);
  readonly world: OaiWorld;

  constructor(settings: ConstructorParameters<typeof OaiWorld>[1] = {}) {
    this.world = new OaiWorld(this.repository.script, settings);
    this.now = new Date(at(2));
  }

  get state() {
    return this.world.ports.oaiHarvestStates.get(sourceId);
  }

  /** The datestamps of the documents, by identifier. */
  get known() {
    const documents = [...this.world.ports.documentsByKey.values()];
    return new Map(documents.map(({ identifier: [id], versions }) => [id, versions.at(-1)?.datestamp]));
  }

  get closed(): number {
    return this.world.ports.published.filter(({ type }) => type === "source.closed").length;
  }

  /** Reads the list of a day. @returns how complete it was */
  async list(day: number, conduct: Conduct = honest): Promise<string | undefined> {
    this.now = new Date(at(day));
    this.repository.conduct = conduct;
    if (this.world.source.reading === undefined) await this.world.harvest(at(day));
    else {
      this.world.ports.now = this.now;
      await pollSources(this.now, this.world.pollPorts);
      await this.world.read();
    }
    return this.state?.last?.completeness.type;
  }

  /** Changes the records that a list of all begins with. */
  touch(day: number, count: number): void {
    this.now = new Date(at(day));
    for (let n = 0; n < count; n += 1) this.repository.change(0);
  }
}

/** While a list is read, after two of its pages, the record at this place of all 250 changes. */
const shift = (place: number): Conduct => ({
  ...honest,
  changes: [{ page: 2, place: place / 250, type: "changed" }],
});

describe("a list of changes that skips one, as a record of its first page changes", () => {
  it("→ shifting: the window stays, and the next list has the change", async () => {
    const source = new Shifting({ oai: { fullHarvestDays: 0 } });
    expect(await source.list(2)).toBe("complete");
    const window = source.state?.responseDate;
    source.touch(3, 200);
    expect(await source.list(4, shift(50))).toBe("shifting");
    expect(source.known).not.toEqual(source.repository.existing);
    expect(source.state?.responseDate).toBe(window);
    expect(await source.list(5)).toBe("complete");
    expect(source.known).toEqual(source.repository.existing);
    expect(source.state?.responseDate).toBe("2027-01-05T20:00:00Z");
  });

  it("three times in a row → the window moves to the beginning of the first of these lists", async () => {
    const source = new Shifting({ oai: { fullHarvestDays: 0 } });
    await source.list(2);
    source.touch(3, 200);
    const seen: unknown[] = [];
    for (const day of [4, 5, 6, 7]) {
      await source.list(day, shift(50));
      seen.push([source.state?.responseDate?.slice(0, 10), source.state?.last?.completeness]);
    }
    const reason = expect.stringContaining("1 of its 200 records");
    expect(seen).toEqual([
      ["2027-01-02", { type: "shifting", reason }],
      ["2027-01-02", { type: "shifting", reason }],
      ["2027-01-04", { type: "shifting", reason, isRead: true }],
      ["2027-01-07", { type: "complete" }],
    ]);
  });
});

describe("a first list that skips a record", () => {
  it("→ shifting: it is read again; the source is closed by the next list", async () => {
    const source = new Shifting({ reading: { mode: "synchronous" } });
    expect(await source.list(2, shift(0))).toBe("shifting");
    expect(source.known.size).toBe(249);
    expect([source.closed, source.state?.lastFullAt, source.state?.responseDate]).toEqual([
      0,
      undefined,
      undefined,
    ]);
    expect(await source.list(3)).toBe("complete");
    expect(source.known).toEqual(source.repository.existing);
    expect([source.closed, await source.list(4), source.closed]).toEqual([1, "complete", 1]);
    expect(source.world.lists.filter((query) => query === "metadataPrefix=oai_dc")).toHaveLength(2);
  });

  it("and then one without records → empty: it had some", async () => {
    const source = new Shifting();
    await source.list(2, shift(0));
    expect(await source.list(3, { ...honest, lie: "no record at all" })).toBe("empty");
    expect(source.state?.lastFullAt).toBeUndefined();
  });
});

describe("a repository that always has a record twice", () => {
  const twice = ({ verb }: Readonly<Record<string, string>>) =>
    verb === "Identify" ? identify() : listPage(["a", "b", "a"].map((id) => record(id)));

  it("→ after three lists, it counts as read; then changes are read, from three lists before", async () => {
    const world = new OaiWorld(twice);
    const state = () => world.ports.oaiHarvestStates.get(sourceId);
    for (const day of [2, 3]) await world.harvest(at(day));
    expect(state()).not.toHaveProperty("lastFullAt");
    for (const day of [4, 5, 6]) await world.harvest(at(day));
    expect(state()?.lastFullAt).toBe(at(4));
    expect(world.lists.map((query) => /from=/.test(query))).toEqual([false, false, false, true, true]);
    expect(state()?.last?.completeness).toMatchObject({ type: "shifting", isRead: true });
  });

  it("once → closed after three lists", async () => {
    const world = new OaiWorld(twice, { reading: { mode: "synchronous" } });
    const closed: number[] = [];
    for (const day of [2, 3, 4, 5]) {
      world.ports.now = new Date(at(day));
      await pollSources(world.ports.now, world.pollPorts);
      await world.read();
      closed.push(world.ports.published.filter(({ type }) => type === "source.closed").length);
    }
    expect(closed).toEqual([0, 0, 1, 1]);
    expect(world.lists).toHaveLength(3);
  });
});

describe("records that a list names more than once, and has not repeated", () => {
  it("those of several sets, in the list of each → complete", async () => {
    const sets = [{ set: "s1" }, { set: "s2" }];
    const world = new OaiWorld(
      ({ verb }) => (verb === "Identify" ? identify() : listPage([record("a"), record("b")])),
      { oai: { sets } },
    );
    await world.harvest(at(2));
    expect(world.ports.oaiHarvestStates.get(sourceId)?.last?.completeness).toEqual({ type: "complete" });
  });

  it.each([
    ["the sizes of pages", [2, 2, 1], "complete"],
    ["what is left", [5, 3, 1], "complete"],
    ["a record that is gone meanwhile", [6, 5, 5], "shifting"],
  ])("completeListSize says %s → %s", async (_, sizes, expected) => {
    const pages = [["a", "b"], ["c", "d"], ["e"]];
    const world = new OaiWorld(({ verb, resumptionToken = "0" }) => {
      if (verb === "Identify") return identify();
      const page = Number(resumptionToken);
      const records = (pages[page] ?? []).map((id) => record(id));
      return listPage(records, page < 2 ? String(page + 1) : "", `completeListSize="${sizes[page]}"`);
    });
    await world.harvest(at(2));
    expect(world.ports.oaiHarvestStates.get(sourceId)?.last?.completeness.type).toBe(expected);
  });
});
