import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { decideDeletions } from "../../../../shared/harvest/oai/held-deletions.ts";
import { type Change, LyingRepository, lies, recordLies } from "./lying-repository.ts";
import { OaiWorld, sourceId } from "./oai-world.ts";

const worlds = 40;
const listsOfWorld = 25;
const dayMs = 86_400_000;
const begin = Date.parse("2027-01-01T20:00:00Z");

/** What happens while a list is read: anything, at the same time. */
function draw(random: () => number): Pick<LyingRepository, "lie" | "recordLie" | "changes"> {
  const lie = lies[Math.floor(random() * lies.length)] ?? "none";
  const recordLie = recordLies[Math.floor(random() * recordLies.length)] ?? "right";
  const types: Change["type"][] = ["changed", "added", "deleted"];
  const changes = Array.from({ length: Math.floor(random() * 3) }, () => ({
    page: 1 + Math.floor(random() * 6),
    place: random(),
    type: types[Math.floor(random() * types.length)] ?? "changed",
  }));
  return { lie, recordLie, changes };
}

class Model {
  readonly repository: LyingRepository;
  readonly world: OaiWorld;
  private lists = 0;
  private seen = 0;

  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
    this.repository = new LyingRepository(120 + Math.floor(random() * 180), 10 + Math.floor(random() * 15));
    this.world = new OaiWorld(this.repository.script);
  }

  /** Reads a full list. @returns what was deleted and exists */
  async list(): Promise<string[]> {
    this.lists += 1;
    await this.world.harvest(new Date(begin + this.lists * 31 * dayMs).toISOString());
    const events = this.world.ports.published.slice(this.seen);
    this.seen += events.length;
    const exists = new Set(this.repository.ids);
    return events.flatMap(({ type, detail }) =>
      type === "document.deleted" && exists.has(String(detail.identifier)) ? [String(detail.identifier)] : [],
    );
  }

  /** Records that come and go between two lists: a hundred stay. */
  move(): void {
    const { repository, random } = this;
    repository.add(Math.floor(random() * 6));
    const gone = Math.floor(random() * (random() < 0.3 ? 60 : 6));
    repository.remove(Math.min(gone, repository.ids.length - 100), random());
  }

  /** An operator who looks whether the documents exist. @returns whether some were held */
  async decide(): Promise<boolean> {
    const held = this.world.ports.oaiHarvestStates.get(sourceId)?.heldDeletions;
    if (held === undefined) return false;
    const documents = [...this.world.ports.documentsByKey.values()];
    const missing = documents.filter(({ state, listedIn }) => state === "present" && listedIn !== held.mark);
    const exist = missing.some(({ identifier: [id] }) => this.repository.ids.includes(id));
    const decision = exist ? "drop" : "release";
    await decideDeletions(sourceId, { harvestId: held.harvestId, decision }, this.world.ports);
    return true;
  }

  get missing(): string[] {
    const { ids } = this.repository;
    const present = new Set(this.presentIds);
    return ids.filter((id) => !present.has(id));
  }

  get presentIds(): string[] {
    const all = [...this.world.ports.documentsByKey.values()];
    return all.filter(({ state }) => state === "present").map(({ identifier }) => identifier[0]);
  }
}

describe("a repository that lies at random", () => {
  it.each(Array.from({ length: worlds }, (_, seed) => seed + 1))(
    "world %i → no existing document is deleted; when it is right again, all that are gone are",
    async (seed) => {
      const random = seededRandom(seed);
      const model = new Model(random);
      const said: string[] = [];
      await model.list();
      for (let count = 0; count < listsOfWorld; count += 1) {
        model.move();
        Object.assign(model.repository, draw(random));
        said.push(model.repository.lie);
        expect(await model.list(), said.join(", ")).toEqual([]);
        if (random() < 0.5) await model.decide();
      }
      Object.assign(model.repository, { lie: "none", recordLie: "right", changes: [] });
      expect(await model.list()).toEqual([]);
      if (await model.decide()) expect(await model.list()).toEqual([]);
      expect(model.presentIds.sort()).toEqual([...model.repository.ids].sort());
      expect(model.missing).toEqual([]);
    },
  );
});
