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
import { deleteFrom } from "./received-messages.ts";

/** Loads the SDK when it is needed. */
const load = () => import("./sqs-sdk.ts");

/** The largest number of messages in an SQS batch. The next constant is the largest size of a batch in bytes. */
const batchSize = 10;
const maxBatchBytes = 256 * 1024;

/**
 * The number of batches of requests that are sent at the same time. Most lists lead to one host, and the message group
 * of one host accepts 300 batches per second.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/high-throughput-fifo.html
 */
const maxParallelBatches = 3;

/**
 * The longest wait of a message that returns to its queue, in seconds. SQS hides a message for at most 12 hours from
 * its receive and refuses longer timeouts. A function runs for at most 15 minutes.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const maxVisibilitySeconds = 43_200 - 900;

/**
 * The error code for a message that is not in flight. Such a message is already back in the queue, for example after a
 * batch was delivered twice.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const notInFlight = /ReceiptHandleIsInvalid$|MessageNotInflight$/;

/**
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagegroupid-property.html
 */
const maxGroupIdChars = 128;

/** Returns the host key, or a digest of it if the key is too long for a group id. */
export function groupIdOf(request: NewRequest): string {
  const key = hostKeyOf(request.url);
  return key.length <= maxGroupIdChars ? key : digest(key);
}

/**
 * Formats a message as JSON. SQS refuses a whole batch if a message contains U+FFFE or U+FFFF, which pages and feeds
 * may contain, so these characters are escaped. Surrogates are also escaped, because the SQS of the local cloud refuses
 * characters beyond U+FFFF.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
function messageBody(message: unknown): string {
  return JSON.stringify(message).replace(
    /[\uD800-\uDFFF\uFFFE\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
}

/**
 * Returns the URL or ARN of the gate's queue for this message group. The variable contains the same value for the first
 * queue.
 */
export function queueOfGroup(groupId: string, name: "requestsQueue" | "requestsQueueArn"): string {
  const queues = optionalVariable("requestQueues") === undefined ? 1 : numberVariable("requestQueues");
  return requestQueue(variable(name), queueNumber(groupId, queues));
}

/**
 * Sends requests to the message groups of their hosts, either to the gate's queue or to the queue in which requests
 * wait until their host is idle.
 */
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

/** Sends messages to a standard queue. Messages that are sent at the same time are combined into batches. */
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

/** Divides messages, in order, into as few batches as SQS permits. */
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

/** @throws PlatformError when SQS has refused a message of the batch */
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

/** Returns the queue of each stage of the delivery. */
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
 * Returns the gate's access to queues: it sends responses to readers and hops to hosts, and returns or dead-letters
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

/** Returns the URL of the queue that a message came from. The URLs of queues differ only in the names. */
function urlOfSource(eventSourceARN: string | undefined): string {
  const name = eventSourceARN?.split(":").at(-1);
  const first = variable("requestsQueue");
  return name === undefined ? first : first.replace(/[^/]+$/, name);
}

/** Returns access to a queue of requests for an invocation that takes further messages from the queue itself. */
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
    remove: (messages) => deleteFrom(QueueUrl, messages),
  };
}

/** Returns a consumer's access to its FIFO queue: it returns messages to the queue or dead-letters them. */
export function consumedQueue(): Pick<GatePorts, "deadLetter" | "returnToQueue"> {
  return {
    async deadLetter(message: GateMessage, reason: string) {
      const { sqs, SendMessageCommand } = await load();
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: variable("rejectedRequestsQueue"),
          MessageBody: message.body,
          // The message keeps its group, so that a redrive returns it to its host. The redrive needs an explicit
          // destination, because SQS knows the source only of messages that it has moved itself.
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
            // All messages of a group are in the same queue.
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
