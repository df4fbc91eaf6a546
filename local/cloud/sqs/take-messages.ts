import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";

/**
 * Yields the bodies of a queue's messages until the queue is empty. Each message is deleted when the next one
 * is requested.
 */
export async function* takeMessages(queueUrl: string): AsyncGenerator<string> {
  const sqs = new SQSClient();
  while (true) {
    const received = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
    );
    const { Messages = [] } = received;
    if (Messages.length === 0) return;
    for (const { Body = "", ReceiptHandle } of Messages) {
      yield Body;
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
  }
}
