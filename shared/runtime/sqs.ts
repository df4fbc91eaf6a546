import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { z } from "zod";
import { changeVisibility, deleteMessages } from "../adapters/aws/received-messages.ts";
import { InputError, ThrottledError } from "../core/errors.ts";
import { parseJson } from "../core/parse-json.ts";
import { parseInput } from "../core/schema-problems.ts";
import type { GateMessage } from "../web/gate/gate-ports.ts";
import { type GroupTurn, type OtherGroups, serveGroups } from "../web/gate/serve-groups.ts";
import { bestEffort } from "./best-effort.ts";
import { invocationLog } from "./invocation-log.ts";
import { errorFields, log } from "./log.ts";
import { messageSubject } from "./message-subject.ts";
import { Quarantine, receivesOf } from "./quarantine.ts";

/** Facts about a message, apart from its content. */
interface MessageInfo {
  messageId: string;
  /** The number of times that SQS has delivered the message, including this one. */
  receiveCount: number;
  /** Returns the time left in the invocation, in milliseconds. */
  remainingMs(): number;
}

/**
 * Creates a function that reads a standard queue. Each message is parsed and handled separately, and only failed
 * messages return to the queue. A message that always fails is quarantined. The services are built once, at the first
 * invocation.
 * @param options.settle ends the work that waits for a quarantined message, with the reason; it may be called
 * repeatedly
 * @param options.quarantines false: messages that always fail become dead letters
 */
export function sqsHandler<Schema extends z.ZodType, Services>(options: {
  message: Schema;
  services: () => Services;
  handle: (message: z.output<Schema>, services: Services, receipt: MessageInfo) => Promise<void>;
  settle?: (message: z.output<Schema>, services: Services, reason: string) => Promise<void>;
  quarantines?: false;
}) {
  const { settle } = options;
  const quarantine = options.quarantines === false ? undefined : new Quarantine();
  let services: Services | undefined;
  const servicesOf = () => {
    services ??= options.services();
    return services;
  };
  const handleRecord = async (record: SQSRecord, context: Context): Promise<string | undefined> => {
    const work = async () => {
      await options.handle(parseMessage(options.message, record.body), servicesOf(), {
        messageId: record.messageId,
        receiveCount: receivesOf(record),
        remainingMs: () => context.getRemainingTimeInMillis(),
      });
    };
    // Without services, no message can be processed, so the failure says nothing about this message.
    let isReady = false;
    try {
      servicesOf();
      isReady = true;
      await (quarantine === undefined ? work() : quarantine.try(record, work));
      return undefined;
    } catch (error) {
      // A message that waits for another worker has not failed.
      const isWaiting = error instanceof ThrottledError;
      const [level, what] = isWaiting ? (["info", "waits"] as const) : (["error", "failed"] as const);
      log(level, `the message ${what}`, {
        messageId: record.messageId,
        ...messageSubject(record.body),
        ...errorFields(error),
      });
      if (isReady && quarantine?.isLast(record, error)) {
        const settleIt = async (reason: string) =>
          settle?.(parseMessage(options.message, record.body), servicesOf(), reason);
        if (await quarantine.put(record, error, settleIt)) return undefined;
      }
      await delayRetry(record, pauseSeconds(record, error));
      return record.messageId;
    }
  };
  return middy<SQSEvent, SQSBatchResponse>()
    .use(invocationLog(countsOf))
    .handler(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
      const { fresh = [], suspect = [] } = Object.groupBy(event.Records, (record) =>
        quarantine?.isSuspect(record) ? "suspect" : "fresh",
      );
      const failed = await Promise.all(fresh.map((record) => handleRecord(record, context)));
      let done = fresh.filter((_, index) => failed[index] === undefined);
      // These messages are handled one by one, after the others, because one of them may end the function. What is done
      // by then is deleted, so that it does not return with the one that ends the function, and become a dead letter.
      for (const record of suspect.toSorted((one, other) => receivesOf(other) - receivesOf(one))) {
        await bestEffort("processed messages are not deleted", () => deleteMessages(done));
        const returned = await handleRecord(record, context);
        failed.push(returned);
        done = returned === undefined ? [record] : [];
      }
      return failuresOf(failed.filter((messageId) => messageId !== undefined));
    });
}

/**
 * Creates a function that reads a FIFO queue. The messages of each group are handled together and in order, and those
 * that are not done return to the queue. With `others`, the function also serves other groups of the queue. It then
 * deletes the messages of each group as soon as they are done, so that the given groups need not wait for the others.
 * The function throws when every group has failed, because Lambda counts errors of functions but not the messages that
 * they return.
 */
export function fifoHandler<Services>(options: {
  services: () => Services;
  handleGroup: (
    messages: GateMessage[],
    services: Services,
    turn: GroupTurn & { context: Context },
  ) => Promise<{ messageId: string }[]>;
  others?: (
    services: Services,
    invocation: { context: Context; eventSourceARN: string },
  ) => OtherGroups<GateMessage> & { remove(messages: readonly GateMessage[]): Promise<void> };
}) {
  let services: Services | undefined;
  const handleGroup = async (
    records: GateMessage[],
    { onError, ...turn }: GroupTurn & { context: Context; onError(error: unknown): void },
  ) => {
    try {
      services ??= options.services();
      return await options.handleGroup(records, services, turn);
    } catch (error) {
      onError(error);
      log("error", "the group failed", {
        group: records[0]?.attributes?.MessageGroupId,
        ...messageSubject(records[0]?.body ?? ""),
        ...errorFields(error),
      });
      return records;
    }
  };
  const othersOf = ({ Records: [first] }: SQSEvent, context: Context) => {
    if (first === undefined) return undefined;
    try {
      services ??= options.services();
      const others = options.others?.(services, { context, eventSourceARN: first.eventSourceARN });
      return others && { ...others, take: () => takeIfPossible(others) };
    } catch {
      // Each group reports this error itself.
      return undefined;
    }
  };
  return middy<SQSEvent, SQSBatchResponse>()
    .use(invocationLog(countsOf))
    .handler(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
      const groups = Map.groupBy(event.Records, ({ attributes }) => attributes.MessageGroupId);
      const left: string[] = [];
      const errors: unknown[] = [];
      let served = 0;
      const others = othersOf(event, context);
      const serve = async (group: GateMessage[], turn: GroupTurn) => {
        served += 1;
        const returned = await handleGroup(group, {
          ...turn,
          context,
          onError: (error) => errors.push(error),
        });
        const undone = new Set(returned.map(({ messageId }) => messageId));
        const { isGiven, atOnce } = turn;
        if (isGiven) left.push(...undone);
        const done = group.filter(({ messageId }) => !undone.has(messageId));
        // The messages of the last group are deleted when the invocation ends, which is now.
        if (done.length === 0 || (isGiven && atOnce() === 1)) return;
        // A message that is not deleted is received again, and is recognised as done.
        await bestEffort("processed messages are not deleted", async () => others?.remove(done));
      };
      await serveGroups<GateMessage>([...groups.values()], serve, others);
      if (served > 0 && errors.length === served) throw errors[0];
      return failuresOf(left);
    });
}

/** Takes further messages. If this fails, the received messages are served nevertheless. */
async function takeIfPossible(others: OtherGroups<GateMessage>): Promise<GateMessage[][]> {
  let groups: GateMessage[][] = [];
  await bestEffort("no further groups are received", async () => {
    groups = await others.take();
  });
  return groups;
}

const firstPauseSeconds = 10;
const maxPauseSeconds = 300;

/**
 * Returns how long a failed message waits: until it may be retried, or for a pause that doubles with each attempt. A
 * malformed message goes to the dead-letter queue without a wait.
 */
function pauseSeconds(record: SQSRecord, error: unknown): number {
  if (error instanceof InputError) return 0;
  if (error instanceof ThrottledError) {
    return Math.max(1, Math.ceil((error.retryAt.getTime() - Date.now()) / 1000));
  }
  return Math.min(firstPauseSeconds * 2 ** (receivesOf(record) - 1), maxPauseSeconds);
}

/**
 * Returns a failed message to the queue after a pause. The queue's own visibility timeout is meant for functions that
 * died. It applies only if setting the pause fails.
 */
async function delayRetry(record: SQSRecord, seconds: number): Promise<void> {
  try {
    await changeVisibility(record, seconds);
  } catch (error) {
    log("warn", "the message returns at its visibility timeout", {
      messageId: record.messageId,
      ...errorFields(error),
    });
  }
}

function countsOf({ Records }: SQSEvent, { batchItemFailures }: SQSBatchResponse) {
  return { messages: Records.length, returned: batchItemFailures.length };
}

function failuresOf(messageIds: string[]): SQSBatchResponse {
  return { batchItemFailures: messageIds.map((itemIdentifier) => ({ itemIdentifier })) };
}

function parseMessage<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const json = parseJson(body);
  if (json === undefined) throw new InputError("body", body, "is not JSON");
  return parseInput(schema, json);
}
