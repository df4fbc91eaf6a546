import type { SQSRecord } from "aws-lambda";

/** A message as an event source hands it out. */
export function sqsRecord(messageId: string, body: string, { receives = 1, group = "g" } = {}): SQSRecord {
  return {
    messageId,
    receiptHandle: `handle-${messageId}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receives),
      MessageGroupId: group,
      SentTimestamp: "0",
      SenderId: "s",
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:eu-central-1:000000000000:queue",
    awsRegion: "eu-central-1",
  };
}
