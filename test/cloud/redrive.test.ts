import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { deadLetterQueues, queueNames } from "../../shared/names.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let cloud: LocalCloud;

beforeAll(async () => {
  cloud = await testCloud(stateFolder(), { polling: false });
});

async function sqs<Answer>(operation: string, input: object): Promise<Answer & { __type?: string }> {
  const key = cloud.adminEnvironment.AWS_ACCESS_KEY_ID;
  const answer = await fetch(cloud.gatewayUrl, {
    method: "POST",
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${key}/20261123/eu-central-1/sqs/aws4_request`,
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `AmazonSQS.${operation}`,
    },
    body: JSON.stringify(input),
  });
  return (await answer.json()) as Answer & { __type?: string };
}

const url = (queue: string) => `${cloud.gatewayUrl}/000000000000/${queue}`;
const arn = (queue: string) => `arn:aws:sqs:eu-central-1:000000000000:${queue}`;

interface Message {
  ReceiptHandle: string;
  Body: string;
  Attributes: Record<string, string>;
}
const receive = async (queue: string, VisibilityTimeout: number) =>
  (
    await sqs<{ Messages?: Message[] }>("ReceiveMessage", {
      QueueUrl: url(queue),
      VisibilityTimeout,
      MessageSystemAttributeNames: ["All"],
    })
  ).Messages?.[0];

const visible = async (queue: string) => {
  const input = { QueueUrl: url(queue), AttributeNames: ["ApproximateNumberOfMessages"] };
  const { Attributes } = await sqs<{ Attributes: Record<string, string> }>("GetQueueAttributes", input);
  return Number(Attributes.ApproximateNumberOfMessages);
};

/** Receives a message as often as SQS lets a consumer, and once more. */
async function receiveUntilDead(queue: string, deadLetterQueue: string): Promise<void> {
  const input = { QueueUrl: url(queue), AttributeNames: ["RedrivePolicy"] };
  const { Attributes } = await sqs<{ Attributes: Record<string, string> }>("GetQueueAttributes", input);
  const policy = JSON.parse(Attributes.RedrivePolicy ?? "");
  expect(policy.deadLetterTargetArn).toBe(arn(deadLetterQueue));
  for (let count = 0; count <= policy.maxReceiveCount; count++) await receive(queue, 0);
}

/** Choosing *Start DLQ redrive* in the console. @returns how it ended */
async function redrive(queue: string, destination?: string) {
  const SourceArn = arn(queue);
  const DestinationArn = destination && arn(destination);
  const started = await sqs<{ TaskHandle?: string }>("StartMessageMoveTask", { SourceArn, DestinationArn });
  if (started.TaskHandle === undefined) return started;
  const last = async () =>
    (
      await sqs<{ Results: { Status: string; FailureReason?: string }[] }>("ListMessageMoveTasks", {
        SourceArn,
      })
    ).Results[0];
  await expect.poll(async () => (await last())?.Status).not.toBe("RUNNING");
  return last();
}

const ofQueues = [
  ...deadLetterQueues().filter(({ queue, deadLetterQueue }) => queue !== deadLetterQueue),
  { queue: queueNames.idleRequests, deadLetterQueue: queueNames.rejectedRequests },
];

describe("a redrive", () => {
  it.each(ofQueues)("of $deadLetterQueue → its messages are in $queue again", async (queues) => {
    const { queue, deadLetterQueue } = queues;
    const group = queue.endsWith(".fifo") ? { MessageGroupId: "host.example" } : {};
    await sqs("SendMessage", { QueueUrl: url(queue), MessageBody: `a message of ${queue}`, ...group });
    await receiveUntilDead(queue, deadLetterQueue);
    expect([await visible(queue), await visible(deadLetterQueue)]).toEqual([0, 1]);

    expect(await redrive(deadLetterQueue)).toMatchObject({ Status: "COMPLETED" });
    expect(await visible(deadLetterQueue)).toBe(0);
    const back = await receive(queue, 60);
    expect(back).toMatchObject({
      Body: `a message of ${queue}`,
      Attributes: { ApproximateReceiveCount: "1" },
    });
    expect(back?.Attributes.MessageGroupId).toBe(group.MessageGroupId);
    await sqs("DeleteMessage", { QueueUrl: url(queue), ReceiptHandle: back?.ReceiptHandle });
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
    const failed = await redrive(queueNames.rejectedRequests);
    expect(failed).toMatchObject({ Status: "FAILED", FailureReason: "CouldNotDetermineMessageSource" });
    expect(await visible(queueNames.rejectedRequests)).toBe(1);

    expect(await redrive(queueNames.rejectedRequests, queueNames.requests)).toMatchObject({
      Status: "COMPLETED",
    });
    const back = await receive(queueNames.requests, 60);
    expect(back).toMatchObject({ Body: message.body, Attributes: { MessageGroupId: "host.example" } });
  });

  it("of the schedules' dead letters → refused: no queue has them as its own", async () => {
    expect(await redrive(queueNames.scheduleDeadLetters)).toMatchObject({
      __type: expect.stringMatching(/InvalidParameterValue$/),
    });
  });
});
