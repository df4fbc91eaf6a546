import { expect, it } from "vitest";
import { nextVisibleMs } from "../../../../local/cloud/sqs/visible-times.ts";

const empty = { inflightMessages: new Map(), delayedMessages: [], fifoDelayed: new Map() };

it.each([
  ["none hidden", [empty, empty], undefined],
  [
    "received, and delayed in both kinds of queues",
    [
      { ...empty, inflightMessages: new Map([["handle", { visibilityDeadline: 30 }]]) },
      { ...empty, delayedMessages: [{ delayUntil: 40 }, { delayUntil: 20 }] },
      { ...empty, fifoDelayed: new Map([["group", [{ delayUntil: 25 }]]]) },
    ],
    20,
  ],
])("%s → when the first one is visible", (_hidden, queues, expected) => {
  expect(nextVisibleMs(queues)).toBe(expected);
});
