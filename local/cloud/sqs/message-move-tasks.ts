import { randomUUID } from "node:crypto";
import { type CloudLocation, nameInArn, queueUrlOf } from "../location.ts";
import {
  callJson,
  inputOf,
  jsonError,
  jsonResponse,
  operationOf,
  type Service,
  type ServiceResponse,
} from "../service.ts";
import type { MessageSources } from "./message-sources.ts";

interface Task {
  readonly TaskHandle: string;
  readonly SourceArn: string;
  readonly DestinationArn?: string | undefined;
  readonly StartedTimestamp: number;
  Status: "RUNNING" | "COMPLETED" | "FAILED";
  ApproximateNumberOfMessagesMoved: number;
  FailureReason?: string;
}

interface DeadLetter {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MessageAttributes?: object;
  readonly Attributes?: { readonly MessageGroupId?: string };
}

interface Options {
  readonly location: CloudLocation;
  readonly sources: MessageSources;
  /** The ARNs of the queues that are dead-letter queues of others. */
  readonly deadLetterQueues: () => ReadonlySet<string>;
}

const operations = ["StartMessageMoveTask", "ListMessageMoveTasks"];

/**
 * Adds redrives to SQS. A message goes back to the queue that SQS took it from; one that was sent to its dead-letter queue
 * ends the task, unless the task names a destination.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/troubleshooting-dlq-redrive.html
 */
export function withMessageMoveTasks(
  sqs: Service,
  { location, sources, deadLetterQueues }: Options,
): Service {
  const tasks: Task[] = [];
  const urlOf = (name: string) => queueUrlOf(location, name);

  async function move(task: Task): Promise<void> {
    const QueueUrl = urlOf(nameInArn(task.SourceArn));
    for (;;) {
      const { Messages = [] } = await callJson<{ Messages?: DeadLetter[] }>(sqs, "AmazonSQS.ReceiveMessage", {
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      });
      if (Messages.length === 0) return;
      for (const [index, message] of Messages.entries()) {
        const target =
          task.DestinationArn === undefined ? sources.of(message.MessageId) : nameInArn(task.DestinationArn);
        if (target === undefined) {
          task.FailureReason = "CouldNotDetermineMessageSource";
          await giveBack(QueueUrl, Messages.slice(index));
          return;
        }
        await send(target, message);
        const { ReceiptHandle } = message;
        await callJson(sqs, "AmazonSQS.DeleteMessage", { QueueUrl, ReceiptHandle });
        task.ApproximateNumberOfMessagesMoved += 1;
      }
    }
  }

  async function giveBack(QueueUrl: string, messages: readonly DeadLetter[]): Promise<void> {
    for (const { ReceiptHandle } of messages) {
      const input = { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 };
      await callJson(sqs, "AmazonSQS.ChangeMessageVisibility", input);
    }
  }

  async function send(queueName: string, message: DeadLetter): Promise<void> {
    const { MessageId, Body, MessageAttributes, Attributes } = message;
    await callJson(sqs, "AmazonSQS.SendMessage", {
      QueueUrl: urlOf(queueName),
      MessageBody: Body,
      ...(MessageAttributes !== undefined && { MessageAttributes }),
      // SQS gives a moved message the id of the dead one for its deduplication.
      ...(Attributes?.MessageGroupId !== undefined && {
        MessageGroupId: Attributes.MessageGroupId,
        MessageDeduplicationId: MessageId,
      }),
    });
  }

  function start(input: { SourceArn: string; DestinationArn?: string }): ServiceResponse {
    const { SourceArn, DestinationArn } = input;
    if (!deadLetterQueues().has(SourceArn)) {
      return jsonError("InvalidParameterValue", "Source queue must be configured as a Dead Letter Queue.");
    }
    if (DestinationArn !== undefined && DestinationArn.endsWith(".fifo") !== SourceArn.endsWith(".fifo")) {
      return jsonError("InvalidParameterValue", "Both queues must be of the same type.");
    }
    if (tasks.some((task) => task.SourceArn === SourceArn && task.Status === "RUNNING")) {
      return jsonError("UnsupportedOperation", "There is already a task running.");
    }
    const task: Task = {
      TaskHandle: randomUUID(),
      SourceArn,
      DestinationArn,
      StartedTimestamp: Date.now(),
      Status: "RUNNING",
      ApproximateNumberOfMessagesMoved: 0,
    };
    tasks.unshift(task);
    void move(task)
      .catch((error: Error) => {
        task.FailureReason = error.name;
      })
      .finally(() => {
        task.Status = task.FailureReason === undefined ? "COMPLETED" : "FAILED";
      });
    return jsonResponse(200, { TaskHandle: task.TaskHandle });
  }

  return async (request) => {
    const operation = operationOf(request);
    if (!operations.includes(operation)) return sqs(request);
    const input = inputOf<{ SourceArn: string; DestinationArn?: string }>(request);
    if (operation === "StartMessageMoveTask") return start(input);
    return jsonResponse(200, { Results: tasks.filter(({ SourceArn }) => SourceArn === input.SourceArn) });
  };
}
