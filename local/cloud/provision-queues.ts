import { ConfigError } from "../../shared/core/errors.ts";
import type { ResolvedResource, Resolver } from "./resolver.ts";
import { callJson, type Service } from "./service.ts";

interface QueueProperties {
  readonly RedrivePolicy?: { deadLetterTargetArn: string; maxReceiveCount: number };
  readonly [attribute: string]: unknown;
}

/** The attributes that the emulator honours; encryption means nothing on one's own disk. */
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
/** SQS can change the last two, the emulator cannot; it does not heed them either. */
const fixedAtCreation = new Set(["FifoQueue", "DeduplicationScope", "FifoThroughputLimit"]);

/**
 * Creates the queues that are missing and sets the attributes of those that are there. A queue that left the templates
 * stays with its messages: they come back with it.
 */
export async function provisionQueues(resolver: Resolver, service: Service): Promise<void> {
  for (const queue of resolver.resourcesOfType<QueueProperties>("AWS::SQS::Queue")) {
    await provisionQueue(queue.name, queueAttributes(queue), { url: queue.ref, service });
  }
}

/** The attributes as the SQS API takes them: all text. */
function queueAttributes({ name, properties }: ResolvedResource<QueueProperties>): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const attribute of attributeNames) {
    const value = properties[attribute];
    if (value !== undefined) attributes[attribute] = String(value);
  }
  if (properties.RedrivePolicy !== undefined) {
    const { deadLetterTargetArn, maxReceiveCount } = properties.RedrivePolicy;
    if (deadLetterTargetArn.endsWith(".fifo") !== name.endsWith(".fifo")) {
      throw new ConfigError(`${name}: the dead-letter queue of a FIFO queue must be FIFO, and only its`);
    }
    // The emulator compares numbers only, while a template may hold text.
    attributes.RedrivePolicy = JSON.stringify({
      deadLetterTargetArn,
      maxReceiveCount: Number(maxReceiveCount),
    });
  }
  return attributes;
}

/** Creates or updates one queue; looks first, as creating an existing queue with other attributes is refused. */
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
