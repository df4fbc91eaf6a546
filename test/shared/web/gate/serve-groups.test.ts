import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../bench/makespan-clock.ts";
import type { GateMessage } from "../../../../shared/web/gate/gate-ports.ts";
import { hiddenMsOf, otherHosts, remainingFor } from "../../../../shared/web/gate/other-hosts.ts";
import { serveGroups } from "../../../../shared/web/gate/serve-groups.ts";

/** Serves groups that take their first message's seconds each. Gives when each began and ended. */
async function serve(
  given: number[],
  {
    taken = [] as number[][],
    most = 3,
    mayTake = () => true,
  }: { taken?: number[][]; most?: number; mayTake?: () => boolean } = {},
) {
  const clock = new VirtualClock();
  const served: { group: number; isGiven: boolean; isLast: boolean; fromMs: number; toMs: number }[] = [];
  const takenAtMs: number[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const remaining = taken.map((groups) => groups.map((group) => [group]));
  const serving = serveGroups(
    given.map((group) => [group]),
    async ([group = 0], { isGiven, isLast }) => {
      const fromMs = clock.nowMs;
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await clock.sleep(group * 1000);
      atOnce--;
      served.push({ group, isGiven, isLast: isLast(), fromMs, toMs: clock.nowMs });
    },
    {
      most,
      mayTake,
      clock,
      async take() {
        takenAtMs.push(clock.nowMs);
        await clock.sleep(10);
        return remaining.shift() ?? [];
      },
    },
  );
  await Promise.all([serving, clock.run()]);
  return { served, takenAtMs, mostAtOnce };
}

describe("serveGroups", () => {
  it("a group that is done soon → nothing else is taken", async () => {
    const { served, takenAtMs } = await serve([0.2], { taken: [[1]] });
    expect(takenAtMs).toEqual([]);
    expect(served).toEqual([{ group: 0.2, isGiven: true, isLast: true, fromMs: 0, toMs: 200 }]);
  });

  it("a group that takes long → others are served meanwhile, as many as allowed", async () => {
    const { served, mostAtOnce } = await serve([10], { taken: [[2, 3], [4], [5]] });
    expect(mostAtOnce).toBe(3);
    expect(served.map(({ group, isGiven, isLast }) => ({ group, isGiven, isLast }))).toEqual([
      { group: 2, isGiven: false, isLast: false },
      { group: 3, isGiven: false, isLast: false },
      { group: 4, isGiven: false, isLast: false },
      { group: 5, isGiven: false, isLast: false },
      { group: 10, isGiven: true, isLast: true },
    ]);
  });

  it("more groups at once than allowed → wait for their turn, and are all served", async () => {
    const { served, mostAtOnce } = await serve([2], { taken: [[1, 1, 1, 1, 1, 1]] });
    expect(mostAtOnce).toBe(3);
    expect(served).toHaveLength(7);
  });

  it("groups that come just as the last one ends → served", async () => {
    const { served } = await serve([0.305], { taken: [[1]] });
    expect(served.map(({ group }) => group)).toEqual([0.305, 1]);
  });

  it("nothing to take → asked again after five seconds each", async () => {
    const { takenAtMs } = await serve([12]);
    expect(takenAtMs).toEqual([300, 5310, 10_320]);
  });

  it("no time for another group → nothing is taken", async () => {
    const { takenAtMs, served } = await serve([3, 4], { taken: [[1]], mayTake: () => false });
    expect(takenAtMs).toEqual([]);
    expect(served).toHaveLength(2);
  });
});

describe("otherHosts", () => {
  const policy = { exchangeMaxMs: 90_000 };
  const message = (group: string, bodyPolicy?: object): GateMessage => ({
    messageId: group,
    receiptHandle: group,
    attributes: { MessageGroupId: group },
    body: JSON.stringify({
      id: "a",
      kind: "item",
      url: `https://${group}/`,
      ...(bodyPolicy && { bodyPolicy }),
    }),
  });

  function taking(messages: GateMessage[], remainingMs: number) {
    const clock = new VirtualClock();
    const hidden: { messages: GateMessage[]; forMs: number }[] = [];
    const rules = otherHosts({
      receive: async () => messages,
      hide: async (some, forMs) => void hidden.push({ messages: some, forMs }),
      remainingMs: () => remainingMs,
      clock,
      policy,
    });
    return { rules, hidden, clock };
  }

  it("messages of several hosts → a group each, in order, with as long as they are hidden", async () => {
    const { rules, hidden, clock } = taking([message("a"), message("b"), message("a")], 250_000);
    const groups = await rules.take();
    expect(groups.map((group) => group.map(({ messageId }) => messageId))).toEqual([["a", "a"], ["b"]]);
    expect(hidden).toEqual([]);
    const remaining = remainingFor(groups[0] ?? [], { remainingMs: () => 250_000, clock });
    expect(remaining()).toBe(hiddenMsOf(policy));
    clock.nowMs = 5000;
    expect(remaining()).toBe(hiddenMsOf(policy) - 5000);
  });

  it("a request whose answer streams → hidden as long as the invocation lasts", async () => {
    const { rules, hidden, clock } = taking([message("a", { type: "stream", maxBytes: 5 })], 250_000);
    const [group = []] = await rules.take();
    expect(hidden.map(({ forMs }) => forMs)).toEqual([250_000]);
    expect(remainingFor(group, { remainingMs: () => 249_000, clock })()).toBe(249_000);
  });

  it("less time left than messages are hidden → nothing may be taken", () => {
    expect(taking([], hiddenMsOf(policy) + 1).rules.mayTake()).toBe(true);
    expect(taking([], hiddenMsOf(policy)).rules.mayTake()).toBe(false);
  });

  it("messages that the invocation was given → its own time", () => {
    const { clock } = taking([], 1);
    expect(remainingFor([message("a")], { remainingMs: () => 42, clock })()).toBe(42);
  });
});
