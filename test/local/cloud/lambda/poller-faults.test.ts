import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { DeliveryFault } from "../../../../local/cloud/faults.ts";
import { Poller } from "../../../../local/cloud/lambda/poller.ts";
import { jsonResponse, type Service } from "../../../../local/cloud/service.ts";

const message = { MessageId: "m", ReceiptHandle: "h", Body: "{}", MD5OfBody: "", Attributes: {} };

/** Delivers one message under a fault. @returns the function's invocations and kills, and what happens to the message */
async function deliver(fault: DeliveryFault | undefined, queueName: string) {
  const actions: string[] = [];
  let isReceived = false;
  const sqs: Service = async ({ headers, body }) => {
    const action = String(headers["x-amz-target"]).replace("AmazonSQS.", "");
    if (action !== "ReceiveMessage") {
      const { Entries } = JSON.parse(body.toString());
      actions.push(`${action} ${Entries[0].ReceiptHandle} ${Entries[0].VisibilityTimeout ?? ""}`.trim());
      return jsonResponse(200, {});
    }
    // The next receives end at once, but not without end.
    if (isReceived) await sleep(1);
    const Messages = isReceived ? [] : [message];
    isReceived = true;
    return jsonResponse(200, { Messages });
  };
  const killed = Promise.withResolvers<never>();
  killed.promise.catch(() => {});
  const running = { now: 0, most: 0, all: 0, kills: 0 };
  const target = {
    name: "a-function",
    invoke: async () => {
      running.all += 1;
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      const end = fault === "kill" ? killed.promise : sleep(1);
      await end.finally(() => {
        running.now -= 1;
      });
      return { batchItemFailures: [] };
    },
    kill: async () => {
      running.kills += 1;
      killed.reject(new Error("the thread ended"));
    },
  };
  const source = {
    queueName,
    queueUrl: "u",
    queueArn: "a",
    target,
    batchSize: 10,
    windowMs: 0,
    visibilityMs: 30_000,
    concurrency: 5,
  };
  let faults = 0;
  const poller = new Poller(
    { ...source, reportsFailures: true },
    {
      sqs,
      region: "r",
      isPaused: false,
      faults: {
        ofCall: () => undefined,
        ofDelivery: () => {
          faults += 1;
          return fault;
        },
        pauseMs: () => 0,
        clockOffset: new SharedArrayBuffer(4),
      },
    },
  );
  await expect.poll(() => actions.length).toBe(1);
  await poller.stop();
  expect(faults).toBe(1);
  const { all, most, kills } = running;
  return { invocations: all, atOnce: most, kills, actions };
}

const deleted = ["DeleteMessageBatch h"];
const returned = ["ChangeMessageVisibilityBatch h 0"];

it.each<[DeliveryFault | undefined, string, Awaited<ReturnType<typeof deliver>>]>([
  [undefined, "q", { invocations: 1, atOnce: 1, kills: 0, actions: deleted }],
  ["clock jump", "q", { invocations: 1, atOnce: 1, kills: 0, actions: deleted }],
  ["duplicate", "q", { invocations: 2, atOnce: 2, kills: 0, actions: deleted }],
  ["duplicate", "q.fifo", { invocations: 2, atOnce: 1, kills: 0, actions: deleted }],
  ["lose answer", "q", { invocations: 1, atOnce: 1, kills: 0, actions: returned }],
  ["kill", "q", { invocations: 1, atOnce: 1, kills: 1, actions: returned }],
])("a delivery with the fault %s from %s → %j", async (fault, queueName, outcome) => {
  expect(await deliver(fault, queueName)).toEqual(outcome);
});
