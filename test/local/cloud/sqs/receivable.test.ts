import { expect, it } from "vitest";
import { nextReceivableMs } from "../../../../local/cloud/sqs/receivable.ts";

const queue = (isFifo: boolean) => ({
  isFifo: () => isFifo,
  messages: [] as unknown[],
  inflightMessages: new Map(),
  delayedMessages: [{ delayUntil: 40 }],
  fifoDelayed: new Map([["group", [{ delayUntil: 25 }]]]),
  hasAvailableFifoMessages: () => false,
});
const inflightMessages = new Map([["handle", { visibilityDeadline: 30 }]]);

it.each([
  ["of no queue", undefined, Number.POSITIVE_INFINITY],
  ["a visible one", { ...queue(false), messages: [{}] }, 0],
  ["one of a free group", { ...queue(true), hasAvailableFifoMessages: () => true }, 0],
  ["hidden ones: the first of them", { ...queue(false), inflightMessages }, 30],
  ["a delayed one of a FIFO queue", { ...queue(true), inflightMessages }, 25],
  ["none", { ...queue(false), delayedMessages: [] }, Number.POSITIVE_INFINITY],
])("messages, %s → when one can be received", (_which, given, expected) => {
  expect(nextReceivableMs(given)).toBe(expected);
});
