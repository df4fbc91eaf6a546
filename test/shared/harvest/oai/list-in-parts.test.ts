import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { currentVersion } from "../../../../shared/records/documents/document.ts";
import { type NewSource, source } from "../../../../shared/records/sources/source.ts";
import { envelope, errorPage, type Script } from "../../../local/cli/harvest/scripted-repository.ts";
import { OaiWorld, sourceId } from "./oai-world.ts";

interface Row {
  datestamp: string;
  sets: string[];
}

const dayMs = 86_400_000;
const begin = Date.parse("2027-01-01T20:00:00Z");
const seconds = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A repository without deleted records, with sets that overlap, whose lists break now and then. */
class Repository {
  readonly rows = new Map<string, Row>();
  nowMs = begin;
  /** Whether the list with these arguments breaks. */
  breaks: (args: Readonly<Record<string, string>>) => boolean = () => false;
  private readonly pageSize: number;
  private readonly isOfDays: boolean;

  constructor(pageSize: number, isOfDays: boolean) {
    this.pageSize = pageSize;
    this.isOfDays = isOfDays;
  }

  readonly script: Script = (args) =>
    this.answer(args).replace(/<responseDate>.*?</, `<responseDate>${seconds(this.nowMs)}<`);

  private answer(args: Readonly<Record<string, string>>): string {
    const { verb = "", identifier = "" } = args;
    if (verb === "Identify") return this.identify();
    if (verb !== "GetRecord") return this.list(verb, args);
    const row = this.rows.get(identifier);
    if (row === undefined) return errorPage("idDoesNotExist");
    return envelope(`<GetRecord>${this.entry("ListRecords", identifier, row)}</GetRecord>`);
  }

  private identify(): string {
    const granularity = this.isOfDays ? "YYYY-MM-DD" : "YYYY-MM-DDThh:mm:ssZ";
    return envelope(
      `<Identify><repositoryName>R</repositoryName><earliestDatestamp>2026-10-05</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>${granularity}</granularity></Identify>`,
    );
  }

  private list(verb: string, given: Readonly<Record<string, string>>): string {
    const { resumptionToken } = given;
    const args =
      resumptionToken === undefined ? given : Object.fromEntries(new URLSearchParams(resumptionToken));
    const { set, from = "", until = "~", at = "0" } = args;
    if (this.breaks(args) && at !== "0") return errorPage("badArgument");
    if (this.isOfDays && `${from}${until}`.includes("T")) return errorPage("badArgument");
    const listed = [...this.rows].filter(
      ([, { datestamp, sets }]) =>
        datestamp.slice(0, from.length) >= from &&
        datestamp.slice(0, until.length) <= until &&
        (set === undefined || sets.includes(set)),
    );
    if (listed.length === 0) return errorPage("noRecordsMatch");
    const end = Number(at) + this.pageSize;
    const token = new URLSearchParams({ ...args, verb, at: String(end) }).toString().replaceAll("&", "&amp;");
    const more = end < listed.length ? token : "";
    const entries = listed.slice(Number(at), end).map(([id, row]) => this.entry(verb, id, row));
    return envelope(
      `<${verb}>${entries.join("")}<resumptionToken completeListSize="${listed.length}">${more}</resumptionToken></${verb}>`,
    );
  }

  private entry(verb: string, id: string, { datestamp, sets }: Row): string {
    const specs = sets.map((set) => `<setSpec>${set}</setSpec>`).join("");
    const header = `<header><identifier>${id}</identifier><datestamp>${this.isOfDays ? datestamp.slice(0, 10) : datestamp}</datestamp>${specs}</header>`;
    if (verb === "ListIdentifiers") return header;
    return `<record>${header}<metadata><m xmlns="urn:m"><title>${id} ${datestamp}</title></m></metadata></record>`;
  }
}

const settings = {
  sets: ["none", "one", "two"],
  slice: ["none", "month", "year"],
  by: ["records", "identifiers"],
};

/** A source of a random repository, with random settings. */
class Model {
  readonly repository: Repository;
  readonly world: OaiWorld;
  readonly sets: string[] | undefined;
  readonly oai: NonNullable<NewSource["oai"]>;
  private count = 0;
  private seen = 0;
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
    const isOfDays = random() < 0.3;
    this.repository = new Repository(3 + Math.floor(random() * 8), isOfDays);
    const sets = this.pick(settings.sets);
    this.sets = sets === "none" ? undefined : sets === "one" ? ["a"] : ["a", "b"];
    this.oai = source.shape.oai.parse({
      ...(this.sets && { sets: this.sets.map((set) => ({ set })) }),
      slice: this.pick(settings.slice),
      reconcileBy: this.pick(settings.by),
    });
    this.world = new OaiWorld(this.repository.script, { oai: this.oai });
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.random() * values.length)] as Value;
  }

  /** Records that come, some with datestamps of the past, change, move between sets, and go. */
  move(): void {
    const { repository, random } = this;
    const { rows, nowMs } = repository;
    // A header without a set leaves its set open.
    const drawn = () => ["c", ...["a", "b"].filter(() => random() < 0.5)];
    for (let n = Math.floor(random() * 8); n > 0; n -= 1) {
      const at = random() < 0.3 ? nowMs - random() * 90 * dayMs : nowMs;
      this.count += 1;
      rows.set(`r${this.count}`, { datestamp: seconds(at), sets: drawn() });
    }
    for (const id of [...rows.keys()].filter(() => random() < 0.08)) {
      const what = random();
      if (what < 0.4) rows.delete(id);
      else
        rows.set(id, { datestamp: seconds(nowMs), sets: what < 0.7 ? drawn() : (rows.get(id)?.sets ?? []) });
    }
  }

  /** What the source should have. */
  get expected(): string[] {
    const isHarvested = ({ sets }: Row) => this.sets?.some((set) => sets.includes(set)) ?? true;
    return [...this.repository.rows].flatMap(([id, row]) =>
      isHarvested(row) ? [`${id} ${row.datestamp}`] : [],
    );
  }

  /** What it has, in its latest version. */
  get present(): string[] {
    const all = [...this.world.ports.documentsByKey.values()].filter(({ state }) => state === "present");
    return all.map((document) => `${document.identifier[0]} ${currentVersion(document).datestamp}`);
  }

  /** Reads a list some days later. @returns the documents that were deleted although they exist */
  async harvest(days: number): Promise<string[]> {
    this.repository.nowMs += days * dayMs;
    this.move();
    await this.world.harvest(new Date(this.repository.nowMs).toISOString());
    const events = this.world.ports.published.slice(this.seen);
    this.seen += events.length;
    const existing = new Set(this.expected.map((each) => each.split(" ")[0]));
    return events.flatMap(({ type, detail }) =>
      type === "document.deleted" && existing.has(String(detail.identifier))
        ? [String(detail.identifier)]
        : [],
    );
  }
}

const days = (entries: string[]) => entries.map((entry) => entry.slice(0, entry.indexOf("T"))).sort();
const ids = (entries: string[]) => entries.map((entry) => entry.split(" ")[0]).sort();

describe("lists of several sets, in slices, by records or identifiers, drawn at random", () => {
  it.each(Array.from({ length: 120 }, (_, seed) => seed + 1))(
    "world %i → no existing document is deleted; after a full list and a list of changes, all is as in the repository",
    async (seed) => {
      const random = seededRandom(seed);
      const model = new Model(random);
      for (let round = 0; round < 6; round += 1) {
        const broken = model.pick([undefined, undefined, "a", "b", "2027-01", "2026-11"]);
        model.repository.breaks = ({ set = "", from = "", until = "" }) =>
          broken !== undefined && [set, from.slice(0, 7), until.slice(0, 7)].includes(broken);
        expect(await model.harvest(random() < 0.4 ? 31 : 1), JSON.stringify(model.oai)).toEqual([]);
      }
      model.repository.breaks = () => false;
      // A list that was broken is read again, as a full one.
      for (const wait of [1, 31]) expect(await model.harvest(wait)).toEqual([]);
      model.move = () => undefined;
      for (const wait of [31, 1]) expect(await model.harvest(wait)).toEqual([]);
      const { heldDeletions, last } = model.world.ports.oaiHarvestStates.get(sourceId) ?? {};
      expect({ heldDeletions, last: last?.completeness }).toEqual({ last: { type: "complete" } });
      expect(ids(model.present), JSON.stringify(model.oai)).toEqual(ids(model.expected));
      expect(days(model.present).length).toBe(model.expected.length);
    },
  );
});
