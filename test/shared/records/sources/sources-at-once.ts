import { expect } from "vitest";
import { addSource, changeSource, deleteSource } from "../../../../shared/records/sources/added-sources.ts";
import type { ConfigurationItem } from "../../../../shared/records/sources/configuration.ts";
import { Choices, Killed, runAtOnce, type Step } from "../../every-order.ts";
import { MemoryConfiguration } from "./memory-configuration.ts";

const source = { sourceId: "s", title: "S", type: "RSS", url: "https://s.example/feed", groupId: "G" };

type Ports = Parameters<typeof addSource>[1];

const requests = {
  POST: (ports: Ports) => addSource(source, ports),
  PATCH: (ports: Ports) => changeSource("s", { throttleMs: 3000 }, ports),
  "DELETE keep": (ports: Ports) => deleteSource("s", "keep", ports),
  "DELETE delete": (ports: Ports) => deleteSource("s", "delete", ports),
} satisfies Record<string, (ports: Ports) => Promise<unknown>>;
export type Request = keyof typeof requests;

/** The states of a source before two requests: the requests that led to it, and the steps after which one was killed. */
export const states = {
  "there is none": [],
  "it is there": [{ request: "POST" }],
  "it was added, and not announced": [{ request: "POST", steps: 4 }],
  "its deletion was stored, and nothing else": [{ request: "POST" }, { request: "DELETE keep", steps: 3 }],
  "it was removed, and not announced": [{ request: "POST" }, { request: "DELETE keep", steps: 4 }],
} as const satisfies Record<string, readonly { request: Request; steps?: number }[]>;

const atOnce: Step = async () => {};

/** A source that is added, changed and deleted, and what was published of it. */
class World {
  private readonly store = new MemoryConfiguration();
  /** What happened to the source, and the events when they were published first. */
  readonly history: string[] = [];
  private readonly published = new Set<string>();
  private ticks = 0;

  /** @returns what the API responds */
  async request(request: Request, step: Step): Promise<string> {
    try {
      const answer = await requests[request](this.ports(step));
      return answer === undefined ? "none" : typeof answer === "string" ? answer : "source";
    } catch (error) {
      if (error instanceof Error && error.name === "ThrottledError") return "busy";
      throw error;
    }
  }

  /** Lets a minute pass. */
  pass(): void {
    this.ticks += 60_000;
  }

  async expectDone(at: string): Promise<void> {
    const item = await this.store.item({ kind: "source", id: "s" });
    expect(item?.isUnannounced, at).toBeUndefined();
    if (item === undefined) expect(await this.store.deletions.get("s"), at).toBeUndefined();
    const cycle = ["added", "source.new", "removed", "source.deleted"];
    const expected = this.history.map((_, place) => cycle[place % cycle.length]);
    expect(this.history, at).toEqual(expected);
    expect(this.history.length % cycle.length, at).toBe(item === undefined ? 0 : 2);
  }

  private ports(step: Step): Ports {
    const { store } = this;
    const shared =
      <Given extends unknown[], Result>(access: (...given: Given) => Promise<Result>) =>
      async (...given: Given) => {
        await step();
        return access(...given);
      };
    const noting = (what: string, write: (item: ConfigurationItem) => Promise<boolean>) =>
      shared(async (item: ConfigurationItem) => {
        const isWritten = await write(item);
        if (isWritten) this.history.push(what);
        return isWritten;
      });
    return {
      configuration: {
        item: async (key) => {
          if (key.kind === "group") return { kind: "group", id: key.id, value: {} };
          await step();
          return store.item(key);
        },
        add: noting("added", (item) => store.add(item)),
        remove: noting("removed", (item) => store.remove(item)),
        replace: shared((item, before) => store.replace(item, before)),
        noteAnnounced: shared((item) => store.noteAnnounced(item)),
        deletions: {
          begin: shared(store.deletions.begin),
          get: shared(store.deletions.get),
          end: shared(store.deletions.end),
        },
      },
      events: {
        publish: shared(async ({ type, changeId }) => {
          if (type === "source.opened" || this.published.has(changeId)) return;
          this.published.add(changeId);
          this.history.push(type);
        }),
      },
      setRegistrations: { send: async () => {} },
      harvests: { end: async () => {} },
      quality: { forget: async () => {} },
      documentDeletions: { send: async () => {} },
      clock: {
        now: () => new Date(Date.parse("2026-11-20T08:00:00Z") + this.ticks++),
        sleep: async () => {},
      },
    };
  }
}

/**
 * Sends two requests at once, in every order of their steps, after others that may have been killed after a number of steps. One
 * of the two may be killed before each of its steps; it is then repeated, or another request follows.
 * @returns the number of orders
 */
export async function sendAtOnce(
  before: readonly { request: Request; steps?: number }[],
  both: readonly [Request, Request],
  { kills, next }: { kills: number; next: readonly ("repeated" | Request)[] },
): Promise<number> {
  const choices = new Choices();
  let orders = 0;
  do {
    orders += 1;
    const world = new World();
    for (const { request, steps = Number.POSITIVE_INFINITY } of before)
      await killedAfter(world, request, steps);
    const answers = await runAtOnce(
      both.map((request) => (step: Step) => world.request(request, step)),
      choices,
      kills,
    );
    const at = `order ${orders}: ${answers}`;
    for (const [place, request] of both.entries()) {
      const answer = answers[place];
      if (request === "POST" && !both.includes("PATCH")) expect(["source", "killed"], at).toContain(answer);
      if (answer !== "killed") continue;
      world.pass();
      const then = next[choices.choose(next.length)] ?? "repeated";
      await world.request(then === "repeated" ? request : then, atOnce);
    }
    world.pass();
    if (
      answers.includes("killed") ||
      answers.includes("busy") ||
      before.some(({ steps }) => steps !== undefined)
    )
      await world.request("POST", atOnce);
    await world.expectDone(at);
    await world.request("DELETE keep", atOnce);
    await world.expectDone(at);
  } while (choices.next());
  return orders;
}

async function killedAfter(world: World, request: Request, steps: number): Promise<void> {
  let left = steps;
  const step = async () => {
    if (left-- <= 0) throw new Killed();
  };
  await world.request(request, step).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
}
