/** Sets the visibility timeout of a message in flight, in seconds from now. */
export async function changeVisibility(
  record: { eventSourceARN: string; receiptHandle: string },
  seconds: number,
): Promise<void> {
  const { sqs, ChangeMessageVisibilityCommand, GetQueueUrlCommand } = await import("./sqs-sdk.ts");
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
