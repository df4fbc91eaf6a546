import { dayMs } from "../../core/day.ts";
import { hostKeyOf } from "../address/host-key.ts";
import { answerDeadLettered } from "./answer-dead-lettered.ts";
import type { GateMessage, GatePorts, GateSettings } from "./gate-ports.ts";
import { HostConsumer, type QueuedRequest } from "./host-consumer.ts";
import { policyFor } from "./host-delays.ts";
import { readRequest } from "./read-request.ts";

/**
 * The age at which a request is rejected, however often it has waited. SQS deletes a message of 14 days without a trace; the
 * gate sees each one every 12 hours at least, as SQS hides none for longer.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
export const messageMaxAgeMs = 12 * dayMs;

/**
 * Serves the messages of one group, which belong to one host, in order and one at a time. Returns the messages that are not
 * done; they are back in the queue. While our own network is down, all messages go back and nothing is counted. An error
 * sends all of them back before it is thrown: the queue's own visibility timeout would close the group for too long.
 */
export async function serveHost(
  given: GateMessage[],
  ports: GatePorts,
  settings: GateSettings,
): Promise<GateMessage[]> {
  let messages = given;
  // A consumer returns its own messages.
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
    // A sender may have put a request into the group of another host.
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

/** The messages that may still wait. The others go to the dead-letter queue. */
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

/** The messages that are requests. The others go to the dead-letter queue. */
async function readEntries(messages: GateMessage[], ports: GatePorts): Promise<QueuedRequest[]> {
  const entries: QueuedRequest[] = [];
  for (const message of messages) {
    const request = readRequest(message.body);
    if (typeof request === "string") await ports.deadLetter(message, request);
    else entries.push({ message, request });
  }
  return entries;
}
