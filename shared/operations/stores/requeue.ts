import { variable } from "../../adapters/aws/environment.ts";

/** Sends the body of a message to a queue, given by its name. The URLs of queues differ only in the names. */
export async function requeue(queue: string, body: string): Promise<void> {
  const { sqs, SendMessageCommand } = await import("../../adapters/aws/sqs-sdk.ts");
  const QueueUrl = variable("requestsQueue").replace(/[^/]+$/, queue);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
}
