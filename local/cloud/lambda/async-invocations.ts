import { randomUUID } from "node:crypto";
import { ConfigError } from "../../../shared/core/errors.ts";
import type { Resolver } from "../cloudformation/resolver.ts";
import type { Access } from "../iam/access.ts";
import { RecursiveInvocation, readLineage } from "../lineage.ts";
import { arnOf, type CloudLocation, nameInArn, queueUrlOf } from "../location.ts";
import { callJson, type Service } from "../service.ts";
import { provisionQueue } from "../sqs/provision-queues.ts";
import { TooManyRequests } from "./concurrency.ts";
import type { EventSource } from "./event-sources.ts";
import type { LocalFunction } from "./functions.ts";

interface InvokeConfig {
  readonly FunctionName: string;
  readonly MaximumRetryAttempts?: number;
  readonly MaximumEventAgeInSeconds?: number;
  readonly DestinationConfig?: { OnFailure?: { Destination?: string } };
}

interface Invocation {
  readonly functionName: string;
  readonly requestId: string;
  readonly event: unknown;
  readonly attempt: number;
  /** The trace header of the call that sent the event, if a function made the call. */
  readonly traceHeader: string | undefined;
  /** The time at which it was sent, in milliseconds since the epoch. */
  readonly sentMs: number;
}

interface Options {
  readonly sqs: Service;
  readonly location: CloudLocation;
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly access: Access;
}

/** The queue of the invocations. */
interface InvocationQueue {
  readonly url: string;
  readonly visibilitySeconds: number;
}

const throttledSeconds = 1;

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html */
const usualRetries = 2;
const usualAgeSeconds = 21_600;

const queueName = "local-async-invocations";

/**
 * Creates the queue of asynchronous invocations. Called once the functions may send to their failure
 * destinations.
 */
export async function createAsyncInvocations(
  resolver: Resolver,
  options: Options,
): Promise<AsyncInvocations> {
  const { sqs, location, functions, access } = options;
  const configs = resolver
    .resourcesOfType<InvokeConfig>("AWS::Lambda::EventInvokeConfig")
    .map((each) => each.properties);
  for (const { FunctionName, DestinationConfig } of configs) {
    const resource = DestinationConfig?.OnFailure?.Destination;
    if (resource === undefined) continue;
    const { caller } = functionNamed(FunctionName, functions);
    access.assertCaller(caller, { action: "sqs:SendMessage", resource, context: {} });
  }
  const url = queueUrlOf(location, queueName);
  const visibilitySeconds = Math.max(30, ...[...functions.values()].map((each) => each.timeoutMs / 1000));
  await provisionQueue(queueName, { VisibilityTimeout: String(visibilitySeconds) }, { url, service: sqs });
  return new AsyncInvocations({ url, visibilitySeconds }, configs, options);
}

/**
 * Asynchronous invocations, stored in a queue as in Lambda. They survive the process. They are retried after
 * one and after two minutes, and then sent to the function's failure destination. Events that exceed the
 * maximum age in the function's configuration are also sent there.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export class AsyncInvocations {
  private readonly queue: InvocationQueue;
  private readonly configs: readonly InvokeConfig[];
  private readonly options: Options;

  constructor(queue: InvocationQueue, configs: readonly InvokeConfig[], options: Options) {
    this.queue = queue;
    this.configs = configs;
    this.options = options;
  }

  /** Sends an event to the function's queue. @returns the request id */
  async send(functionName: string, event: unknown, traceHeader?: string): Promise<string> {
    functionNamed(functionName, this.options.functions);
    const requestId = randomUUID();
    await this.put({ functionName, event, requestId, attempt: 1, traceHeader, sentMs: Date.now() }, 0);
    return requestId;
  }

  /** Invokes the functions. */
  get source(): EventSource {
    return {
      queueName,
      queueUrl: this.queue.url,
      queueArn: arnOf(this.options.location, "sqs", queueName),
      target: {
        name: queueName,
        // Not needed, because the functions have their own retries.
        kill: async () => {},
        invoke: async (batch) => {
          const { Records } = batch as { Records: { body: string }[] };
          for (const { body } of Records) await this.run(JSON.parse(body));
        },
      },
      batchSize: 1,
      windowMs: 0,
      visibilityMs: this.queue.visibilitySeconds * 1000,
      concurrency: 20,
      reportsFailures: false,
    };
  }

  private async put(invocation: Invocation, DelaySeconds: number): Promise<void> {
    const MessageBody = JSON.stringify(invocation);
    const input = { QueueUrl: this.queue.url, MessageBody, DelaySeconds };
    await callJson(this.options.sqs, "AmazonSQS.SendMessage", input);
  }

  private async run(invocation: Invocation): Promise<void> {
    const { functionName, event, requestId, traceHeader } = invocation;
    const lineage = readLineage([traceHeader]);
    try {
      await functionNamed(functionName, this.options.functions).invoke(event, { requestId, lineage });
    } catch (error) {
      await this.settle(invocation, error as Error);
    }
  }

  private async settle(invocation: Invocation, error: Error): Promise<void> {
    const { functionName, attempt, sentMs } = invocation;
    const config = this.configs.find(({ FunctionName }) => nameInArn(FunctionName) === functionName);
    const { MaximumRetryAttempts = usualRetries, MaximumEventAgeInSeconds = usualAgeSeconds } = config ?? {};
    const destination = config?.DestinationConfig?.OnFailure?.Destination;
    if (error instanceof RecursiveInvocation) {
      return this.sendToFailureDestination(invocation, { condition: error.name, error, destination });
    }
    const isThrottled = error instanceof TooManyRequests;
    if (!isThrottled && attempt > Number(MaximumRetryAttempts)) {
      return this.sendToFailureDestination(invocation, { condition: "RetriesExhausted", error, destination });
    }
    // Lambda retries a throttled event for hours; a throttle does not count as an attempt.
    const delaySeconds = isThrottled ? throttledSeconds : attempt * 60;
    if (Date.now() - sentMs + delaySeconds * 1000 > Number(MaximumEventAgeInSeconds) * 1000) {
      return this.sendToFailureDestination(invocation, { condition: "EventAgeExceeded", error, destination });
    }
    return this.put(isThrottled ? invocation : { ...invocation, attempt: attempt + 1 }, delaySeconds);
  }

  private async sendToFailureDestination(
    invocation: Invocation,
    { condition, error, destination }: { condition: string; error: Error; destination: string | undefined },
  ): Promise<void> {
    if (destination === undefined) return;
    const { sqs, location, functions } = this.options;
    const MessageBody = JSON.stringify({
      version: "1.0",
      timestamp: new Date().toISOString(),
      requestContext: {
        requestId: invocation.requestId,
        functionArn: `${functionNamed(invocation.functionName, functions).arn}:$LATEST`,
        condition,
        approximateInvokeCount: invocation.attempt,
      },
      requestPayload: invocation.event,
      responseContext: { statusCode: 200, executedVersion: "$LATEST", functionError: "Unhandled" },
      responsePayload: { errorType: error.name, errorMessage: error.message },
    });
    const QueueUrl = queueUrlOf(location, nameInArn(destination));
    await callJson(sqs, "AmazonSQS.SendMessage", { QueueUrl, MessageBody });
  }
}

/** Finds a function. @param name its name or ARN @throws ConfigError */
function functionNamed(name: string, functions: ReadonlyMap<string, LocalFunction>): LocalFunction {
  const found = functions.get(nameInArn(name));
  if (found === undefined) throw new ConfigError(`there is no function ${name}`);
  return found;
}
