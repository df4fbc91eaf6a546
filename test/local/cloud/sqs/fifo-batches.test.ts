import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type QueuesAndBuckets, startFauxqs } from "../../../../local/cloud/fauxqs.ts";
import { callJson } from "../../../../local/cloud/service.ts";

const stateDir = mkdtempSync(join(tmpdir(), "fifo-"));
const location = {
  region: "eu-central-1",
  account: "000000000000",
  gatewayUrl: "http://127.0.0.1:1",
  apiUrl: "http://127.0.0.1:2",
};
let sqs: QueuesAndBuckets;
let QueueUrl: string;

interface Message {
  Body: string;
  ReceiptHandle: string;
}

beforeAll(async () => {
  sqs = await startFauxqs(stateDir, location);
  const Attributes = { FifoQueue: "true", ContentBasedDeduplication: "true" };
  ({ QueueUrl } = await call<{ QueueUrl: string }>("CreateQueue", { QueueName: "line.fifo", Attributes }));
});

afterAll(async () => {
  await sqs.stop();
  rmSync(stateDir, { recursive: true });
});

const call = <Answer>(action: string, input: object) =>
  callJson<Answer>(sqs.service, `AmazonSQS.${action}`, input);

async function receive(MaxNumberOfMessages = 10): Promise<Message[]> {
  const { Messages = [] } = await call<{ Messages?: Message[] }>("ReceiveMessage", {
    QueueUrl,
    MaxNumberOfMessages,
  });
  return Messages;
}

const bodies = (messages: Message[]) => messages.map(({ Body }) => Body);

it("messages of two groups → those of the first, then of the second; what returns comes in order, its group closed until then", async () => {
  for (const MessageBody of ["a1", "b1", "a2", "b2", "a3"])
    await call("SendMessage", { QueueUrl, MessageBody, MessageGroupId: MessageBody[0] });
  const first = await receive();
  expect(bodies(first)).toEqual(["a1", "a2", "a3", "b1", "b2"]);
  await call("SendMessage", { QueueUrl, MessageBody: "a4", MessageGroupId: "a" });
  const [a1, a2, a3] = first as [Message, Message, Message];
  await call("DeleteMessage", { QueueUrl, ReceiptHandle: a1.ReceiptHandle });
  const toVisible = ({ ReceiptHandle }: Message) =>
    call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
  await toVisible(a2);
  expect(await receive()).toEqual([]);
  await toVisible(a3);
  expect(bodies(await receive(2))).toEqual(["a2", "a3"]);
  expect(await receive()).toEqual([]);
});
