import { expect } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { buildSqsEvent } from "../../local/cloud/lambda/sqs-batch.ts";
import { routes } from "../../shared/operations/routes/routes.ts";
import type { FailedMessageSummary } from "../../shared/records/messages/failed-message.ts";
import { answerProblem } from "../shared/api/answer-problem.ts";

/** A message as an operator receives it. */
export interface QueuedMessage {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  Attributes: Record<string, string>;
  MessageAttributes?: Record<string, { DataType: string; StringValue: string }>;
}

/** A run as `GET /runs/{id}` says it. */
export interface RunReport {
  runId: string;
  state: string;
  failure?: { stage: string; reason: string };
  totals: { entries: number; delivered: number };
}

const region = "eu-central-1";

export const queueArn = (queue: string) => `arn:aws:sqs:${region}:000000000000:${queue}`;

/** What operators do on their own: by the API with a token, and by AWS, as its command line asks. */
export class Operator {
  private readonly cloud: LocalCloud;

  constructor(cloud: LocalCloud) {
    this.cloud = cloud;
  }

  /** Asks a route, and holds its answer against what the API's document says of it. */
  async ask<Body>(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<{ status: number; body: Body }> {
    const answer = await this.fetch(path, {
      method,
      headers: { "content-type": "application/json", ...more },
      ...(body && { body: JSON.stringify(body) }),
    });
    const [pathname = ""] = path.split("?");
    expect(await answerProblem(routes, { method, path: pathname }, answer.clone())).toBeUndefined();
    const text = await answer.text();
    return { status: answer.status, body: (text === "" ? undefined : JSON.parse(text)) as Body };
  }

  /** What a route answers that does not speak JSON. */
  async askText(path: string): Promise<string> {
    return (await this.fetch(path, {})).text();
  }

  /** Starts a run, and waits for its end. */
  async runNow(): Promise<RunReport> {
    return this.runEnds(await this.startRun());
  }

  /** @returns the path of the run */
  async startRun(): Promise<string> {
    const { status, body } = await this.ask<{ result: string }>("POST", "/runs", { mode: "LIVE" });
    expect(status).toBe(202);
    return body.result;
  }

  async runEnds(path: string): Promise<RunReport> {
    for (;;) {
      const { status, body } = await this.ask<RunReport>("GET", path);
      if (status === 200 && ["finished", "failed"].includes(body.state)) return body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** An operation of SQS. @returns also its error, as `__type` */
  async sqs<Answer = Record<string, unknown>>(
    operation: string,
    input: object,
  ): Promise<Answer & { __type?: string }> {
    return this.aws("sqs", { method: "POST", path: "/", target: `AmazonSQS.${operation}`, input });
  }

  queueUrl(queue: string): string {
    return `${this.cloud.gatewayUrl}/000000000000/${queue}`;
  }

  async receive(queue: string, VisibilityTimeout: number): Promise<QueuedMessage | undefined> {
    const QueueUrl = this.queueUrl(queue);
    const { Messages } = await this.sqs<{ Messages?: QueuedMessage[] }>("ReceiveMessage", {
      QueueUrl,
      VisibilityTimeout,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    });
    return Messages?.[0];
  }

  async remove(queue: string, message: QueuedMessage | undefined): Promise<void> {
    const ReceiptHandle = message?.ReceiptHandle;
    await this.sqs("DeleteMessage", { QueueUrl: this.queueUrl(queue), ReceiptHandle });
  }

  /** How many messages of a queue are visible. */
  async visible(queue: string): Promise<number> {
    const input = { QueueUrl: this.queueUrl(queue), AttributeNames: ["ApproximateNumberOfMessages"] };
    const { Attributes } = await this.sqs<{ Attributes: Record<string, string> }>(
      "GetQueueAttributes",
      input,
    );
    return Number(Attributes.ApproximateNumberOfMessages);
  }

  /** *Start DLQ redrive* of the console. @returns how it ended */
  async redrive(
    queue: string,
    destination?: string,
  ): Promise<{ __type?: string; Status?: string; FailureReason?: string } | undefined> {
    const SourceArn = queueArn(queue);
    const DestinationArn = destination && queueArn(destination);
    const started = await this.sqs<{ TaskHandle?: string }>("StartMessageMoveTask", {
      SourceArn,
      DestinationArn,
    });
    if (started.TaskHandle === undefined) return started;
    const last = async () =>
      (
        await this.sqs<{ Results: { Status: string; FailureReason?: string }[] }>("ListMessageMoveTasks", {
          SourceArn,
        })
      ).Results[0];
    await expect.poll(async () => (await last())?.Status).not.toBe("RUNNING");
    return last();
  }

  /** Enables or disables event sources: those of a queue, or all. */
  async switchEventSources(Enabled: boolean, queue?: string): Promise<void> {
    const path = "/2015-03-31/event-source-mappings/";
    const { EventSourceMappings } = await this.aws<{
      EventSourceMappings: { UUID: string; EventSourceArn: string }[];
    }>("lambda", { method: "GET", path });
    for (const { UUID, EventSourceArn } of EventSourceMappings) {
      if (queue !== undefined && EventSourceArn !== queueArn(queue)) continue;
      await this.aws("lambda", { method: "PUT", path: path + UUID, input: { Enabled } });
    }
  }

  /**
   * Lets a function, whose event source is disabled, fail at the message of its queue until SQS gives it up.
   * @returns how often it failed
   */
  async failUntilDead(queue: string, functionName: string): Promise<number> {
    for (let failures = 0; ; failures += 1) {
      const message = await this.receive(queue, 60);
      if (message === undefined) return failures;
      const event = buildSqsEvent([message], { arn: queueArn(queue), region });
      expect(await this.cloud.invoke(functionName, event)).toEqual({
        batchItemFailures: [{ itemIdentifier: message.MessageId }],
      });
      // The pause before the next try.
      const { ReceiptHandle } = message;
      const input = { QueueUrl: this.queueUrl(queue), ReceiptHandle, VisibilityTimeout: 0 };
      await this.sqs("ChangeMessageVisibility", input);
    }
  }

  /**
   * Lets a function, whose event source is disabled, fail at the message of its queue until it quarantines it.
   * @returns how often it was received, and the id of the failed message
   */
  async failUntilQuarantined(queue: string, functionName: string): Promise<{ receives: number; id: string }> {
    for (let receives = 1; ; receives += 1) {
      const message = await this.receive(queue, 60);
      if (message === undefined) throw new Error(`${queue} is empty after ${receives} receives`);
      const event = buildSqsEvent([message], { arn: queueArn(queue), region });
      const answer = await this.cloud.invoke(functionName, event);
      const { batchItemFailures } = answer as { batchItemFailures: unknown[] };
      if (batchItemFailures.length === 0) {
        await this.remove(queue, message);
        return { receives, id: (await this.failedMessages())[0]?.id ?? "" };
      }
      const { ReceiptHandle } = message;
      const input = { QueueUrl: this.queueUrl(queue), ReceiptHandle, VisibilityTimeout: 0 };
      await this.sqs("ChangeMessageVisibility", input);
    }
  }

  /** The failed messages, the last ones that were sent first. */
  async failedMessages(): Promise<FailedMessageSummary[]> {
    const path = "/failed-messages?limit=200";
    return (await this.ask<{ messages: FailedMessageSummary[] }>("GET", path)).body.messages;
  }

  async retry(failedMessageId: string): Promise<void> {
    expect((await this.ask("POST", `/failed-messages/${failedMessageId}/retry`)).status).toBe(204);
  }

  private async fetch(
    path: string,
    { headers, ...request }: RequestInit & { headers?: Record<string, string> },
  ): Promise<Response> {
    const authorization = `Bearer ${await this.cloud.issueToken({ sub: "operator@localhost" })}`;
    return fetch(`${this.cloud.apiUrl}${path}`, { ...request, headers: { authorization, ...headers } });
  }

  private async aws<Answer = unknown>(
    service: "sqs" | "lambda",
    { method, path, target, input }: { method: string; path: string; target?: string; input?: object },
  ): Promise<Answer> {
    const key = this.cloud.adminEnvironment.AWS_ACCESS_KEY_ID;
    const answer = await fetch(this.cloud.gatewayUrl + path, {
      method,
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${key}/20261123/${region}/${service}/aws4_request`,
        ...(target !== undefined && { "x-amz-target": target, "content-type": "application/x-amz-json-1.0" }),
      },
      ...(input && { body: JSON.stringify(input) }),
    });
    return (await answer.json()) as Answer;
  }
}
