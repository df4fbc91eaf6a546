import { variable } from "../../adapters/aws/environment.ts";
import { cacheFor } from "../../core/cache-for.ts";
import { systemClock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { deadLetterQueues } from "../../names.ts";
import type { DeadLetters } from "../today/needs.ts";

/** The time for which a count is cached. The count is approximate, and changes rarely. */
const cacheMs = 15_000;
const maxParallelReads = 16;

/**
 * Counts the messages in the dead-letter queues approximately. The URL of a dead-letter queue differs from that of its
 * queue only in the name.
 */
export function deadLetters(): () => Promise<DeadLetters[]> {
  const base = variable("requestsQueue").replace(/[^/]+$/, "");
  const count = async ({ queue, deadLetterQueue }: ReturnType<typeof deadLetterQueues>[number]) => {
    const { sqs, GetQueueAttributesCommand } = await import("../../adapters/aws/sqs-sdk.ts");
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: `${base}${deadLetterQueue}`,
        AttributeNames: ["ApproximateNumberOfMessages"],
      }),
    );
    return { queue, messages: Number(Attributes?.ApproximateNumberOfMessages ?? 0) };
  };
  return cacheFor(
    cacheMs,
    async () => {
      const counted = await inParallel(deadLetterQueues(), maxParallelReads, count);
      return counted.filter(({ messages }) => messages > 0);
    },
    systemClock,
  );
}
