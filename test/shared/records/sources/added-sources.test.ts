import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { addSource, deleteSource } from "../../../../shared/records/sources/added-sources.ts";
import { MemoryConfiguration } from "./memory-configuration.ts";

class Killed extends Error {}

const source = { sourceId: "s", title: "S", type: "RSS", url: "https://s.example/feed", groupId: "G" };

/** A source that is added and deleted by processes that may be killed before or after each of their writes. */
class World {
  /** What the processes have done outside the configuration, by event and message. */
  readonly done: string[] = [];
  /** How the source was to be deleted each time that it was removed. */
  readonly removed: string[] = [];
  /** The writes until the process is killed. */
  left = Number.POSITIVE_INFINITY;
  private readonly store = new MemoryConfiguration();
  private nowMs = Date.parse("2026-11-20T08:00:00Z");

  async act(request: (ports: Parameters<typeof addSource>[1]) => Promise<unknown>) {
    return request(this.ports()).catch((error: unknown) => {
      if (error instanceof Killed) return "killed" as const;
      throw error;
    });
  }

  isThere = async () => (await this.store.item({ kind: "source", id: "s" })) !== undefined;

  private mayDie<Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) {
    return async (...given: Given): Promise<Result> => {
      if (this.left-- <= 0) throw new Killed();
      const result = await write(...given);
      if (this.left-- <= 0) throw new Killed();
      return result;
    };
  }

  private ports() {
    const { store } = this;
    const note = (text: string) => void this.done.push(text);
    return {
      configuration: {
        item: async (key: Parameters<typeof store.item>[0]) =>
          key.kind === "group" ? { kind: "group" as const, id: key.id, value: {} } : store.item(key),
        add: this.mayDie((item: Parameters<typeof store.add>[0]) => store.add(item)),
        replace: this.mayDie(async () => false),
        remove: this.mayDie(async (item: Parameters<typeof store.remove>[0]) => {
          const begun = await store.deletions.get("s");
          const isRemoved = await store.remove(item);
          if (isRemoved) this.removed.push(`${begun?.documents} ${begun?.createdAt}`);
          return isRemoved;
        }),
        noteAnnounced: this.mayDie((item: Parameters<typeof store.add>[0]) => store.noteAnnounced(item)),
        deletions: {
          get: store.deletions.get,
          begin: this.mayDie(store.deletions.begin),
          end: this.mayDie(store.deletions.end),
        },
      },
      events: {
        publish: this.mayDie(async ({ type, changeId }: { type: string; changeId: string }) =>
          note(`${type} ${changeId}`),
        ),
      },
      setRegistrations: { send: this.mayDie(async () => note("withdrawn")) },
      harvests: { end: this.mayDie(async () => note("ended")) },
      quality: { forget: this.mayDie(async () => note("forgotten")) },
      documentDeletions: {
        send: this.mayDie(async ({ deletedAt }: { deletedAt: string }) => note(`documents ${deletedAt}`)),
      },
      clock: { now: () => new Date(this.nowMs++), sleep: async () => {} },
    };
  }
}

const distinct = (texts: readonly string[], begin: string) =>
  new Set(texts.filter((text) => text.startsWith(begin)));

it("a deletion that was killed, and the source added again → the deletion is finished first", async () => {
  const world = new World();
  await world.act((ports) => addSource(source, ports));
  world.left = 3;
  expect(await world.act((ports) => deleteSource("s", "keep", ports))).toBe("killed");
  expect(await world.isThere()).toBe(false);
  world.left = Number.POSITIVE_INFINITY;
  await world.act((ports) => addSource(source, ports));
  const events = world.done.map((each) => each.split(" ")[0]);
  expect(events).toEqual(["source.new", "source.deleted", "withdrawn", "ended", "forgotten", "source.new"]);
});

describe("a source that is added and deleted at random, by processes that are killed", () => {
  it("500 worlds → 404 changes nothing, what is repeated is finished, and each change has one event", async () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = seededRandom(seed);
      const world = new World();
      let additions = 0;
      for (let step = 0; step < 12; step++) {
        const isAddition = random() < 0.4;
        const documents = random() < 0.5 ? "keep" : "delete";
        const request = (ports: Parameters<typeof addSource>[1]): Promise<unknown> =>
          isAddition ? addSource(source, ports) : deleteSource("s", documents, ports);
        const wasThere = await world.isThere();
        world.left = random() < 0.5 ? Math.floor(random() * 14) : Number.POSITIVE_INFINITY;
        let answer = await world.act(request);
        const isKilled = answer === "killed";
        world.left = Number.POSITIVE_INFINITY;
        if (isKilled) answer = await world.act(request);
        const { length } = world.done;
        const isRepeated = (await world.act(request)) === undefined || isAddition;
        const at = `seed ${seed}, step ${step}`;
        expect(isRepeated, at).toBe(true);
        expect(world.done.length, at).toBe(length);
        if (isAddition && !wasThere) additions++;
        expect(await world.isThere(), at).toBe(isAddition);
        if (!isKilled && !isAddition && wasThere) expect(answer, at).toBe("deleted");
      }
      const { done, removed } = world;
      expect(distinct(done, "source.new").size, `seed ${seed}`).toBe(additions);
      expect(distinct(done, "source.deleted").size, `seed ${seed}`).toBe(removed.length);
      const withDocuments = removed.filter((text) => text.startsWith("delete"));
      expect(distinct(done, "documents").size, `seed ${seed}`).toBe(withDocuments.length);
    }
  });
});
