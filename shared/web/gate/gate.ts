import { hostKeyOf } from "../address/host-key.ts";
import type { GateMessage, GatePorts, GateSettings } from "./gate-ports.ts";
import { HostConsumer, type QueuedRequest } from "./host-consumer.ts";
import { policyFor } from "./host-delays.ts";
import { readRequest } from "./read-request.ts";

/**
 * Serves the messages of one group, which belong to one host, in order and one at a time. Returns the messages that are not
 * done; they are back in the queue. While our own network is down, all messages go back and nothing is counted. An error
 * sends all of them back before it is thrown: the queue's own visibility timeout would close the group for too long.
 */
export async function serveHost(
  messages: GateMessage[],
  ports: GatePorts,
  settings: GateSettings,
): Promise<GateMessage[]> {
  // A consumer returns its own messages.
  let inConsumer: QueuedRequest[] = [];
  try {
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
