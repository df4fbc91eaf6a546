import { decideDeletions } from "../../../../shared/harvest/oai/decide-deletions.ts";
import { changeHarvestState } from "../../../../shared/harvest/oai-state/harvest-state.ts";
import type { DomainEvent } from "../../../../shared/records/events/events.ts";
import { type Change, type Conduct, honest, LyingRepository, lies, recordLies } from "./lying-repository.ts";
import { OaiWorld, sourceId } from "./oai-world.ts";

const dayMs = 86_400_000;
const begin = Date.parse("2027-01-01T20:00:00Z");

/** Full lists are due as often, so that many polls read one. */
const fullHarvestDays = 3;

/** What the events have said of a document so far. */
interface Told {
  state: "present" | "deleted";
  version: number;
  datestamp: string | undefined;
  at: string;
  /** Whether it was ever said to be there. */
  wasThere: boolean;
}

/** A source of a repository that lies at random, and what must be true of each of its events. */
export class LyingModel {
  readonly repository: LyingRepository;
  readonly world: OaiWorld;
  /** What was wrong with events, in words. */
  readonly faults: string[] = [];
  /** What the repository did in each poll. */
  readonly conducts: string[] = [];
  readonly counts: Record<string, number> = {};
  private readonly told = new Map<string, Told>();
  private readonly gone = new Map<string, string>();
  private nowMs = begin;
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
    const [size, pageSize] = [120 + this.draw(180), 10 + this.draw(15)];
    this.repository = new LyingRepository(size, pageSize, () => new Date(this.nowMs));
    this.world = new OaiWorld(this.repository.script, { oai: { fullHarvestDays } });
    const { events } = this.world.ports;
    const { publish } = events;
    events.publish = async (event: DomainEvent) => {
      this.judge(event);
      await publish(event);
    };
  }

  /** A number below `end`. */
  private draw(end: number): number {
    return Math.floor(this.random() * end);
  }

  /** Some days later, after records have come and gone, the list is read again. */
  async poll(conduct: Conduct = this.drawConduct()): Promise<void> {
    this.nowMs += dayMs * (this.random() < 0.05 ? 20 + this.draw(25) : 1 + this.draw(2));
    this.move();
    await this.list(conduct);
    if (this.random() < 0.5) await this.decide();
  }

  /** Two full lists of an honest repository: all that is gone by then is deleted. */
  async settle(): Promise<void> {
    for (const _list of [1, 2]) {
      this.nowMs += dayMs;
      const { oaiHarvests } = this.world.ports;
      await changeHarvestState(sourceId, async (state) => ({ ...state, isFullWanted: true }), oaiHarvests);
      await this.list(honest);
      await this.decide();
    }
  }

  private async list(conduct: Conduct): Promise<void> {
    this.repository.conduct = conduct;
    this.conducts.push(`${conduct.lie}, ${conduct.recordLie}`);
    await this.world.harvest(new Date(this.nowMs).toISOString());
    await this.judgeList();
  }

  /** After a complete list, each change before its window is known, unless no reader could know of it. */
  private async judgeList(): Promise<void> {
    const state = await this.world.ports.oaiHarvests.get(sourceId);
    const { responseDate: window = "", last: { completeness } = {} } = state ?? {};
    const kind = `list ${completeness?.type}`;
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    if (completeness?.type !== "complete") return;
    const { existing, lost } = this.repository;
    const known = this.present;
    for (const [id, datestamp] of existing) {
      if (datestamp >= window || lost.get(id) === datestamp || known.get(id) === datestamp) continue;
      this.faults.push(
        `${id}: is known as of ${known.get(id)}, not ${datestamp}, after the list ${this.world.lists.at(-1)}`,
      );
    }
  }

  /** Anything at the same time. */
  private drawConduct(): Conduct {
    const types: Change["type"][] = ["changed", "added", "deleted"];
    const changes = Array.from({ length: this.draw(3) }, () => ({
      page: 1 + this.draw(6),
      place: this.random(),
      type: types[this.draw(3)] ?? "changed",
    }));
    const isFlaky = this.random() < 0.2;
    return {
      lie: lies[this.draw(lies.length)] ?? "none",
      recordLie: recordLies[this.draw(recordLies.length)] ?? "right",
      changes,
      isDown: () => isFlaky && this.random() < 0.3,
    };
  }

  /** Records come, change, go and are back; tombstones are forgotten. A hundred stay. */
  private move(): void {
    const { repository, gone } = this;
    const before = repository.existing;
    repository.add(this.draw(4));
    const changes = this.random() < 0.3 ? 60 : 4;
    for (let n = this.draw(changes); n > 0; n -= 1) repository.change(this.random());
    const most = this.random() < 0.1 ? 60 : 5;
    const spare = repository.existing.size - 100;
    repository.remove(Math.max(0, Math.min(this.draw(most), spare)), this.random(), this.random() < 0.5);
    if (this.random() < 0.3) repository.forgetTombstones();
    for (const [id, datestamp] of before) if (!repository.existing.has(id)) gone.set(id, datestamp);
    for (const [id, datestamp] of gone) {
      if (this.random() > 0.03) continue;
      repository.restore(id, this.random() < 0.5 ? datestamp : undefined);
      gone.delete(id);
    }
  }

  /** An operator who looks whether the documents exist. */
  private async decide(): Promise<void> {
    const { oaiHarvests } = this.world.ports;
    const held = (await oaiHarvests.get(sourceId))?.heldDeletions;
    if (held === undefined) return;
    const missing = this.documents.filter(
      ({ state, listedIn }) => state === "present" && listedIn !== held.mark,
    );
    const exist = missing.some(({ identifier: [id] }) => this.repository.existing.has(id));
    const decision = exist ? "drop" : "release";
    await decideDeletions(sourceId, { harvestId: held.harvestId, decision }, { oaiHarvests });
  }

  private get documents() {
    return [...this.world.ports.documentsByKey.values()];
  }

  /** The datestamps of the documents that are there, by identifier. */
  get present(): Map<string, string | undefined> {
    const present = this.documents.filter(({ state }) => state === "present");
    return new Map(present.map(({ identifier: [id], versions }) => [id, versions.at(-1)?.datestamp]));
  }

  /** An event must be true of the repository when it is published, and follow from the ones before it. */
  private judge({ type, detail }: DomainEvent): void {
    if (!type.startsWith("document.")) return;
    const id = String(detail.identifier);
    const { version, at, datestamp, changes } = detail as unknown as Told & { changes?: string[] };
    const before = this.told.get(id);
    const exists = this.repository.existing.get(id);
    const fault = (what: string) => void this.faults.push(`${id}: ${type} ${what}`);
    this.counts[type] = (this.counts[type] ?? 0) + 1;
    if (version !== (before?.version ?? 0) + 1) fault(`is version ${version} after ${before?.version}`);
    if (type === "document.deleted") {
      if (exists !== undefined) fault("exists");
      if (before?.state === "deleted") fault("was deleted before");
    } else {
      if (exists === undefined) fault("does not exist");
      else if (exists !== datestamp) fault(`has the datestamp ${exists}, not ${datestamp}`);
      const days = before && (Date.parse(at) - Date.parse(before.at)) / dayMs;
      const isBack = before?.state === "deleted";
      const isUndone = isBack && before.wasThere && (days ?? 0) <= 30;
      const expected = before === undefined || (isBack && !isUndone) ? "document.new" : "document.opened";
      if (type !== expected) fault(`should be ${expected}`);
      if (type === "document.opened" && changes?.includes("state") !== isBack) fault(`says ${changes}`);
      if (type === "document.opened" && !isBack && before?.datestamp === datestamp) fault("has not changed");
    }
    const state = type === "document.deleted" ? "deleted" : "present";
    const wasThere = before?.wasThere === true || state === "present";
    this.told.set(id, { state, version, at, datestamp, wasThere });
  }
}
