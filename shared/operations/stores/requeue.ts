import { variable } from "../../adapters/aws/environment.ts";

/** Sends the body of a message to a queue, by the name of the queue: the URLs of queues differ in the names alone. */
export async function requeue(queue: string, body: string): Promise<void> {
  const { sqs, SendMessageCommand } = await import("../../adapters/aws/sqs-sdk.ts");
  const QueueUrl = variable("requestsQueue").replace(/[^/]+$/, queue);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
}
