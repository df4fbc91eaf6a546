import { ConfigError } from "../../../shared/core/errors.ts";
import type { ResolvedResource, Resolver } from "../cloudformation/resolver.ts";
import { type Access, AccessDenied } from "../iam/access.ts";
import { nameInArn } from "../location.ts";
import type { LocalFunction } from "./functions.ts";

/** A queue whose messages go to a function. */
export interface EventSource {
  readonly queueName: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly target: Pick<LocalFunction, "name" | "invoke" | "kill">;
  readonly batchSize: number;
  readonly windowMs: number;
  /** The visibility timeout of a received message. */
  readonly visibilityMs: number;
  readonly concurrency: number;
  readonly reportsFailures: boolean;
}

interface MappingProperties {
  readonly EventSourceArn: string;
  readonly FunctionName: string;
  readonly BatchSize?: number;
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly FunctionResponseTypes?: readonly string[];
  readonly ScalingConfig?: { MaximumConcurrency: number };
  readonly Enabled?: boolean;
  readonly FilterCriteria?: unknown;
}

interface QueueProperties {
  readonly VisibilityTimeout?: number;
}

/** AWS starts with five pollers and adds more under load. Five are enough for one machine. */
const defaultConcurrency = 5;

/**
 * Reads the event source mappings of the templates.
 *
 * @throws ConfigError for mappings that AWS refuses to create, and for filters.
 */
export function readEventSources(
  resolver: Resolver,
  { functions, access }: { functions: ReadonlyMap<string, LocalFunction>; access: Access },
): EventSource[] {
  const queues = resolver.resourcesOfType<QueueProperties>("AWS::SQS::Queue");
  return resolver
    .resourcesOfType<MappingProperties>("AWS::Lambda::EventSourceMapping")
    .filter(({ properties }) => properties.Enabled !== false)
    .map(({ logicalId, stack, properties }) => {
      const where = `${logicalId} in stack ${stack}`;
      const functionName = nameInArn(properties.FunctionName);
      const queue = queues.find(({ attributes }) => attributes.Arn === properties.EventSourceArn);
      const target = functions.get(functionName);
      if (queue === undefined) {
        throw new ConfigError(
          `${where}: ${properties.EventSourceArn} is not the ARN of a queue in the templates`,
        );
      }
      if (target === undefined) throw new ConfigError(`${where}: there is no function ${functionName}`);
      if (properties.FilterCriteria !== undefined) {
        throw new ConfigError(`${where}: the local cloud does not support filters on event sources`);
      }
      const batchSize = Number(properties.BatchSize ?? 10);
      const windowMs = Number(properties.MaximumBatchingWindowInSeconds ?? 0) * 1000;
      assertBatch(where, { batchSize, windowMs, isFifo: queue.name.endsWith(".fifo") });
      assertAccepted(queue, target, access);
      return {
        queueName: queue.name,
        queueUrl: queue.ref,
        queueArn: properties.EventSourceArn,
        target,
        batchSize,
        windowMs,
        visibilityMs: visibilityMsOf(queue),
        concurrency: Number(properties.ScalingConfig?.MaximumConcurrency ?? defaultConcurrency),
        reportsFailures: properties.FunctionResponseTypes?.includes("ReportBatchItemFailures") ?? false,
      };
    });
}

function visibilityMsOf({ properties }: ResolvedResource<QueueProperties>): number {
  return Number(properties.VisibilityTimeout ?? 30) * 1000;
}

function assertBatch(
  where: string,
  { batchSize, windowMs, isFifo }: { batchSize: number; windowMs: number; isFifo: boolean },
): void {
  if (isFifo && windowMs > 0) throw new ConfigError(`${where}: a FIFO queue cannot have a batching window`);
  if (batchSize > 10 && windowMs === 0) {
    throw new ConfigError(`${where}: a batch of more than 10 needs a batching window, and a standard queue`);
  }
}

function assertAccepted(
  queue: ResolvedResource<QueueProperties>,
  target: LocalFunction,
  access: Access,
): void {
  const { name, attributes } = queue;
  const visibilityMs = visibilityMsOf(queue);
  if (visibilityMs < target.timeoutMs) {
    throw new ConfigError(
      `${name}: its visibility timeout (${visibilityMs} ms) is less than the timeout of ${target.name} (${target.timeoutMs} ms)`,
    );
  }
  try {
    for (const action of ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]) {
      access.assertCaller(target.caller, { action, resource: attributes.Arn ?? "", context: {} });
    }
  } catch (error) {
    if (error instanceof AccessDenied) throw new ConfigError(error.message);
    throw error;
  }
}
