import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import type { OaiHarvestState } from "../../../../shared/harvest/oai-state/harvest-state.ts";
import {
  envelope,
  errorPage,
  getRecord,
  listPage,
  record,
  type Script,
} from "../../../local/cli/harvest/scripted-repository.ts";
import { identify, OaiWorld, sourceId } from "./oai-world.ts";

const ids = Array.from({ length: 40 }, (_, n) => `r${n}`);

/** A repository whose lists lack records at random, and a source that may ask for a few of them after each list. */
class MissingModel {
  private readonly world: OaiWorld;
  private readonly most: number;
  /** The poll whose list last had a document, or that last asked for it. */
  private readonly since = new Map<string, number>();
  private polls = 0;
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
    this.most = 1 + this.draw(12);
    const deletions = { maxDocuments: 1000, maxPercent: 5, maxQuestions: this.most };
    this.world = new OaiWorld(this.scriptOf(ids), { deletions });
  }

  private draw(end: number): number {
    return Math.floor(this.random() * end);
  }

  /** @param unknown the share of records of which GetRecord says nothing, if they are not listed */
  private scriptOf(listed: string[], { gone = [] as string[], unknown = 0 } = {}): Script {
    return ({ verb, identifier = "" }) => {
      if (verb === "Identify") return identify({ deletedRecord: "no" });
      if (verb !== "GetRecord") return listPage(listed.map((id) => record(id)));
      if (listed.includes(identifier)) return getRecord(listed, identifier);
      if (gone.includes(identifier)) return errorPage("idDoesNotExist");
      return this.random() < unknown
        ? errorPage("badArgument")
        : envelope(`<GetRecord>${record(identifier)}</GetRecord>`);
    };
  }

  /** @returns what was wrong with the records that were asked for */
  async poll(): Promise<string[]> {
    const { world } = this;
    this.polls += 1;
    const present = new Set([...world.documents("present").matchAll(/r\d+/g)].map(String));
    const share = this.random();
    const listed = this.polls === 1 ? ids : ["r0", ...ids.slice(1).filter(() => this.random() < share)];
    const gone = ids.filter((id) => !listed.includes(id) && this.random() < 0.05);
    world.script = this.scriptOf(listed, { gone, unknown: this.draw(3) / 4 });
    const { length } = world.asked;
    // Each list is a full one.
    const at = new Date(Date.UTC(2027, 2 * this.polls, 1, 20)).toISOString();
    if (this.random() < 0.5) {
      await world.start(at);
      world.ports.dieAfter(this.draw(listed.length + 40), { before: this.random() < 0.5 });
      await world.read();
      world.ports.live();
    } else await world.harvest(at);
    const asked = world.asked.slice(length).filter((id) => !listed.includes(id));
    const faults = this.judge(
      asked,
      [...present].filter((id) => !listed.includes(id)),
    );
    for (const id of [...listed, ...asked]) this.since.set(id, this.polls);
    return faults;
  }

  private judge(asked: readonly string[], waiting: readonly string[]): string[] {
    const isSilent = stateOf(this.world)?.heldDeletions?.unconfirmed !== undefined;
    const sinceOf = (id: string) => this.since.get(id) ?? 0;
    const at = `poll ${this.polls}, ${this.most} of ${waiting.length}`;
    const faults: string[] = [];
    if (new Set(asked).size !== asked.length) faults.push(`${at}: asked twice in ${asked}`);
    const expected = Math.min(this.most, waiting.length);
    if (asked.length > expected || (asked.length < expected && !isSilent))
      faults.push(`${at}: asked for ${asked.length}`);
    for (const id of asked) {
      const older = waiting.filter((other) => sinceOf(other) < sinceOf(id));
      // A repository that has stopped answering is asked no more, whoever waits.
      const passedOver = isSilent ? older.length >= this.most : older.some((other) => !asked.includes(other));
      if (passedOver) faults.push(`${at}: ${id} was asked for while ${older} had waited longer`);
    }
    return faults;
  }
}

function stateOf({ ports }: OaiWorld): OaiHarvestState | undefined {
  return ports.oaiHarvestStates.get(sourceId);
}

describe("more missing records than may be asked for after a list", () => {
  it("40 worlds, whose readers are killed → no document waits while one is asked for that was missed later", async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const model = new MissingModel(seededRandom(seed));
      for (let polls = 0; polls < 8; polls += 1) expect(await model.poll(), `seed ${seed}`).toEqual([]);
    }
  });
});
