import { describe, expect, it } from "vitest";
import type { GateMessage } from "../../../../shared/web/gate/gate-ports.ts";
import { hasTimeFor, hiddenMsOf, otherHosts, waitsInside } from "../../../../shared/web/gate/other-hosts.ts";
import { serveGroups } from "../../../../shared/web/gate/serve-groups.ts";
import { VirtualClock } from "../virtual-clock.ts";

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
  const served: { group: number; isGiven: boolean; last: number; fromMs: number; toMs: number }[] = [];
  const takenAtMs: number[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const remaining = taken.map((groups) => groups.map((group) => [group]));
  const serving = serveGroups(
    given.map((group) => [group]),
    async ([group = 0], { isGiven, atOnce: beside }) => {
      const fromMs = clock.nowMs;
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await clock.sleep(group * 1000);
      atOnce--;
      served.push({ group, isGiven, last: beside(), fromMs, toMs: clock.nowMs });
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
  await clock.run(serving);
  return { served, takenAtMs, mostAtOnce };
}

describe("serveGroups", () => {
  it("a group that is done soon → nothing else is taken", async () => {
    const { served, takenAtMs } = await serve([0.08], { taken: [[1]] });
    expect(takenAtMs).toEqual([]);
    expect(served).toEqual([{ group: 0.08, isGiven: true, last: 1, fromMs: 0, toMs: 80 }]);
  });

  it("a group that takes long → others are served meanwhile, as many as allowed", async () => {
    const { served, mostAtOnce } = await serve([10], { taken: [[2, 3], [4], [5]] });
    expect(mostAtOnce).toBe(3);
    expect(served.map(({ group, isGiven, last }) => ({ group, isGiven, last }))).toEqual([
      { group: 2, isGiven: false, last: 3 },
      { group: 3, isGiven: false, last: 3 },
      { group: 4, isGiven: false, last: 3 },
      { group: 5, isGiven: false, last: 2 },
      { group: 10, isGiven: true, last: 1 },
    ]);
  });

  it("more groups at once than allowed → wait for their turn, and are all served", async () => {
    const { served, mostAtOnce } = await serve([2], { taken: [[1, 1, 1, 1, 1, 1]] });
    expect(mostAtOnce).toBe(3);
    expect(served).toHaveLength(7);
  });

  it("groups that come just as the last one ends → served", async () => {
    const { served } = await serve([0.105], { taken: [[1]] });
    expect(served.map(({ group }) => group)).toEqual([0.105, 1]);
  });

  it("nothing to take → asked again after five seconds each", async () => {
    const { takenAtMs } = await serve([12]);
    expect(takenAtMs).toEqual([100, 5110, 10_120]);
  });

  it("no time for another group → nothing is taken", async () => {
    const { takenAtMs, served } = await serve([3, 4], { taken: [[1]], mayTake: () => false });
    expect(takenAtMs).toEqual([]);
    expect(served).toHaveLength(2);
  });
});

describe("isFilled", () => {
  it.each([
    ["nothing to take", [[]], true, 110],
    ["fewer than may be served", [[1], []], true, 120],
    ["as many as may be served", [[1, 1], [1]], true, 110],
    ["no time to take any", [[1]], false, 0],
  ])("%s → known as soon as it shows", async (_, taken, mayTake, knownAtMs) => {
    const clock = new VirtualClock();
    const left = [...taken];
    let filledAtMs: number | undefined;
    const serving = serveGroups(
      [[10]],
      async ([seconds = 0], { isFilled }) => {
        void isFilled.then(() => {
          filledAtMs ??= clock.nowMs;
        });
        await clock.sleep(seconds * 1000);
      },
      {
        most: 3,
        mayTake: () => mayTake,
        clock,
        async take() {
          await clock.sleep(10);
          return (left.shift() ?? []).map((seconds) => [seconds]);
        },
      },
    );
    await clock.run(serving);
    expect(filledAtMs).toBe(knownAtMs);
  });
});

describe("otherHosts", () => {
  const policy = { exchangeMaxMs: 90_000 };
  const message = (group: string): GateMessage => ({
    messageId: group,
    receiptHandle: group,
    attributes: { MessageGroupId: group },
    body: "{}",
  });

  function taking(messages: GateMessage[], leftMs: number) {
    const clock = new VirtualClock();
    const hidden: { messages: GateMessage[]; forMs: number }[] = [];
    const hide = async (some: GateMessage[], forMs: number) => void hidden.push({ messages: some, forMs });
    const remainingMs = () => leftMs - clock.nowMs;
    const rules = otherHosts({ receive: async () => messages, remainingMs, clock, policy });
    const hasTime = (group: GateMessage[]) => hasTimeFor(group, { hide, remainingMs, clock, policy });
    return { rules, hidden, clock, hasTime };
  }

  it("messages of several hosts → a group each, in order", async () => {
    const { rules } = taking([message("a"), message("b"), message("a")], 250_000);
    const groups = await rules.take();
    expect(groups.map((group) => group.map(({ messageId }) => messageId))).toEqual([["a", "a"], ["b"]]);
  });

  it("an exchange that ends while its messages are hidden → they are left as they are", async () => {
    const { rules, hidden, clock, hasTime } = taking([message("a")], 250_000);
    const [group = []] = await rules.take();
    clock.nowMs = 5000;
    expect(await hasTime(group)(hiddenMsOf(policy) - 5000)).toBe(true);
    expect(hidden).toEqual([]);
  });

  it("an exchange that may last longer → its messages are hidden for little longer than that", async () => {
    const { rules, hidden, clock, hasTime } = taking([message("a")], 250_000);
    const [group = []] = await rules.take();
    const mayRun = hasTime(group);
    clock.nowMs = 10_001;
    expect(await mayRun(95_000)).toBe(true);
    expect(await mayRun(95_000)).toBe(true);
    expect(hidden.map(({ messages, forMs }) => [messages.length, forMs])).toEqual([[1, hiddenMsOf(policy)]]);
    expect(await mayRun(200_000)).toBe(true);
    expect(hidden[1]?.forMs).toBe(210_000);
  });

  it("more than the invocation has left, or messages that others may have → no", async () => {
    const { rules, hidden, clock, hasTime } = taking([message("a")], 250_000);
    const [group = []] = await rules.take();
    expect(await hasTime(group)(250_001)).toBe(false);
    clock.nowMs = hiddenMsOf(policy) + 1;
    expect(await hasTime(group)(1000)).toBe(false);
    expect(hidden).toEqual([]);
  });

  it("less time left than messages are hidden → nothing may be taken", () => {
    expect(taking([], hiddenMsOf(policy) + 1).rules.mayTake()).toBe(true);
    expect(taking([], hiddenMsOf(policy)).rules.mayTake()).toBe(false);
  });

  it("messages that the invocation was given → its own time, without a call", async () => {
    const { hidden, hasTime } = taking([], 100_000);
    expect(await hasTime([message("a")])(100_000)).toBe(true);
    expect(hidden).toEqual([]);
  });
});

describe("waitsInside", () => {
  it.each([
    [1, 2000, true],
    [1, 2001, false],
    [7, 3000, false],
    [8, 3000, true],
    [24, 10_000, false],
    [25, 10_000, true],
    [50, 10_001, false],
  ])("%i hosts at once, %i ms → %j", async (hosts, waitMs, expected) => {
    const turn = { atOnce: () => hosts, isFilled: Promise.resolve() };
    expect(await waitsInside(waitMs, turn)).toBe(expected);
  });

  it("→ counts the hosts that the invocation takes first", async () => {
    const filled = Promise.withResolvers<void>();
    let hosts = 1;
    const waits = waitsInside(3000, { atOnce: () => hosts, isFilled: filled.promise });
    hosts = 10;
    filled.resolve();
    expect(await waits).toBe(true);
  });
});
