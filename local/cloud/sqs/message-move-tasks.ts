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
  /** Returns the ARNs of the queues that are dead-letter queues of other queues. */
  readonly deadLetterQueues: () => ReadonlySet<string>;
}

const operations = ["StartMessageMoveTask", "ListMessageMoveTasks"];

/** Adds redrives to SQS. */
export function withMessageMoveTasks(sqs: Service, options: Options): Service {
  const tasks = new MessageMoveTasks(sqs, options);
  return async (request) => {
    const operation = operationOf(request);
    if (!operations.includes(operation)) return sqs(request);
    const input = inputOf<{ SourceArn: string; DestinationArn?: string }>(request);
    return operation === "StartMessageMoveTask" ? tasks.start(input) : tasks.list(input.SourceArn);
  };
}

/**
 * The redrives. A message returns to the queue from which SQS moved it. A message that was sent directly to
 * the dead-letter queue ends the task, unless the task names a destination.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/troubleshooting-dlq-redrive.html
 */
class MessageMoveTasks {
  /** The tasks, newest first. */
  private readonly tasks: Task[] = [];
  private readonly sqs: Service;
  private readonly options: Options;

  constructor(sqs: Service, options: Options) {
    this.sqs = sqs;
    this.options = options;
  }

  start({ SourceArn, DestinationArn }: { SourceArn: string; DestinationArn?: string }): ServiceResponse {
    if (!this.options.deadLetterQueues().has(SourceArn)) {
      return jsonError("InvalidParameterValue", "Source queue must be configured as a Dead Letter Queue.");
    }
    if (DestinationArn !== undefined && DestinationArn.endsWith(".fifo") !== SourceArn.endsWith(".fifo")) {
      return jsonError("InvalidParameterValue", "Both queues must be of the same type.");
    }
    if (this.tasks.some((task) => task.SourceArn === SourceArn && task.Status === "RUNNING")) {
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
    this.tasks.unshift(task);
    void this.run(task);
    return jsonResponse(200, { TaskHandle: task.TaskHandle });
  }

  list(sourceArn: string): ServiceResponse {
    return jsonResponse(200, { Results: this.tasks.filter(({ SourceArn }) => SourceArn === sourceArn) });
  }

  private async run(task: Task): Promise<void> {
    try {
      await this.moveAll(task);
    } catch (error) {
      task.FailureReason = (error as Error).name;
    }
    task.Status = task.FailureReason === undefined ? "COMPLETED" : "FAILED";
  }

  private async moveAll(task: Task): Promise<void> {
    const QueueUrl = this.urlOf(nameInArn(task.SourceArn));
    for (;;) {
      const { Messages = [] } = await callJson<{ Messages?: DeadLetter[] }>(
        this.sqs,
        "AmazonSQS.ReceiveMessage",
        {
          QueueUrl,
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ["All"],
          MessageAttributeNames: ["All"],
        },
      );
      if (Messages.length === 0) return;
      for (const [index, message] of Messages.entries()) {
        const target = this.targetOf(task, message);
        if (target === undefined) {
          task.FailureReason = "CouldNotDetermineMessageSource";
          return this.giveBack(QueueUrl, Messages.slice(index));
        }
        await this.send(target, message);
        const { ReceiptHandle } = message;
        await callJson(this.sqs, "AmazonSQS.DeleteMessage", { QueueUrl, ReceiptHandle });
        task.ApproximateNumberOfMessagesMoved += 1;
      }
    }
  }

  /** Returns the name of the queue to which a message is moved. */
  private targetOf({ DestinationArn }: Task, { MessageId }: DeadLetter): string | undefined {
    return DestinationArn === undefined ? this.options.sources.of(MessageId) : nameInArn(DestinationArn);
  }

  private async giveBack(QueueUrl: string, messages: readonly DeadLetter[]): Promise<void> {
    for (const { ReceiptHandle } of messages) {
      const input = { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 };
      await callJson(this.sqs, "AmazonSQS.ChangeMessageVisibility", input);
    }
  }

  private async send(queueName: string, message: DeadLetter): Promise<void> {
    const { MessageId, Body, MessageAttributes, Attributes } = message;
    await callJson(this.sqs, "AmazonSQS.SendMessage", {
      QueueUrl: this.urlOf(queueName),
      MessageBody: Body,
      ...(MessageAttributes !== undefined && { MessageAttributes }),
      // SQS uses the id of the dead-lettered message as the deduplication id of the moved message.
      ...(Attributes?.MessageGroupId !== undefined && {
        MessageGroupId: Attributes.MessageGroupId,
        MessageDeduplicationId: MessageId,
      }),
    });
  }

  private urlOf(queueName: string): string {
    return queueUrlOf(this.options.location, queueName);
  }
}
