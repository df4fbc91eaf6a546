import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../local/cloud/seeded-random.ts";
import { ThrottledError } from "../../../shared/core/errors.ts";
import { deleteDocuments, type documentDeletion } from "../../../shared/harvest/delete-documents.ts";
import { keepDocuments } from "../../../shared/records/documents/keep-documents.ts";
import { Killed } from "../memory/writes.ts";
import { MemoryPorts } from "../memory-ports.ts";

const deletedAt = "2026-11-20T19:00:00.000Z";
const sourceId = "s";
const minuteMs = 60_000;
type Message = ReturnType<typeof documentDeletion.parse>;

/** A source that was deleted with its documents, and the queue of the messages about that. */
class World {
  readonly ports = new MemoryPorts();
  readonly queue: Message[] = [{ sourceId, deletedAt }];
  isThere = false;
  /** Done at each look whether the source is there. */
  meanwhile: () => Promise<unknown> = async () => {};

  constructor() {
    this.ports.now = new Date(deletedAt);
  }

  private get kept() {
    return { documents: this.ports.documents, events: this.ports.events, requestFiles: async () => {} };
  }

  /** What a reader keeps that has read the source before. */
  keep(ids: readonly string[], listedAt: string) {
    const content = { raw: "<dc/>", mediaType: "application/xml", format: "oai_dc", metadata: {} };
    const documents = ids.map((id) => ({ identifier: [id] as const, content }));
    return keepDocuments({ sourceId, listedAt, documents }, this.kept);
  }

  /** Reads the first message: it is read again after an error. */
  async read(): Promise<void> {
    const [message] = this.queue;
    if (message === undefined) return;
    const source = { kind: "source" as const, id: sourceId, value: {} };
    try {
      await deleteDocuments(message, {
        kept: this.kept,
        pages: this.ports.pages,
        configuration: {
          item: async () => {
            await this.meanwhile();
            return this.isThere ? source : undefined;
          },
        },
        documentDeletions: { send: async (further) => void this.queue.push(further) },
        clock: this.ports.clock,
      });
      this.queue.shift();
    } catch (error) {
      if (error instanceof Killed) this.ports.live();
      else if (error instanceof ThrottledError) this.ports.now = error.retryAt;
      else throw error;
    }
  }

  get present(): string[] {
    const all = [...this.ports.documentsByKey.values()];
    return all.filter(({ state }) => state === "present").map(({ identifier: [id] }) => id);
  }

  /** How many documents were published as deleted, and how often. */
  get published() {
    const deleted = this.ports.published.filter(({ type }) => type === "document.deleted");
    return { events: deleted.length, changes: new Set(deleted.map(({ changeId }) => changeId)).size };
  }
}

const ids = (count: number, prefix = "d") => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe("the documents of a deleted source", () => {
  it("1,000, by invocations that end after two pages → each is deleted, and published once", async () => {
    const world = new World();
    await world.keep(ids(1000), "2026-11-19T19:00:00.000Z");
    world.meanwhile = async () => {
      world.ports.now = new Date(world.ports.now.getTime() + 3 * minuteMs);
    };
    let invocations = 0;
    for (; world.queue.length > 0; invocations += 1) await world.read();
    expect(invocations).toBe(3);
    expect(world.present).toEqual([]);
    expect(world.published).toEqual({ events: 1000, changes: 1000 });
  });

  it("read from the source until then, some killed, some messages twice → none is left, whatever the source's clock", async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = seededRandom(seed);
      const world = new World();
      const { ports } = world;
      await world.keep(ids(50), "2026-11-19T19:00:00.000Z");
      let late = 0;
      world.meanwhile = async () => {
        ports.now = new Date(ports.now.getTime() + Math.floor(random() * 4) * minuteMs);
        const isReading = ports.now.getTime() < Date.parse(deletedAt) + 15 * minuteMs;
        if (!isReading || random() < 0.5) return;
        // The clocks of sources are wrong by years.
        const listedAt = random() < 0.3 ? "2031-01-01T00:00:00.000Z" : ports.now.toISOString();
        await world.keep([...ids(5), `late${late++}`], listedAt).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          ports.live();
        });
      };
      while (world.queue.length > 0) {
        if (random() < 0.3) ports.dieAfter(Math.floor(random() * 60), { before: random() < 0.5 });
        if (random() < 0.2 && world.queue[0]) world.queue.push(world.queue[0]);
        await world.read();
      }
      expect(world.present, `seed ${seed}`).toEqual([]);
    }
  });

  it.each([
    [
      "keep",
      "deleted; that of a reader that has begun before stays until it expires",
      ["s2/1.json.gz", `${sourceId}/late.json.gz`],
    ],
    ["delete", "deleted, also that of a reader that has begun before", ["s2/1.json.gz"]],
  ] as const)("stored pages, documents: %s → %s", async (documents, _what, left) => {
    const world = new World();
    const { storedPages } = world.ports;
    await world.keep(ids(3), "2026-11-19T19:00:00.000Z");
    storedPages.set(`${sourceId}/1.json.gz`, new Uint8Array());
    storedPages.set("s2/1.json.gz", new Uint8Array());
    world.queue[0] = { sourceId, documents, deletedAt };
    await world.read();
    storedPages.set(`${sourceId}/late.json.gz`, new Uint8Array());
    while (world.queue.length > 0) await world.read();
    expect([...storedPages.keys()]).toEqual(left);
    expect(world.present).toHaveLength(documents === "keep" ? 3 : 0);
  });

  it("that is added again meanwhile → those that are left stay", async () => {
    const world = new World();
    await world.keep(ids(300), "2026-11-19T19:00:00.000Z");
    let looks = 0;
    world.meanwhile = async () => {
      world.isThere = ++looks > 1;
    };
    while (world.queue.length > 0) await world.read();
    expect(world.present).toHaveLength(100);
  });
});
