import { join } from "node:path";
import { type LocalCloud, startCloud } from "../../../local/cloud/cloud.ts";
import type { FunctionLog } from "../../../local/cloud/lambda/function-log.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import type { Call } from "./fixtures/functions/call.ts";
import type { Job } from "./fixtures/functions/work.ts";
import { smallAssembly } from "./fixtures/small-app.ts";

/** An answer of the SDK; `error` is the name of what it threw. */
type Output = Record<string, unknown> & { error?: string; message?: string; status?: number };

/** The cloud of the small app, and what tests ask of it; `start` it before they do, and `stop` it after them. */
export class SmallCloud {
  readonly folder = temporaryFolder();
  readonly stateDir = join(this.folder, "state");
  /** What functions have logged; a test may empty it. */
  readonly logs: FunctionLog[] = [];
  assemblyDir = "";
  private started: LocalCloud | undefined;

  async start(parameters: Record<string, string> = {}): Promise<void> {
    this.assemblyDir ||= await smallAssembly();
    this.started = await startCloud({
      assemblyDir: this.assemblyDir,
      stateDir: this.stateDir,
      schedules: "none",
      parameters,
      onLog: (line) => void this.logs.push(line),
    });
  }

  async stop(): Promise<void> {
    await this.started?.stop();
  }

  get cloud(): LocalCloud {
    if (this.started === undefined) throw new Error("the small cloud is not started");
    return this.started;
  }

  /** What the SDK in the function `small-call` makes of a call. */
  async call(service: Call["service"], command: string, input: object): Promise<Output> {
    return (await this.cloud.invoke("small-call", { service, command, input })) as Output;
  }

  queueUrl(name: string): string {
    return `${this.cloud.gatewayUrl}/000000000000/${name}`;
  }

  /** The header `authorization` with which the operator asks a service. */
  adminAuthorization(service: string): string {
    return `AWS4-HMAC-SHA256 Credential=${this.cloud.adminEnvironment.AWS_ACCESS_KEY_ID}/20260101/eu-central-1/${service}/aws4_request`;
  }

  /** Calls SQS as the operator, without an SDK. */
  async asAdmin(operation: string, input: object): Promise<Record<string, unknown>> {
    const answer = await fetch(this.cloud.gatewayUrl, {
      method: "POST",
      headers: {
        authorization: this.adminAuthorization("sqs"),
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `AmazonSQS.${operation}`,
      },
      body: JSON.stringify(input),
    });
    return (await answer.json()) as Record<string, unknown>;
  }

  send(queue: string, job: Job, group?: string): Promise<Record<string, unknown>> {
    return this.asAdmin("SendMessage", {
      QueueUrl: this.queueUrl(queue),
      MessageBody: JSON.stringify(job),
      ...(group !== undefined && { MessageGroupId: group }),
    });
  }

  /** What `small-work` and `small-hasten` have done for ids with the prefix, in the order in which it did: id#receive count. */
  async done(prefix: string): Promise<string[]> {
    const { Items } = (await this.call("dynamodb", "ScanCommand", { TableName: "small-done" })) as {
      Items: { id: { S: string }; order: { S: string } }[];
    };
    return Items.filter(({ id }) => id.S.startsWith(prefix))
      .sort((a, b) => a.order.S.localeCompare(b.order.S))
      .map(({ id }) => id.S);
  }
}

/** A schedule at a time that is over, whose target is the queue `small-open`. */
export function scheduleInput(Name: string, target: object = {}): object {
  return {
    Name,
    GroupName: "small",
    ScheduleExpression: "at(2999-01-01T00:00:00)",
    FlexibleTimeWindow: { Mode: "OFF" },
    ActionAfterCompletion: "DELETE",
    Target: {
      Arn: "arn:aws:sqs:eu-central-1:000000000000:small-open",
      RoleArn: "arn:aws:iam::000000000000:role/small-schedules",
      Input: '{"id":"s","at":"<aws.scheduler.scheduled-time>"}',
      ...target,
    },
  };
}
