import {
  inputOf,
  jsonError,
  jsonResponse,
  operationOf,
  type Service,
  type ServiceRequest,
} from "../service.ts";
import type { ReceiveTimes } from "./receive-times.ts";

/** A message that is sent, or a message whose visibility is changed. */
interface Entry {
  readonly Id?: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string }>>;
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
}

interface Batch {
  readonly Entries?: readonly Entry[];
}

interface BatchAnswer {
  readonly Successful?: readonly object[];
  readonly Failed?: readonly object[];
}

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const groupIdPattern = /^[\w!"#$%&'()*+,./:;<=>?@[\\\]^`{|}~-]{1,128}$/;
const maxDelaySeconds = 900;
const maxAttributes = 10;

/**
 * The maximum visibility timeout, counted from the receive. @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const maxInvisibleSeconds = 43_200;

/** Refuses messages that SQS refuses but fauxqs accepts. The messages of a batch are refused one by one. */
export function withMessageLimits(sqs: Service, receiveTimes: ReceiveTimes): Service {
  const problemOf = (operation: string, queueUrl: string, entry: Entry): string | undefined =>
    operation.startsWith("SendMessage") ? problemOfSent(entry) : problemOfVisibility(queueUrl, entry);

  function problemOfVisibility(queueUrl: string, entry: Entry): string | undefined {
    const { ReceiptHandle = "", VisibilityTimeout = 0 } = entry;
    const receivedMs = receiveTimes.of(queueUrl.split("/").at(-1) ?? "", ReceiptHandle);
    const isTooLong =
      receivedMs !== undefined &&
      Date.now() - receivedMs + VisibilityTimeout * 1000 > maxInvisibleSeconds * 1000;
    return isTooLong
      ? `Total VisibilityTimeout for the message is beyond the limit [${maxInvisibleSeconds} seconds].`
      : undefined;
  }

  return async (request) => {
    const operation = operationOf(request);
    if (!/^(SendMessage|ChangeMessageVisibility)(Batch)?$/.test(operation)) return sqs(request);
    const { QueueUrl = "", ...input } = inputOf<{ QueueUrl?: string } & Batch & Entry>(request);
    if (!operation.endsWith("Batch")) {
      const problem = problemOf(operation, QueueUrl, input);
      return problem === undefined ? sqs(request) : jsonError("InvalidParameterValue", problem);
    }
    const problems = (input.Entries ?? []).map((entry) => problemOf(operation, QueueUrl, entry));
    if (problems.every((problem) => problem === undefined)) return sqs(request);
    const { Entries = [] } = input;
    const taken = Entries.filter((_, index) => problems[index] === undefined);
    const failed = Entries.flatMap(({ Id }, index) => {
      const Message = problems[index];
      return Message === undefined ? [] : [{ Id, SenderFault: true, Code: "InvalidParameterValue", Message }];
    });
    const answer = await takeSome(sqs, request, taken);
    return jsonResponse(200, { ...answer, Failed: [...(answer.Failed ?? []), ...failed] });
  };
}

async function takeSome(
  sqs: Service,
  request: ServiceRequest,
  Entries: readonly Entry[],
): Promise<BatchAnswer> {
  if (Entries.length === 0) return {};
  const body = Buffer.from(JSON.stringify({ ...inputOf<Batch>(request), Entries }));
  const { "content-length": _ofAll, ...headers } = request.headers;
  return JSON.parse((await sqs({ ...request, headers, body })).body.toString()) as BatchAnswer;
}

function problemOfSent({
  MessageGroupId,
  DelaySeconds = 0,
  MessageAttributes = {},
}: Entry): string | undefined {
  if (MessageGroupId !== undefined && !groupIdPattern.test(MessageGroupId)) {
    return "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.";
  }
  if (DelaySeconds < 0 || DelaySeconds > maxDelaySeconds) {
    return `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${maxDelaySeconds}.`;
  }
  const attributes = Object.entries(MessageAttributes);
  if (attributes.length > maxAttributes) {
    return `Number of message attributes [${attributes.length}] exceeds the allowed maximum [${maxAttributes}].`;
  }
  const empty = attributes.find(([, { StringValue }]) => StringValue === "");
  return empty && `Message attribute '${empty[0]}' must contain a non-empty value.`;
}
