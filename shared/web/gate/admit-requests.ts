import type { Clock } from "../../core/clock.ts";
import { hostKeyOf } from "../address/host-key.ts";
import type { RequestQueue } from "../request/request.ts";
import type { GateMessage, GatePorts } from "./gate-ports.ts";
import type { HostShares } from "./host-shares.ts";
import { idleWaitMs } from "./idle-host.ts";
import { readRequest } from "./read-request.ts";

export interface AdmissionPorts
  extends Pick<GatePorts, "networkIsDown" | "deadLetter" | "returnToQueue" | "clock"> {
  hosts: Pick<GatePorts["hosts"], "load">;
  shares: Pick<HostShares, "admittedAtMs" | "markAdmitted">;
  /** The queue of the gate. */
  requests: RequestQueue;
  /** Says that a request is dropped, and why. */
  reportDropped(requestId: string, reason: string): void;
}

/**
 * Sends the requests of one host that yield to all others to the gate: the first one when the host is idle, one at a
 * time, so that anything else waits for one of them at most. A request whose `notAfter` is over is dropped. Returns the
 * messages that wait; they are back in the queue. Repeated, it sends a request again under its id, which the gate knows.
 * @param networkWaitMs how long requests wait while our own network is down
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
    const waitMs = isDown ? networkWaitMs : await hostWaitMs(hostKeyOf(url), ports, ports.clock);
    if (waitMs > 0) {
      const rest = messages.slice(index);
      await ports.returnToQueue(rest, Math.max(waitMs, shortestWaitMs));
      return rest;
    }
    // First, so that a killed worker's next one waits for what may have been sent.
    await ports.shares.markAdmitted(hostKeyOf(url), nowMs);
    await ports.requests.send([request]);
  }
  return [];
}

/** A wait of less becomes no visibility timeout: the queue would give the message again at once. */
const shortestWaitMs = 1000;

async function hostWaitMs(
  hostKey: string,
  { hosts, shares }: Pick<AdmissionPorts, "hosts" | "shares">,
  clock: Clock,
): Promise<number> {
  const [host, admittedAtMs] = await Promise.all([hosts.load(hostKey), shares.admittedAtMs(hostKey)]);
  return idleWaitMs(host, admittedAtMs, clock.now().getTime());
}
