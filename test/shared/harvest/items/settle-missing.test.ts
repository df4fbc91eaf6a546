import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { storeItem } from "../../../../shared/harvest/downloads/store-item.ts";
import { requestFiles } from "../../../../shared/harvest/items/request-files.ts";
import { settleMissing } from "../../../../shared/harvest/items/settle-missing.ts";
import { decideDeletions } from "../../../../shared/harvest/oai/decide-deletions.ts";
import { waitOf } from "../../../../shared/harvest/oai-state/harvest-state.ts";
import { fileHoldsOf, sourceOfHolds } from "../../../../shared/harvest/oai-state/held-deletions.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";

import { MemoryPorts } from "../../memory-ports.ts";

const sourceId = "s";
const dayMs = 86_400_000;

/** A source with a file per document, and the hosts of these files. */
class World extends MemoryPorts {
  private readonly sent: NewRequest[] = [];
  private readonly versions = new Map<number, number>();
  readonly requests = { send: async (requests: NewRequest[]) => void this.sent.push(...requests) };
  readonly uploads = { create: async () => undefined };
  readonly documentUploads = { send: async () => undefined };
  readonly fileStore = {
    head: async () => Buffer.from("%PDF-1.7"),
    join: async () => ({ key: "k", sizeBytes: 8, sha256: "0".repeat(64) }),
  };
  readonly missingFiles = async (before: string) =>
    [...this.oaiHarvestStates.values()].flatMap((state) => {
      const wait = waitOf(state);
      return wait?.type === "missing" && wait.since < before ? [sourceOfHolds(state.sourceId)] : [];
    });
  readonly size: number;

  constructor(size: number) {
    super();
    this.size = size;
    const own = { sourceId, title: "S", type: "OAI-PMH", url: "https://r.example/", groupId: "g" };
    this.sourcesById.set(sourceId, { ...source.parse(own), sourceId });
  }

  /** A new version of a document is listed, and its file is requested. */
  async poll(index: number, status: 200 | 404): Promise<void> {
    const url = `https://r.example/${index}.pdf`;
    const version = (this.versions.get(index) ?? 0) + 1;
    this.versions.set(index, version);
    const document = { sourceId, documentId: `d${index}`, state: "present" as const };
    await requestFiles(document, { type: "files", version, urls: [url] }, this);
    const request = outboundRequest.parse(this.sent.pop());
    const body = status === 200 ? { bodyKey: "b", stored: { sizeBytes: 8, sha256: "0".repeat(64) } } : {};
    const headers = { "content-type": "application/pdf" };
    const answered = { type: "answered" as const, status, url, hops: [], headers, elapsedMs: 1, ...body };
    await storeItem({ request, outcome: answered }, this);
  }

  settle(changed: Partial<Parameters<typeof settleMissing>[0]> = {}): Promise<number> {
    const documents = { countPresent: async () => this.size };
    return settleMissing({ ...this, documents, ...changed });
  }

  pass(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  get held() {
    const state = this.oaiHarvestStates.get(fileHoldsOf(sourceId));
    return state?.releasedDeletions === undefined ? state?.heldDeletions : undefined;
  }

  decide(decision: "release" | "drop") {
    return decideDeletions(
      fileHoldsOf(sourceId),
      { harvestId: this.held?.harvestId ?? "", decision },
      { oaiHarvests: this.oaiHarvests },
    );
  }

  stateOf(index: number) {
    return [...this.itemsByKey.values()].find(({ documentId }) => documentId === `d${index}`)?.state;
  }
}

/** Polls all files; the first ones are missing. */
async function worldWith({ missing, of }: { missing: number; of: number }): Promise<World> {
  const world = new World(of);
  for (let index = 0; index < of; index += 1) await world.poll(index, 200);
  for (let index = 0; index < missing; index += 1) await world.poll(index, 404);
  return world;
}

const deletedIn = (world: World) => world.published.filter(({ type }) => type === "item.deleted").length;

describe("files that answer 404", () => {
  it.each([
    { missing: 20, of: 30, deleted: 20 },
    { missing: 21, of: 30, deleted: 0 },
    { missing: 25, of: 500, deleted: 25 },
    { missing: 26, of: 500, deleted: 0 },
  ])("$missing of $of → $deleted are deleted after a day, or all are held", async ({ deleted, ...given }) => {
    const world = await worldWith(given);
    expect(await world.settle()).toBe(0);
    world.pass(dayMs + 1);
    await world.settle();
    await world.settle();
    expect(deletedIn(world)).toBe(deleted);
    const held = deleted === 0 ? { documents: given.missing, of: given.of, areFiles: true } : undefined;
    if (held === undefined) expect(world.held).toBeUndefined();
    else expect(world.held).toMatchObject(held);
    const told = world.published.filter(({ type }) => type === "source.deletions-held");
    expect(told.map(({ detail }) => detail)).toMatchObject(held ? [held] : []);
  });

  it("a few at a time, after some were deleted → counted together for another day, and held", async () => {
    const world = await worldWith({ missing: 5, of: 100 });
    world.pass(dayMs + 1);
    await world.settle();
    for (let index = 5; index < 50; index += 5) {
      for (let offset = 0; offset < 5; offset += 1) await world.poll(index + offset, 404);
      world.pass(5 * 60_000);
      await world.settle();
    }
    world.pass(dayMs + 1);
    await world.settle();
    expect([deletedIn(world), world.held?.documents]).toEqual([5, 45]);
  });

  it("too many, in an invocation that is killed before or after any write → the next ones hold them, with one event", async () => {
    for (const before of [true, false]) {
      for (let writes = 0; writes < 4; writes += 1) {
        const world = await worldWith({ missing: 21, of: 30 });
        world.pass(dayMs + 1);
        world.dieAfter(writes, { before });
        await world.settle().catch(() => undefined);
        world.live();
        await Promise.all([world.settle(), world.settle()]);
        const at = `${before ? "before" : "after"} write ${writes}`;
        expect([world.held?.documents, deletedIn(world)], at).toEqual([21, 0]);
        const told = world.published.filter(({ type }) => type === "source.deletions-held");
        expect(new Set(told.map(({ changeId }) => changeId)).size, at).toBe(1);
        expect(await world.settle(), at).toBe(0);
      }
    }
  });

  it("one that is missed while a settlement finds none → deleted a day later", async () => {
    const world = await worldWith({ missing: 5, of: 100 });
    for (let index = 0; index < 5; index += 1) await world.poll(index, 200);
    world.pass(dayMs + 1);
    const items = Object.assign(Object.create(world.items), {
      listMissing: async (id: string, most: number) => {
        const keys = await world.items.listMissing(id, most);
        await world.poll(9, 404);
        return keys;
      },
    });
    await world.settle({ items });
    expect(deletedIn(world)).toBe(0);
    world.pass(dayMs + 1);
    await world.settle();
    expect(world.stateOf(9)).toBe("deleted");
  });

  it("first while the clock is a year ahead, and again when it is right → deleted a day later", async () => {
    const world = await worldWith({ missing: 0, of: 30 });
    world.pass(365 * dayMs);
    await world.poll(0, 404);
    world.pass(-365 * dayMs);
    await world.poll(0, 404);
    world.pass(dayMs + 1);
    await world.settle();
    expect(world.stateOf(0)).toBe("deleted");
  });

  it("and a list of sources that is out of date → what was missed since is not deleted before its day is over", async () => {
    const world = await worldWith({ missing: 5, of: 100 });
    world.pass(dayMs + 1);
    await world.settle();
    for (let index = 5; index < 10; index += 1) await world.poll(index, 404);
    await world.settle({ missingFiles: async () => [sourceId] });
    expect(deletedIn(world)).toBe(5);
  });

  it("4,500 within the limits → counted once, read 2,000 at a time; what is missed meanwhile waits for its day", async () => {
    const world = new World(100_000);
    const poll = async (from: number, to: number, status: 200 | 404) => {
      for (let index = from; index < to; index += 1) await world.poll(index, status);
    };
    await poll(0, 5_500, 200);
    await poll(0, 4_500, 404);
    world.pass(dayMs + 1);
    let counted = 0;
    const read: number[] = [];
    const items = Object.assign(Object.create(world.items), {
      countMissing: (id: string) => {
        counted += 1;
        return world.items.countMissing(id);
      },
      listMissing: async (id: string, most: number) => {
        const keys = await world.items.listMissing(id, most);
        read.push(keys.length);
        expect(most).toBeLessThanOrEqual(2_000);
        return keys;
      },
    });
    await world.settle({ items });
    world.pass(60_000);
    await poll(4_500, 5_500, 404);
    for (let times = 0; times < 4; times += 1) await world.settle({ items });
    expect([counted, deletedIn(world), world.held]).toEqual([1, 4_500, undefined]);
    world.pass(dayMs + 1);
    await world.settle({ items });
    expect(deletedIn(world)).toBe(5_500);
  });

  it("of one source whose store fails → the others' are deleted all the same, and the failure is thrown", async () => {
    const world = await worldWith({ missing: 5, of: 30 });
    world.pass(dayMs + 1);
    const missingFiles = async () => ["broken", sourceId];
    const oaiHarvests = {
      ...world.oaiHarvests,
      get: async (id: string) => {
        if (id === fileHoldsOf("broken")) throw new Error("out of order");
        return world.oaiHarvests.get(id);
      },
    };
    await expect(world.settle({ oaiHarvests, missingFiles })).rejects.toThrow("out of order");
    expect(deletedIn(world)).toBe(5);
  });

  it("a source that has been deleted → its missing files are deleted", async () => {
    const world = await worldWith({ missing: 21, of: 30 });
    world.sourcesById.delete(sourceId);
    world.pass(dayMs + 1);
    await world.settle();
    expect(deletedIn(world)).toBe(21);
  });

  it("at random, for 60 worlds → never more than the limits at once without a release; what is back stays; the rest follows decisions", async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = seededRandom(seed);
      const size = 30 + Math.floor(random() * 100);
      const world = await worldWith({ missing: 0, of: size });
      /** The files that were missed last, by index. */
      const missed = new Set<number>();
      let released = new Set<number>();
      for (let step = 0; step < 30; step += 1) {
        const choice = random();
        if (choice < 0.6) {
          const isOutage = random() < 0.3;
          for (let times = 0; times < (isOutage ? 25 : 3); times += 1) {
            const index = Math.floor(random() * size);
            const isMissing = random() < (isOutage ? 0.9 : 0.4);
            await world.poll(index, isMissing ? 404 : 200);
            if (!isMissing) {
              missed.delete(index);
              released.delete(index);
            } else if (world.stateOf(index) === "present") missed.add(index);
          }
        } else if (choice < 0.75 && world.held !== undefined) {
          const decision = random() < 0.5 ? "release" : "drop";
          const decided = [...missed].filter((index) => missedUntil(world, index, world.held?.mark));
          expect(await world.decide(decision)).toBe("decided");
          if (decision === "release") released = new Set(decided);
          else for (const index of decided) missed.delete(index);
        }
        world.pass(random() * dayMs);
        const before = deletedIn(world);
        const present = [...missed].filter((index) => world.stateOf(index) === "present");
        await world.settle();
        const gone = present.filter((index) => world.stateOf(index) === "deleted");
        expect(deletedIn(world) - before, `seed ${seed}`).toBe(gone.length);
        if (gone.some((index) => !released.has(index)))
          expect(gone.length, `seed ${seed}`).toBeLessThanOrEqual(20);
        for (const index of gone) missed.delete(index);
      }
      for (let index = 0; index < size; index += 1)
        if (world.stateOf(index) === "deleted") expect(missed.has(index)).toBe(false);
      if (world.held !== undefined) await world.decide("release");
      for (let days = 0; days < 8; days += 1) {
        world.pass(dayMs + 1);
        await world.settle();
        if (world.held !== undefined) await world.decide("release");
      }
      for (const index of missed) expect(world.stateOf(index), `seed ${seed}`).toBe("deleted");
    }
  });
});

function missedUntil(world: World, index: number, until = ""): boolean {
  const item = [...world.itemsByKey.values()].find(({ documentId }) => documentId === `d${index}`);
  return (item?.missing?.at ?? "9") <= until;
}
