/** A message as ReceiveMessage returns it. */
export interface ReceivedMessage {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MD5OfBody: string;
  readonly MD5OfMessageAttributes?: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: Readonly<Record<string, MessageAttribute>>;
}

interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

/** Returns the trace headers of the calls that sent the messages. */
export function traceHeadersOf(messages: readonly ReceivedMessage[]): (string | undefined)[] {
  return messages.map(({ Attributes }) => Attributes?.AWSTraceHeader);
}

/**
 * Builds the event for a batch of messages.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
 */
export function buildSqsEvent(messages: readonly ReceivedMessage[], source: { arn: string; region: string }) {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: message.Attributes ?? {},
      messageAttributes: Object.fromEntries(
        Object.entries(message.MessageAttributes ?? {}).map(([name, attribute]) => [
          name,
          {
            dataType: attribute.DataType,
            stringValue: attribute.StringValue,
            binaryValue: attribute.BinaryValue,
            stringListValues: [],
            binaryListValues: [],
          },
        ]),
      ),
      md5OfBody: message.MD5OfBody,
      ...(message.MD5OfMessageAttributes !== undefined && {
        md5OfMessageAttributes: message.MD5OfMessageAttributes,
      }),
      eventSource: "aws:sqs",
      eventSourceARN: source.arn,
      awsRegion: source.region,
    })),
  };
}

/**
 * Returns the messages that a function's response reports as processed: all except the failed ones. In a FIFO
 * queue, the messages after a failed one in its group also count as failed. A response that names an unknown
 * message fails the whole batch.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export function succeededMessages(
  messages: readonly ReceivedMessage[],
  answer: unknown,
): readonly ReceivedMessage[] {
  const failures = (answer as { batchItemFailures?: unknown } | null)?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return [];
  const failed = new Set(failures.map((failure) => failure?.itemIdentifier));
  const known = new Set<unknown>(messages.map(({ MessageId }) => MessageId));
  if ([...failed].some((id) => !known.has(id))) return [];
  const closedGroups = new Set<string>();
  return messages.filter(({ MessageId, Attributes }) => {
    const group = Attributes?.MessageGroupId;
    if (failed.has(MessageId) && group !== undefined) closedGroups.add(group);
    return !failed.has(MessageId) && !(group !== undefined && closedGroups.has(group));
  });
}
