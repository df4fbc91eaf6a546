import { beforeAll, describe, expect, it } from "vitest";
import { deadLetterQueues, queueNames } from "../../shared/names.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator, queueArn } from "./operator.ts";

let operator: Operator;

beforeAll(async () => {
  operator = new Operator(await testCloud(stateFolder(), { polling: false }));
});

/** Receives a message as often as SQS lets a consumer, and again. */
async function receiveUntilDead(queue: string, deadLetterQueue: string): Promise<void> {
  const input = { QueueUrl: operator.queueUrl(queue), AttributeNames: ["RedrivePolicy"] };
  const { Attributes } = await operator.sqs<{ Attributes: Record<string, string> }>(
    "GetQueueAttributes",
    input,
  );
  const policy = JSON.parse(Attributes.RedrivePolicy ?? "");
  expect(policy.deadLetterTargetArn).toBe(queueArn(deadLetterQueue));
  for (let count = 0; count <= policy.maxReceiveCount; count++) await operator.receive(queue, 0);
}

const ofQueues = [
  ...deadLetterQueues().filter(({ queue, deadLetterQueue }) => queue !== deadLetterQueue),
  { queue: queueNames.idleRequests, deadLetterQueue: queueNames.rejectedRequests },
];

describe("a redrive", () => {
  it.each(ofQueues)("of $deadLetterQueue → its messages are in $queue again", async (queues) => {
    const { queue, deadLetterQueue } = queues;
    const group = queue.endsWith(".fifo") ? { MessageGroupId: "host.example" } : {};
    await operator.sqs("SendMessage", {
      QueueUrl: operator.queueUrl(queue),
      MessageBody: `a message of ${queue}`,
      ...group,
    });
    await receiveUntilDead(queue, deadLetterQueue);
    expect([await operator.visible(queue), await operator.visible(deadLetterQueue)]).toEqual([0, 1]);

    expect(await operator.redrive(deadLetterQueue)).toMatchObject({ Status: "COMPLETED" });
    expect(await operator.visible(deadLetterQueue)).toBe(0);
    const back = await operator.receive(queue, 60);
    expect(back).toMatchObject({
      Body: `a message of ${queue}`,
      Attributes: { ApproximateReceiveCount: "1" },
    });
    expect(back?.Attributes.MessageGroupId).toBe(group.MessageGroupId);
    await operator.remove(queue, back);
  });

  it("of rejected requests → fails without a destination, as SQS did not move them; with requests, each is with its host", async () => {
    const { gateQueues } = await import("../../shared/adapters/aws/queues.ts");
    const message = {
      messageId: "m1",
      receiptHandle: "r1",
      body: '{"url": "https://host.example/"}',
      attributes: { MessageGroupId: "host.example" },
    };
    await gateQueues().deadLetter(message, "failed 10 times");
    const failed = await operator.redrive(queueNames.rejectedRequests);
    expect(failed).toMatchObject({ Status: "FAILED", FailureReason: "CouldNotDetermineMessageSource" });
    expect(await operator.visible(queueNames.rejectedRequests)).toBe(1);

    expect(await operator.redrive(queueNames.rejectedRequests, queueNames.requests)).toMatchObject({
      Status: "COMPLETED",
    });
    const back = await operator.receive(queueNames.requests, 60);
    expect(back).toMatchObject({ Body: message.body, Attributes: { MessageGroupId: "host.example" } });
  });

  it("of the schedules' dead letters → refused: no queue has them as its own", async () => {
    expect(await operator.redrive(queueNames.scheduleDeadLetters)).toMatchObject({
      __type: expect.stringMatching(/InvalidParameterValue$/),
    });
  });
});
