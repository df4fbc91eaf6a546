import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { z } from "zod";
import { changeVisibility } from "../adapters/aws/change-visibility.ts";
import { InputError, ThrottledError } from "../core/errors.ts";
import { parseJson } from "../core/parse-json.ts";
import { parseInput } from "../core/schema-problems.ts";
import type { GateMessage } from "../web/gate/gate-ports.ts";
import { type GroupTurn, type OtherGroups, serveGroups } from "../web/gate/serve-groups.ts";
import { bestEffort } from "./best-effort.ts";
import { invocationLog } from "./invocation-log.ts";
import { errorFields, log } from "./log.ts";
import { messageSubject } from "./message-subject.ts";
import { Quarantine } from "./quarantine.ts";

/** A message, apart from its content. */
interface MessageInfo {
  messageId: string;
  /** How often SQS has delivered the message, this time included. */
  receiveCount: number;
  /** The time left in the invocation. */
  remainingMs(): number;
}

/**
 * A function that reads a standard queue. It parses and handles each message on its own, and returns only failed
 * messages to the queue. A message that always fails is quarantined. The services are built once, at the first invocation.
 * @param options.settle ends with the reason what waits for a message that is quarantined; it may be repeated
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
        receiveCount: Number(record.attributes.ApproximateReceiveCount),
        remainingMs: () => context.getRemainingTimeInMillis(),
      });
    };
    // Without services no message can be processed: that says nothing about this one.
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
      // One by one, after the others: one of them may end the function.
      for (const record of suspect) failed.push(await handleRecord(record, context));
      return failuresOf(failed.filter((messageId) => messageId !== undefined));
    });
}

/**
 * A function that reads a FIFO queue. It gets the messages of each group together, in order, and returns those not
 * done. With `others` it serves other groups of the queue, too, and deletes the messages of each group as soon as they are
 * done: its own groups must not wait for the others. It throws when each group has failed: Lambda counts errors of functions,
 * and no messages that they return.
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
      // Each group says it.
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
        // Those of the last group are deleted when the invocation ends, which is now.
        if (done.length === 0 || (isGiven && atOnce() === 1)) return;
        // A message that stays comes again, and is known to be done.
        await bestEffort("processed messages are not deleted", async () => others?.remove(done));
      };
      await serveGroups<GateMessage>([...groups.values()], serve, others);
      if (served > 0 && errors.length === served) throw errors[0];
      return failuresOf(left);
    });
}

/** The received messages are served anyway. */
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
 * How long a failed message waits: until it may be retried, or for a pause that doubles with each try. A malformed
 * message does not wait on its way to the dead-letter queue.
 */
function pauseSeconds(record: SQSRecord, error: unknown): number {
  if (error instanceof InputError) return 0;
  if (error instanceof ThrottledError) {
    return Math.max(1, Math.ceil((error.retryAt.getTime() - Date.now()) / 1000));
  }
  const tries = Number(record.attributes.ApproximateReceiveCount);
  return Math.min(firstPauseSeconds * 2 ** (tries - 1), maxPauseSeconds);
}

/**
 * Returns a failed message after a pause instead of the queue's visibility timeout, which is meant for functions that
 * died. When that fails, the timeout applies.
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
