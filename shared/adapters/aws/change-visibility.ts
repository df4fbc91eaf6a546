import { ChangeMessageVisibilityCommand, GetQueueUrlCommand } from "@aws-sdk/client-sqs";
import { sqs } from "./queues.ts";

/** Hides a message that an event source has handed out, from now on for so many seconds. */
export async function changeVisibility(
  record: { eventSourceARN: string; receiptHandle: string },
  seconds: number,
): Promise<void> {
  const QueueName = record.eventSourceARN.split(":").at(-1);
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl,
      ReceiptHandle: record.receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
}
