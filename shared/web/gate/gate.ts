import { dayMs } from "../../core/day.ts";
import { hostKeyOf } from "../address/host-key.ts";
import { answerDeadLettered } from "./answer-dead-lettered.ts";
import type { GateMessage, GatePorts, GateSettings } from "./gate-ports.ts";
import { HostConsumer, type QueuedRequest } from "./host-consumer.ts";
import { policyFor } from "./host-delays.ts";
import { readRequest } from "./read-request.ts";

/**
 * The age at which a message is rejected, no matter how often it has waited. SQS deletes a message after 14 days
 * without a trace. The gate sees each message at least every 12 hours, because SQS cannot hide a message for longer.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
export const messageMaxAgeMs = 12 * dayMs;

/**
 * Serves the messages of one group in order and one at a time. All of them belong to one host. While Ingather's own
 * network is down, all messages return to the queue and nothing is counted. After an error, all of them are returned
 * before the error is thrown, because otherwise the queue's own visibility timeout would close the group for too long.
 * @returns the messages that are not done; they are back in the queue
 */
export async function serveHost(
  given: GateMessage[],
  ports: GatePorts,
  settings: GateSettings,
): Promise<GateMessage[]> {
  let messages = given;
  // The entries of a running consumer, which returns its own messages to the queue.
  let inConsumer: QueuedRequest[] = [];
  try {
    messages = await rejectOld(given, ports);
    if (messages.length === 0) return [];
    if (await ports.networkIsDown()) {
      await ports.returnToQueue(messages, settings.policy.networkWaitMs);
      return messages;
    }
    const entries = await readEntries(messages, ports);
    const delays = await ports.delays();
    const left: GateMessage[] = [];
    // A sender may have put a request into the message group of another host.
    for (const [key, own] of Map.groupBy(entries, ({ request }) => hostKeyOf(request.url))) {
      const policy = policyFor(key, settings.policy, delays);
      const consumer = await HostConsumer.open(key, ports, { ...settings, policy });
      inConsumer = own;
      left.push(...(await consumer.serve(own)));
      inConsumer = [];
    }
    return left;
  } catch (error) {
    const others = messages.filter((message) => inConsumer.every((entry) => entry.message !== message));
    if (others.length > 0) await ports.returnToQueue(others, settings.policy.backoffBaseMs);
    throw error;
  }
}

/** Sends messages that are too old to the dead-letter queue, and returns the others. */
async function rejectOld(messages: GateMessage[], ports: GatePorts): Promise<GateMessage[]> {
  const oldestMs = ports.clock.now().getTime() - messageMaxAgeMs;
  const isOld = ({ attributes }: GateMessage) => Number(attributes?.SentTimestamp ?? oldestMs) < oldestMs;
  const reason = `waited for more than ${messageMaxAgeMs / dayMs} days`;
  for (const message of messages.filter(isOld)) {
    await ports.deadLetter(message, reason);
    const request = readRequest(message.body);
    if (typeof request !== "string") await answerDeadLettered(request, reason, ports);
  }
  return messages.filter((message) => !isOld(message));
}

/** Parses the requests of messages. Messages without a valid request go to the dead-letter queue. */
async function readEntries(messages: GateMessage[], ports: GatePorts): Promise<QueuedRequest[]> {
  const entries: QueuedRequest[] = [];
  for (const message of messages) {
    const request = readRequest(message.body);
    if (typeof request === "string") await ports.deadLetter(message, request);
    else entries.push({ message, request });
  }
  return entries;
}
