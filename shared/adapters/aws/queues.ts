import { combine } from "../../core/combine.ts";
import { digest } from "../../core/digest.ts";
import { PlatformError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { requestQueue, responsesVariable } from "../../names.ts";
import type { Stage, StageQueue, StageRequest } from "../../records/runs/stages.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { GateMessage, GatePorts } from "../../web/gate/gate-ports.ts";
import { queueNumber } from "../../web/gate/queue-number.ts";
import { visibilityTimeoutSeconds } from "../../web/gate/visibility-timeout.ts";
import { type RequestKind, requestKinds } from "../../web/request/kinds.ts";
import { exchangeId, type NewRequest, type RequestQueue } from "../../web/request/request.ts";
import { numberVariable, optionalVariable, variable } from "./environment.ts";

/** The SDK, when it is needed. */
const load = () => import("./sqs-sdk.ts");

/** The most messages and bytes that SQS takes in one batch. */
const batchSize = 10;
const maxBatchBytes = 256 * 1024;

/**
 * Batches of requests sent at the same time. Most lists lead to one host, and the message group of one host takes 300
 * batches per second.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/high-throughput-fifo.html
 */
const maxParallelBatches = 3;

/**
 * The longest wait of a message that returns, in seconds. SQS hides a message for 12 hours at most, counted from its
 * receive, and refuses more; a function runs for 15 minutes at most.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const maxVisibilitySeconds = 43_200 - 900;

/**
 * A message that is not in flight is back in the queue already, as after a batch that was delivered twice.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const notInFlight = /ReceiptHandleIsInvalid$|MessageNotInflight$/;

/**
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagegroupid-property.html
 */
const maxGroupIdChars = 128;

/** The host key, or a digest of it when it is too long for a group id. */
export function groupIdOf(request: NewRequest): string {
  const key = hostKeyOf(request.url);
  return key.length <= maxGroupIdChars ? key : digest(key);
}

/**
 * A message as JSON. SQS refuses U+FFFE and U+FFFF, which pages and feeds may contain, and refuses the whole batch with
 * them: they are escaped. So are surrogates, as the SQS of the local cloud takes no character beyond U+FFFF.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
function messageBody(message: unknown): string {
  return JSON.stringify(message).replace(
    /[\uD800-\uDFFF\uFFFE\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
}

/** The URL or ARN of the gate's queue for this message group, in the form that the variable has for the first queue. */
export function queueOfGroup(groupId: string, name: "requestsQueue" | "requestsQueueArn"): string {
  const queues = optionalVariable("requestQueues") === undefined ? 1 : numberVariable("requestQueues");
  return requestQueue(variable(name), queueNumber(groupId, queues));
}

/** Sends requests to the message groups of their hosts: to the gate, or to wait until the host is idle. */
export function requestsQueue(name: "requestsQueue" | "idleRequestsQueue" = "requestsQueue"): RequestQueue {
  const urlFor = (request: NewRequest) =>
    name === "requestsQueue" ? queueOfGroup(groupIdOf(request), name) : variable(name);
  return {
    async send(requests: NewRequest[]) {
      const batches = [...Map.groupBy(requests, urlFor)].flatMap(([QueueUrl, own]) => {
        const entries = own.map((request) => ({
          MessageBody: messageBody(request),
          MessageGroupId: groupIdOf(request),
          MessageDeduplicationId: exchangeId(request),
        }));
        return batchesBySize(entries).map((batch) => ({ QueueUrl, batch }));
      });
      await inParallel(batches, maxParallelBatches, ({ QueueUrl, batch }) => sendBatch(QueueUrl, batch));
    },
  };
}

/** A standard queue. Messages that are sent at the same time go out in batches. */
export function messageQueue<Message>(name: Parameters<typeof variable>[0]) {
  const QueueUrl = variable(name);
  return { send: combine((messages: Message[]) => sendAll(QueueUrl, messages), batchSize) };
}

async function sendAll(QueueUrl: string, messages: unknown[]): Promise<undefined[]> {
  const entries = messages.map((message) => ({ MessageBody: messageBody(message) }));
  await Promise.all(
    batchesBySize(entries).map((batch) => {
      const [first, ...others] = batch;
      return first !== undefined && others.length === 0
        ? sendOne(QueueUrl, first)
        : sendBatch(QueueUrl, batch);
    }),
  );
  return messages.map(() => undefined);
}

/** The messages in as few batches as SQS takes, in order. */
function batchesBySize<Entry extends { MessageBody: string }>(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let last: Entry[] = [];
  let left = 0;
  for (const entry of entries) {
    const bytes = Buffer.byteLength(entry.MessageBody);
    if (batches.length === 0 || bytes > left || last.length === batchSize) {
      last = [];
      batches.push(last);
      left = maxBatchBytes;
    }
    last.push(entry);
    left -= bytes;
  }
  return batches;
}

/** @throws PlatformError when SQS has refused one of them */
async function sendBatch(QueueUrl: string, batch: { MessageBody: string }[]): Promise<void> {
  const { sqs, SendMessageBatchCommand } = await load();
  const Entries = batch.map((entry, index) => ({ Id: String(index), ...entry }));
  const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  const [first] = Failed;
  if (first !== undefined) {
    throw new PlatformError(`SQS refused ${Failed.length} messages: ${first.Code} ${first.Message ?? ""}`);
  }
}

async function sendOne(QueueUrl: string, message: { MessageBody: string }): Promise<void> {
  const { sqs, SendMessageCommand } = await load();
  await sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
}

export function stageQueue(name: Parameters<typeof variable>[0]): StageQueue {
  return messageQueue<StageRequest>(name);
}

/** The queue of each stage of the delivery. */
export function stageQueues(): Record<Stage, StageQueue> {
  return {
    validate: stageQueue("validateQueue"),
    upload: stageQueue("uploadQueue"),
    archive: stageQueue("archiveQueue"),
    overdue: stageQueue("overdueQueue"),
    report: stageQueue("reportsQueue"),
  };
}

/**
 * The queues as the gate uses them: it sends responses to readers and hops to hosts, and returns or dead-letters
 * messages.
 */
export function gateQueues(): Pick<GatePorts, "respond" | "enqueue" | "deadLetter" | "returnToQueue"> {
  const requests = requestsQueue();
  const readers = Object.fromEntries(
    requestKinds.map((kind) => [kind, messageQueue(responsesVariable(kind))]),
  ) as Record<RequestKind, ReturnType<typeof messageQueue>>;
  return {
    respond: (response) => readers[response.request.kind].send(response),
    enqueue: (request) => requests.send([request]),
    ...consumedQueue(),
  };
}

/** The URL of the queue that a message has come from. URLs of queues differ in the names alone. */
function urlOfSource(eventSourceARN: string | undefined): string {
  const name = eventSourceARN?.split(":").at(-1);
  const first = variable("requestsQueue");
  return name === undefined ? first : first.replace(/[^/]+$/, name);
}

/** A queue of requests as an invocation takes messages from it that it was not given. */
export function takenRequests(eventSourceARN: string): {
  receive(hiddenMs: number): Promise<GateMessage[]>;
  remove(messages: readonly GateMessage[]): Promise<void>;
} {
  const QueueUrl = urlOfSource(eventSourceARN);
  return {
    async receive(hiddenMs) {
      const { sqs, ReceiveMessageCommand } = await load();
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: batchSize,
          MessageSystemAttributeNames: ["MessageGroupId", "SentTimestamp"],
          VisibilityTimeout: Math.ceil(hiddenMs / 1000),
        }),
      );
      return Messages.map(({ MessageId = "", ReceiptHandle = "", Body = "", Attributes }) => ({
        messageId: MessageId,
        eventSourceARN,
        receiptHandle: ReceiptHandle,
        body: Body,
        attributes: {
          MessageGroupId: Attributes?.MessageGroupId,
          SentTimestamp: Attributes?.SentTimestamp,
        },
      }));
    },
    async remove(messages) {
      const { sqs, DeleteMessageBatchCommand } = await load();
      for (const batch of inBatches([...messages], batchSize)) {
        const Entries = batch.map(({ receiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
        }));
        await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      }
    },
  };
}

/** A FIFO queue as its consumer returns messages to it, or dead-letters them. */
export function consumedQueue(): Pick<GatePorts, "deadLetter" | "returnToQueue"> {
  return {
    async deadLetter(message: GateMessage, reason: string) {
      const { sqs, SendMessageCommand } = await load();
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: variable("rejectedRequestsQueue"),
          MessageBody: message.body,
          // The message's own group, so that a redrive returns it to its host. It needs a destination: SQS
          // knows the source of what it moved itself only.
          MessageGroupId: message.attributes?.MessageGroupId ?? "dead-letter",
          MessageDeduplicationId: message.messageId,
          MessageAttributes: { reason: { DataType: "String", StringValue: reason } },
        }),
      );
    },
    async returnToQueue(messages: GateMessage[], waitMs: number) {
      const { sqs, ChangeMessageVisibilityBatchCommand } = await load();
      const VisibilityTimeout = Math.min(visibilityTimeoutSeconds(waitMs), maxVisibilitySeconds);
      for (const batch of inBatches(messages, batchSize)) {
        const { Failed = [] } = await sqs.send(
          new ChangeMessageVisibilityBatchCommand({
            // The messages of a group are in one queue.
            QueueUrl: urlOfSource(batch[0]?.eventSourceARN),
            Entries: batch.map(({ receiptHandle }, index) => ({
              Id: String(index),
              ReceiptHandle: receiptHandle,
              VisibilityTimeout,
            })),
          }),
        );
        const [first] = Failed.filter(({ Code = "" }) => !notInFlight.test(Code));
        if (first !== undefined) {
          throw new PlatformError(
            `SQS did not change the visibility of a message: ${first.Code} ${first.Message ?? ""}`,
          );
        }
      }
    },
  };
}
