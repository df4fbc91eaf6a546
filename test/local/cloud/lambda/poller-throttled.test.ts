import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { TooManyRequests } from "../../../../local/cloud/lambda/concurrency.ts";
import { Poller } from "../../../../local/cloud/lambda/poller.ts";
import { jsonResponse, type Service } from "../../../../local/cloud/service.ts";

const message = { MessageId: "m", ReceiptHandle: "h", Body: "{}", MD5OfBody: "", Attributes: {} };

/** Delivers one message to a function that is throttled some times. @returns the attempts, and what happens to the message */
async function deliver(throttles: number, visibilityMs: number) {
  const actions: string[] = [];
  const left = [message];
  const sqs: Service = async ({ headers }) => {
    const action = String(headers["x-amz-target"]).replace("AmazonSQS.", "");
    if (action !== "ReceiveMessage") {
      actions.push(action);
      return jsonResponse(200, {});
    }
    if (left.length === 0) await sleep(1);
    return jsonResponse(200, { Messages: left.splice(0) });
  };
  let attempts = 0;
  const ended = Promise.withResolvers<void>();
  const invoke = async () => {
    attempts += 1;
    if (attempts <= throttles) throw new TooManyRequests("Rate Exceeded.");
    ended.resolve();
    return { batchItemFailures: [] };
  };
  const poller = new Poller(
    {
      queueName: "q",
      queueUrl: "u",
      queueArn: "a",
      target: { name: "a-function", invoke, kill: async () => {} },
      batchSize: 10,
      windowMs: 0,
      visibilityMs,
      concurrency: 5,
      reportsFailures: true,
    },
    { sqs, region: "r", isPaused: false, faults: undefined },
  );
  await Promise.race([ended.promise, sleep(visibilityMs)]);
  await poller.stop();
  return { attempts, actions };
}

it("a function that is throttled twice → is invoked again, and the message is deleted", async () => {
  expect(await deliver(2, 30_000)).toEqual({ attempts: 3, actions: ["DeleteMessageBatch"] });
});

it("throttled until the message is visible again → left to the next receive", async () => {
  const { attempts, actions } = await deliver(Number.POSITIVE_INFINITY, 200);
  expect(attempts).toBeGreaterThan(1);
  expect(actions).toEqual([]);
});
