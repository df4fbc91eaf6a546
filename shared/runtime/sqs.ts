import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { z } from "zod";
import { changeVisibility } from "../adapters/aws/change-visibility.ts";
import { InputError, ThrottledError } from "../core/errors.ts";
import { parseJson } from "../core/parse-json.ts";
import { parseInput } from "../core/schema-problems.ts";
import { invocationLog } from "./invocation-log.ts";
import { errorFields, log } from "./log.ts";

/** What a handler may know of the message besides its contents. */
interface MessageInfo {
  messageId: string;
  /** How often SQS has handed the message out, this time included. */
  receiveCount: number;
  /** What is left of the invocation. */
  remainingMs(): number;
}

/**
 * A function fed by a standard queue: each message is parsed and handled on its own, and a message that fails goes back
 * alone. Services are built at the first invocation and kept.
 */
export function sqsHandler<Schema extends z.ZodType, Services>(options: {
  message: Schema;
  services: () => Services;
  handle: (message: z.output<Schema>, services: Services, receipt: MessageInfo) => Promise<void>;
}) {
  let services: Services | undefined;
  const handleRecord = async (record: SQSRecord, context: Context): Promise<string | undefined> => {
    try {
      services ??= options.services();
      const receipt = {
        messageId: record.messageId,
        receiveCount: Number(record.attributes.ApproximateReceiveCount),
        remainingMs: () => context.getRemainingTimeInMillis(),
      };
      await options.handle(parseMessage(options.message, record.body), services, receipt);
      return undefined;
    } catch (error) {
      // Who has to wait for somebody else has not failed.
      const [level, what] =
        error instanceof ThrottledError ? (["info", "waits"] as const) : (["error", "failed"] as const);
      log(level, `the message ${what}`, { messageId: record.messageId, ...errorFields(error) });
      await delayRetry(record, pauseSeconds(record, error));
      return record.messageId;
    }
  };
  return middy<SQSEvent, SQSBatchResponse>()
    .use(invocationLog(countsOf))
    .handler(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
      const failed = await Promise.all(event.Records.map((record) => handleRecord(record, context)));
      return failuresOf(failed.filter((messageId) => messageId !== undefined));
    });
}

/** A function fed by a FIFO queue: it gets the messages of each group together, in order, and says which are not done. */
export function fifoHandler<Services>(options: {
  services: () => Services;
  handleGroup: (
    records: SQSRecord[],
    services: Services,
    context: Context,
  ) => Promise<{ messageId: string }[]>;
}) {
  let services: Services | undefined;
  const handleGroup = async (records: SQSRecord[], context: Context) => {
    try {
      services ??= options.services();
      return await options.handleGroup(records, services, context);
    } catch (error) {
      log("error", "the group failed", {
        group: records[0]?.attributes.MessageGroupId,
        ...errorFields(error),
      });
      return records;
    }
  };
  return middy<SQSEvent, SQSBatchResponse>()
    .use(invocationLog(countsOf))
    .handler(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
      const groups = Map.groupBy(event.Records, ({ attributes }) => attributes.MessageGroupId);
      const left = await Promise.all([...groups.values()].map((records) => handleGroup(records, context)));
      return failuresOf(left.flat().map(({ messageId }) => messageId));
    });
}

const firstPauseSeconds = 10;
const maxPauseSeconds = 300;

/**
 * How long a failed message waits: until it may be handled, or for a pause that doubles with each try. One that does not
 * have the agreed shape never will: it goes to the dead-letter queue without a wait.
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
 * Has a failed message come again after a pause, instead of after the queue's visibility timeout, which is made for
 * functions that died. Where that cannot be had, the timeout does.
 */
async function delayRetry(record: SQSRecord, seconds: number): Promise<void> {
  try {
    await changeVisibility(record, seconds);
  } catch (error) {
    log("warn", "the message comes again at its timeout only", {
      messageId: record.messageId,
      ...errorFields(error),
    });
  }
}

function countsOf({ Records }: SQSEvent, { batchItemFailures }: SQSBatchResponse) {
  return { messages: Records.length, handedBack: batchItemFailures.length };
}

function failuresOf(messageIds: string[]): SQSBatchResponse {
  return { batchItemFailures: messageIds.map((itemIdentifier) => ({ itemIdentifier })) };
}

function parseMessage<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const json = parseJson(body);
  if (json === undefined) throw new InputError("body", body, "is not JSON");
  return parseInput(schema, json);
}
