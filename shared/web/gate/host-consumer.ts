import { isOutage } from "../../core/errors.ts";
import { admitUrl } from "../address/admit-url.ts";
import { requestHeaders } from "../chain/request-headers.ts";
import type { BodyPlace } from "../exchange/body-memory.ts";
import type { AnswerHead, BodyMode, StoreMode } from "../exchange/exchange.ts";
import { applyBodyPolicy, isCapture, type StreamPolicy } from "../request/body-policy.ts";
import { exchangeId, methodOf, type OutboundRequest } from "../request/request.ts";
import { tooLate, withdrawn } from "../request/response.ts";
import { crawlDelayMs } from "../robots/robots-state.ts";
import { answerDeadLettered } from "./answer-dead-lettered.ts";
import { CapturedRobots, type KeepRobots } from "./captured-robots.ts";
import { responseWithoutAnswer } from "./dispatch-response.ts";
import { EarlierAnswers } from "./earlier-answers.ts";
import type { GateMessage, GatePorts, GateSettings } from "./gate-ports.ts";
import { HostLease } from "./host-lease.ts";
import { HostOutcomes, type RequestStep } from "./host-outcomes.ts";
import {
  countCrash,
  countOutage,
  markDeadLettered,
  markSettled,
  pendingExchangeOf,
  unavailableReason,
} from "./host-state.ts";
import { unavailable } from "./retry-policy.ts";
import { robotsUrl } from "./robots-answer.ts";
import { RobotsLookup, type RobotsStep } from "./robots-lookup.ts";
import { endSlotWaits, waitForSlot, withBodyPlace } from "./slot-waits.ts";
import type { Transport } from "./transport.ts";

export interface QueuedRequest {
  message: GateMessage;
  request: OutboundRequest;
}

/**
 * The time after which the pause of a paused host is checked again. A message may be received a thousand times, so a
 * pause may last a week.
 */
const pausedWaitMs = 600_000;

/** The decision whether a request is sent, or its outcome if it is not sent. */
type RequestAdmission =
  | { type: "admitted"; url: URL }
  | { type: "refused"; reason: string; detail: string }
  | { type: "failed"; reason: typeof unavailable; detail: string };

interface RequestTiming {
  delayMs: number;
  exchangeId: string;
  userAgent: string;
}

/** Serves the requests to one host that one invocation has received. */
export class HostConsumer {
  private readonly lease: HostLease;
  private readonly outcomes: HostOutcomes;
  private readonly robots: RobotsLookup | undefined;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;
  private earlier: EarlierAnswers | undefined;

  private constructor(lease: HostLease, ports: GatePorts, settings: GateSettings) {
    this.lease = lease;
    this.outcomes = new HostOutcomes(lease, ports, settings);
    this.robots = ports.robots && new RobotsLookup(lease, ports.robots, { ports, settings });
    this.ports = ports;
    this.settings = settings;
  }

  static async open(hostKey: string, ports: GatePorts, settings: GateSettings): Promise<HostConsumer> {
    return new HostConsumer(await HostLease.load(hostKey, ports, settings), ports, settings);
  }

  /**
   * Serves the entries in order.
   * @returns the messages that are not done; they are back in the queue
   */
  async serve(entries: QueuedRequest[]): Promise<GateMessage[]> {
    this.earlier = new EarlierAnswers(
      this.ports.validators,
      entries.map(({ request }) => request),
    );
    let current: QueuedRequest | undefined;
    let rest: GateMessage[] = [];
    try {
      for (const [index, entry] of entries.entries()) {
        current = entry;
        const step = await this.processOrDeadLetter(entry);
        if (step.type === "done") continue;
        rest = entries.slice(index).map(({ message }) => message);
        await this.ports.returnToQueue(rest, step.waitMs);
        break;
      }
      await this.lease.pendingWrite.flush();
      await this.lease.release({ comesBack: rest.length > 0 });
      return rest;
    } catch (error) {
      try {
        if (current !== undefined) await this.recordFailure(entries, exchangeId(current.request), error);
      } finally {
        // This also runs after an error, because settled exchanges must be known when the messages are received again.
        await this.lease.release();
      }
      throw error;
    }
  }

  /**
   * Counts an error before the error is rethrown, so that a request that always fails goes to the dead-letter queue
   * instead of blocking its host. The back-off starts short, so that a temporary error delays the host only briefly.
   */
  private async recordFailure(entries: QueuedRequest[], current: string, error: unknown): Promise<void> {
    // The previous response may still be being stored. If storing it fails, that failure is the cause of the error.
    await this.lease.pendingWrite.flush().catch(() => {});
    const id = this.lease.pendingWrite.exchangeId ?? current;
    const { backoffBaseMs, backoffMaxMs } = this.settings.policy;
    const { crashes, outages } = pendingExchangeOf(this.lease.state, id);
    this.lease.update((isOutage(error) ? countOutage : countCrash)(this.lease.state, id));
    // All messages return to the queue, because a message that keeps the queue's own visibility timeout would close the
    // group for that time.
    const messages = entries.map(({ message }) => message);
    await this.ports.returnToQueue(
      messages,
      Math.min(backoffBaseMs * 2 ** (crashes + outages), backoffMaxMs),
    );
  }

  /** Advances a request as far as this invocation can. */
  private async processOrDeadLetter({
    request,
    message,
  }: QueuedRequest): Promise<Exclude<RequestStep, { type: "retry" }>> {
    const id = exchangeId(request);
    const { messageId } = message;
    if (this.lease.state.deadLettered?.includes(messageId)) return { type: "done" };
    const reason = this.whyGivenUp(id);
    if (reason !== undefined) {
      await this.lease.pendingWrite.flush();
      await this.ports.deadLetter(message, reason);
      this.lease.update(markDeadLettered(this.lease.state, id, messageId));
      // This comes after the request is marked: even if this step fails, the request leaves the queue of its host.
      await answerDeadLettered(request, reason, this.ports);
      return { type: "done" };
    }
    for (;;) {
      const step = await this.process(request);
      if (step.type !== "retry") return step;
    }
  }

  /** Returns why a request goes to the dead-letter queue: receives that only waited do not count. */
  private whyGivenUp(id: string): string | undefined {
    const { maxCrashes, maxOutages } = this.settings.policy;
    const { crashes, outages } = pendingExchangeOf(this.lease.state, id);
    if (crashes >= maxCrashes)
      return `failed ${maxCrashes} times, because of an error or because the process ended`;
    return outages >= maxOutages ? `failed ${maxOutages} times, because AWS failed` : undefined;
  }

  private async process(request: OutboundRequest): Promise<RequestStep> {
    const id = exchangeId(request);
    if (this.lease.pendingWrite.exchangeId === id) await this.lease.pendingWrite.flush();
    if (this.lease.state.settled.includes(id)) return { type: "done" };
    const admission = await this.admit(request);
    if (admission.type === "refused") return this.outcomes.refuse(request, admission);
    if (admission.type === "failed") {
      return this.outcomes.respond(responseWithoutAnswer(request, { ...admission, attempts: 0 }));
    }
    if (this.lease.state.pause !== undefined) return { type: "later", waitMs: pausedWaitMs };

    const { url } = admission;
    const { policy } = this.settings;
    const userAgent = request.userAgent ?? this.settings.userAgent;
    const throttleMs = Math.max(request.throttleMs ?? policy.defaultDelayMs, policy.minDelayMs);
    // A robots.txt that is captured is not fetched a second time for its rules.
    if (isCapture(request.bodyPolicy) && url.href === robotsUrl(url.origin)) {
      return this.sendRequest(request, url, { delayMs: throttleMs, exchangeId: id, userAgent });
    }
    const robots = await this.robots?.lookUp(url.origin, {
      delayMs: throttleMs,
      exchangeId: id,
      userAgent,
      ...this.keepingRobots(request),
    });
    if (robots !== undefined && robots.type !== "known") return robots;
    const forbidden = request.obeyRobots && robots !== undefined ? robotsRefusal(robots, url) : undefined;
    if (forbidden !== undefined) return this.outcomes.refuse(request, forbidden);

    const timing = { delayMs: Math.max(throttleMs, crawlDelayMs(robots?.known, policy)), exchangeId: id };
    const choice = this.ports.chooseTransport?.(request) ?? { type: "direct" };
    if (choice.type === "refused") return this.outcomes.refuse(request, choice);
    if (choice.type === "transport") return this.useTransport(request, choice.transport, timing);
    return this.sendRequest(request, url, { ...timing, userAgent });
  }

  /** Decides whether a request may be sent, before the host's robots.txt is known. */
  private async admit(request: OutboundRequest): Promise<RequestAdmission> {
    const reason = await this.ports.whyWithdrawn(request, this.lease.state.pause);
    if (reason !== undefined) return { type: "refused", reason: withdrawn, detail: reason };
    const admission = admitUrl(request.url, this.settings.addresses);
    if (admission.type === "refused") return admission;
    const { url } = admission;
    const now = this.ports.clock.now();
    const { notAfter } = request;
    if (notAfter !== undefined && now.getTime() > Date.parse(notAfter)) {
      const detail = `could not be sent before ${notAfter} (notAfter)`;
      return { type: "refused", reason: tooLate, detail };
    }
    const detail = unavailableReason(this.lease.state, url, now);
    return detail === undefined ? { type: "admitted", url } : { type: "failed", reason: unavailable, detail };
  }

  /** Sends the request when the host is ready. */
  private sendRequest(request: OutboundRequest, url: URL, how: RequestTiming): Promise<RequestStep> {
    return withBodyPlace(this.lease, this.ports, (place) => this.sendWith(place, request, { url, ...how }));
  }

  private async sendWith(
    place: BodyPlace | undefined,
    request: OutboundRequest,
    { url, userAgent, ...timing }: RequestTiming & { url: URL },
  ): Promise<RequestStep> {
    const now = this.ports.clock.now();
    const earlier = await this.earlier?.to(request, await this.lease.waitsInside(timing.delayMs));
    const { bodyPolicy } = request;
    const isStream = typeof bodyPolicy === "object";
    const { exchangeMaxMs, streamMaxMs } = this.settings.policy;
    const capture = isCapture(bodyPolicy)
      ? this.storing(request, bodyPolicy, "application/http; msgtype=response")
      : undefined;
    const robots = capture && url.href === robotsUrl(url.origin) ? new CapturedRobots(capture) : undefined;
    const exchange = () =>
      this.ports.exchange({
        url: url.href,
        method: methodOf(request),
        ...(request.body !== undefined && { body: request.body }),
        headers: requestHeaders(request, url, { userAgent, earlier, now }),
        ...(capture === undefined
          ? { bodyMode: (head) => this.bodyMode(request, head) }
          : { capture: robots?.mode ?? capture }),
        place,
      });
    const result = await this.lease.run(exchange, {
      ...timing,
      exchangeMaxMs: isStream ? streamMaxMs : exchangeMaxMs,
    });
    if (result.type === "later") return result;
    const step = await this.outcomes.handleOutcome(request, result.outcome, { earlier });
    const read = step.type === "done" ? await robots?.outcome(result.outcome) : undefined;
    if (read !== undefined) await this.robots?.learn(url.origin, read);
    return step;
  }

  /**
   * Returns the port that captures the robots.txt as well, because all requests that are made for a capture belong to
   * it.
   */
  private keepingRobots(request: OutboundRequest): { keep?: KeepRobots } {
    const { bodyPolicy } = request;
    if (!isCapture(bodyPolicy)) return {};
    return {
      keep: {
        mode: () => this.storing(request, bodyPolicy, "application/http; msgtype=response"),
        keep: (url, outcome) => this.outcomes.respondInterim(request, outcome, { url }),
      },
    };
  }

  private bodyMode(request: OutboundRequest, head: AnswerHead): BodyMode {
    const decision = applyBodyPolicy(request.bodyPolicy, head);
    return typeof decision === "string" || "peekBytes" in decision
      ? decision
      : this.storing(request, decision, head.headers["content-type"]);
  }

  private storing(
    request: OutboundRequest,
    policy: StreamPolicy,
    contentType: string | undefined,
  ): StoreMode {
    // Each captured exchange gets a separate object, because a reader may not have read the object of the previous
    // exchange.
    const suffix = policy.type === "capture" ? `-${this.ports.clock.now().getTime()}` : "";
    const store = (content: AsyncIterable<Uint8Array>) =>
      this.ports.streamBody(`${exchangeId(request)}${suffix}`, content, contentType);
    const { maxBytes, keepIncomplete } = policy;
    return { maxBytes, keepIncomplete, store };
  }

  /** Lets a transport make the request, unless the response is known already. */
  private async useTransport(
    request: OutboundRequest,
    transport: Transport,
    timing: { delayMs: number; exchangeId: string },
  ): Promise<RequestStep> {
    // The response that is being stored may be the one to recall.
    await this.lease.pendingWrite.flush();
    const known = await transport.recall(request);
    if (known !== undefined) {
      const step = await this.outcomes.respond({ request, outcome: known });
      this.lease.update(markSettled(this.lease.state, timing.exchangeId));
      return step;
    }
    const slot = await transport.claimSlot();
    if (slot === undefined) return waitForSlot(this.lease, this.ports.random());
    endSlotWaits(this.lease);
    try {
      const { exchangeMaxMs } = transport;
      const result = await this.lease.run(() => transport.exchange(request), { ...timing, exchangeMaxMs });
      return result.type === "later"
        ? result
        : await this.outcomes.handleOutcome(request, result.outcome, { transport });
    } finally {
      await slot.release();
    }
  }
}

/** Returns the reason why the robots.txt of a URL's origin forbids the URL. */
function robotsRefusal(
  { known, rules }: Extract<RobotsStep, { type: "known" }>,
  url: URL,
): { reason: string; detail: string } | undefined {
  if (known.access === "disallow-all") return { reason: "robots-unreachable", detail: known.reason ?? "" };
  const line = rules?.disallows(url);
  return line === undefined ? undefined : { reason: "robots", detail: `${robotsUrl(url.origin)}, ${line}` };
}
