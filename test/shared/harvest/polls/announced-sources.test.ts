import { expect, it } from "vitest";
import { pollSources } from "../../../../shared/harvest/polls/poll-sources.ts";
import { addSource } from "../../../../shared/records/sources/added-sources.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { MemoryPorts } from "../../memory-ports.ts";

class Killed extends Error {}

const added = { sourceId: "s", title: "S", type: "RSS", url: "https://s.example/feed", groupId: "G" };

/** A source that is added by a request and found by polls, each of which may be killed before or after each write. */
class World {
  /** The changes that events have said are new. */
  readonly announced: string[] = [];
  /** The places of writes until the process is killed. */
  left = Number.POSITIVE_INFINITY;
  private readonly memory = new MemoryPorts();

  private mayDie<Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) {
    return async (...given: Given): Promise<Result> => {
      if (this.left-- <= 0) throw new Killed();
      const result = await write(...given);
      if (this.left-- <= 0) throw new Killed();
      return result;
    };
  }

  get item() {
    return this.memory.configuration.item({ kind: "source", id: "s" });
  }

  private ports() {
    const { memory } = this;
    const { configuration: store } = memory;
    type Item = Parameters<typeof store.add>[0];
    return {
      ...memory,
      sources: {
        ...memory.sources,
        sourcesByMode: async (mode: string) => {
          const item = await this.item;
          if (item === undefined || item.value.deliveryMode !== mode) return { sources: [], unusable: [] };
          const { isUnannounced } = item;
          const stored = { ...source.parse(item.value), isAdded: true as const };
          return { sources: [{ ...stored, ...(isUnannounced && { isUnannounced }) }], unusable: [] };
        },
      },
      configuration: {
        item: async (key: Parameters<typeof store.item>[0]) =>
          key.kind === "group" ? { kind: "group" as const, id: key.id, value: {} } : store.item(key),
        add: this.mayDie((item: Item) => store.add(item)),
        replace: async () => false,
        remove: async () => false,
        noteAnnounced: this.mayDie((item: Item) => store.noteAnnounced(item)),
        deletions: store.deletions,
      },
      events: {
        publish: this.mayDie(async ({ type, changeId }: { type: string; changeId: string }) => {
          if (type === "source.new") this.announced.push(changeId);
        }),
      },
      requests: { send: async () => undefined },
      mail: { send: async () => undefined },
      folders: { send: async () => undefined },
      setRegistrations: { send: async () => undefined },
      harvests: { end: async () => undefined },
      quality: { forget: async () => undefined },
      documentDeletions: { send: async () => undefined },
    };
  }

  /** @param left the places of writes after which the process is killed */
  async post(left: number): Promise<void> {
    this.left = left;
    await addSource({ ...added, deliveryMode: "LIVE" }, this.ports()).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
  }

  async poll(left = Number.POSITIVE_INFINITY): Promise<void> {
    this.left = left;
    const polled = pollSources(new Date("2026-11-20T20:00:00Z"), this.ports());
    // The error names the source.
    await (left < Number.POSITIVE_INFINITY ? polled.catch(() => undefined) : polled);
  }
}

it("a source whose request was killed in each place, and polls killed in each place → source.new, once", async () => {
  let interrupted = 0;
  for (let post = 0; post <= 7; post += 1) {
    for (let poll = 0; poll <= 4; poll += 1) {
      const world = new World();
      await world.post(post);
      if ((await world.item)?.isUnannounced) interrupted += 1;
      await world.poll(poll);
      await world.poll();
      const { length } = world.announced;
      await world.poll();
      const item = await world.item;
      const at = `killed after ${post}, polls after ${poll}`;
      expect([item?.isUnannounced, world.announced.length], at).toEqual([undefined, length]);
      expect(new Set(world.announced).size, at).toBe(item === undefined ? 0 : 1);
    }
  }
  expect(interrupted).toBeGreaterThan(10);
});
