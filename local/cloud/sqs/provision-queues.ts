import { ConfigError } from "../../../shared/core/errors.ts";
import type { ResolvedResource, Resolver } from "../cloudformation/resolver.ts";
import { callJson, type Service } from "../service.ts";

interface QueueProperties {
  readonly RedrivePolicy?: { deadLetterTargetArn: string; maxReceiveCount: number };
  readonly [attribute: string]: unknown;
}

/** The attributes that the emulator supports. */
const attributeNames = [
  "FifoQueue",
  "ContentBasedDeduplication",
  "DeduplicationScope",
  "FifoThroughputLimit",
  "DelaySeconds",
  "MaximumMessageSize",
  "MessageRetentionPeriod",
  "ReceiveMessageWaitTimeSeconds",
  "VisibilityTimeout",
];
/**
 * The attributes that are fixed at creation. SQS can change the last two. The emulator cannot, and ignores
 * changes.
 */
const fixedAtCreation = new Set(["FifoQueue", "DeduplicationScope", "FifoThroughputLimit"]);

/**
 * Creates missing queues and sets the attributes of existing ones. A queue that is removed from the templates keeps its
 * messages.
 */
export async function provisionQueues(resolver: Resolver, service: Service): Promise<void> {
  for (const queue of resolver.resourcesOfType<QueueProperties>("AWS::SQS::Queue")) {
    await provisionQueue(queue.name, queueAttributes(queue), { url: queue.ref, service });
  }
}

/** Returns the attributes for the SQS API, where all values are strings. */
function queueAttributes({ name, properties }: ResolvedResource<QueueProperties>): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const attribute of attributeNames) {
    const value = properties[attribute];
    if (value !== undefined) attributes[attribute] = String(value);
  }
  if (properties.RedrivePolicy !== undefined) {
    const { deadLetterTargetArn, maxReceiveCount } = properties.RedrivePolicy;
    if (deadLetterTargetArn.endsWith(".fifo") !== name.endsWith(".fifo")) {
      throw new ConfigError(
        `${name}: the dead-letter queue of a FIFO queue must be FIFO, and that of a standard queue must not`,
      );
    }
    // The emulator compares numbers, but a template may contain strings.
    attributes.RedrivePolicy = JSON.stringify({
      deadLetterTargetArn,
      maxReceiveCount: Number(maxReceiveCount),
    });
  }
  return attributes;
}

/** Creates or updates a queue. Creating an existing queue with other attributes fails, so it is looked up first. */
export async function provisionQueue(
  name: string,
  attributes: Record<string, string>,
  { url, service }: { url: string; service: Service },
): Promise<void> {
  const known = await queueExists(url, service);
  if (!known) {
    await callJson(service, "AmazonSQS.CreateQueue", { QueueName: name, Attributes: attributes });
    return;
  }
  const settable = Object.entries(attributes).filter(([attribute]) => !fixedAtCreation.has(attribute));
  await callJson(service, "AmazonSQS.SetQueueAttributes", {
    QueueUrl: url,
    Attributes: { RedrivePolicy: "", ...Object.fromEntries(settable) },
  });
}

async function queueExists(url: string, service: Service): Promise<boolean> {
  try {
    await callJson(service, "AmazonSQS.GetQueueAttributes", { QueueUrl: url, AttributeNames: ["QueueArn"] });
    return true;
  } catch (error) {
    if ((error as Error).name === "QueueDoesNotExist") return false;
    throw error;
  }
}
