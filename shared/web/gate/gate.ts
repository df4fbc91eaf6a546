import { parseJson } from "../../core/parse-json.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import { hostKeyOf } from "../address/host-key.ts";
import type { GateMessage, GatePorts, GateSettings } from "./gate-ports.ts";
import { HostConsumer, type QueuedRequest } from "./host-consumer.ts";
import { policyFor } from "./host-delays.ts";
import { type OutboundRequest, outboundRequest } from "./request.ts";

/**
 * Serves the messages of one group, which are one host's, in order and one at a time, and yields those that are not done:
 * their group has been handed back. While our own network is down that is all of them, and nothing is counted. After an
 * error, which is thrown on, all have been handed back: the queue's own timeout would keep the group closed for long.
 */
export async function serveHost(
  messages: GateMessage[],
  ports: GatePorts,
  settings: GateSettings,
): Promise<GateMessage[]> {
  // A line hands back its own.
  let inConsumer: QueuedRequest[] = [];
  try {
    if (await ports.networkIsDown()) {
      await ports.returnToQueue(messages, settings.policy.networkWaitMs);
      return messages;
    }
    const entries = await readEntries(messages, ports);
    const delays = await ports.delays();
    const left: GateMessage[] = [];
    // Whoever has sent them may have put a request into another host's group.
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

/** The messages that are requests; the others are put aside. */
async function readEntries(messages: GateMessage[], ports: GatePorts): Promise<QueuedRequest[]> {
  const entries: QueuedRequest[] = [];
  for (const message of messages) {
    const request = readRequest(message.body);
    if (typeof request === "string") await ports.deadLetter(message, request);
    else entries.push({ message, request });
  }
  return entries;
}

function readRequest(body: string): OutboundRequest | string {
  const json = parseJson(body);
  if (json === undefined) return "the message is not JSON";
  const parsed = outboundRequest.safeParse(json);
  return parsed.success ? parsed.data : describeProblems(parsed.error);
}
