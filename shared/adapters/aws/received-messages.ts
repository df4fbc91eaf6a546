import { PlatformError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessageBatch.html */
const maxBatchEntries = 10;

/** A message that this function has received. */
export interface ReceivedMessage {
  messageId: string;
  eventSourceARN: string;
  receiptHandle: string;
}

/** Sets the visibility timeout of a message in flight, in seconds from now. */
export async function changeVisibility(message: ReceivedMessage, seconds: number): Promise<void> {
  const { sqs, ChangeMessageVisibilityCommand } = await import("./sqs-sdk.ts");
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: await queueUrlOf(message),
      ReceiptHandle: message.receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
}

/** Deletes messages of one queue that are done, before the invocation ends. */
export async function deleteMessages(messages: readonly ReceivedMessage[]): Promise<void> {
  const [first] = messages;
  if (first !== undefined) await deleteFrom(await queueUrlOf(first), messages);
}

/** Deletes messages from a queue. @throws PlatformError when SQS has refused one */
export async function deleteFrom(
  QueueUrl: string | undefined,
  messages: readonly Pick<ReceivedMessage, "receiptHandle">[],
): Promise<void> {
  const { sqs, DeleteMessageBatchCommand } = await import("./sqs-sdk.ts");
  for (const batch of inBatches([...messages], maxBatchEntries)) {
    const Entries = batch.map(({ receiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
    }));
    const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    const [first] = Failed;
    if (first !== undefined)
      throw new PlatformError(
        `SQS refused to delete ${Failed.length} messages: ${first.Code} ${first.Message ?? ""}`,
      );
  }
}

async function queueUrlOf({ eventSourceARN }: ReceivedMessage): Promise<string | undefined> {
  const { sqs, GetQueueUrlCommand } = await import("./sqs-sdk.ts");
  const { QueueUrl } = await sqs.send(
    new GetQueueUrlCommand({ QueueName: eventSourceARN.split(":").at(-1) }),
  );
  return QueueUrl;
}
