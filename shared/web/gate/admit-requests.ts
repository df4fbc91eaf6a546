import { hostKeyOf } from "../address/host-key.ts";
import type { RequestQueue } from "../request/request.ts";
import type { GateMessage, GatePorts } from "./gate-ports.ts";
import type { HostShares } from "./host-shares.ts";
import { idleWaitMs, impatientWaitMs } from "./idle-host.ts";
import { readRequest } from "./read-request.ts";

export interface AdmissionPorts
  extends Pick<GatePorts, "networkIsDown" | "deadLetter" | "returnToQueue" | "clock"> {
  hosts: Pick<GatePorts["hosts"], "load">;
  shares: Pick<HostShares, "admittedAtMs" | "markAdmitted">;
  /** The gate's queue. */
  requests: RequestQueue;
  /** Reports that a request is dropped, with the reason. */
  reportDropped(requestId: string, reason: string): void;
}

/**
 * Passes the low-priority requests of one host on to the gate, one at a time and only while the host is idle, so that
 * any other request waits for at most one of them. A request that has waited for a minute takes its turn at a busy host.
 * A request whose `notAfter` has passed is dropped. If the invocation
 * is repeated, it sends a request again under the same id, so the gate recognises the duplicate.
 * @param networkWaitMs how long requests wait while Ingather's own network is down
 * @returns the messages that must wait; they are back in the queue
 */
export async function admitRequests(
  messages: GateMessage[],
  ports: AdmissionPorts,
  { networkWaitMs }: { networkWaitMs: number },
): Promise<GateMessage[]> {
  const isDown = await ports.networkIsDown();
  for (const [index, message] of messages.entries()) {
    const request = readRequest(message.body);
    if (typeof request === "string") {
      await ports.deadLetter(message, request);
      continue;
    }
    const { id, url, notAfter } = request;
    const nowMs = ports.clock.now().getTime();
    if (notAfter !== undefined && nowMs > Date.parse(notAfter)) {
      ports.reportDropped(id, `its host was not idle by ${notAfter} (notAfter)`);
      continue;
    }
    const waitMs = isDown
      ? networkWaitMs
      : await hostWaitMs(message, { hostKey: hostKeyOf(url), nowMs }, ports);
    if (waitMs > 0) {
      const rest = messages.slice(index);
      await ports.returnToQueue(rest, Math.max(waitMs, shortestWaitMs));
      return rest;
    }
    // This write comes first: if the worker is killed after it, the next worker still waits for the request that may
    // have been sent.
    await ports.shares.markAdmitted(hostKeyOf(url), nowMs);
    await ports.requests.send([request]);
  }
  return [];
}

/**
 * A shorter wait would be rounded down to a visibility timeout of 0, and the queue would deliver the message again at
 * once.
 */
const shortestWaitMs = 1000;

/** The time for which a request waits for an idle host. */
const maxIdleWaitMs = 60_000;

async function hostWaitMs(
  { attributes }: GateMessage,
  { hostKey, nowMs }: { hostKey: string; nowMs: number },
  { hosts, shares }: Pick<AdmissionPorts, "hosts" | "shares">,
): Promise<number> {
  const [host, admittedAtMs] = await Promise.all([hosts.load(hostKey), shares.admittedAtMs(hostKey)]);
  const hasWaited = nowMs - Number(attributes?.SentTimestamp ?? nowMs) >= maxIdleWaitMs;
  return (hasWaited ? impatientWaitMs : idleWaitMs)(host, admittedAtMs, nowMs);
}
