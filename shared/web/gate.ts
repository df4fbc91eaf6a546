import type { Clock } from "../core/clock.ts";
import { describeProblems } from "../core/problems.ts";
import type { AddressPolicy } from "./admit-url.ts";
import { admitUrl } from "./admit-url.ts";
import { cookieHeader } from "./cookies.ts";
import type { ExchangeOutcome } from "./exchange.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { hostKey } from "./host-key.ts";
import { attemptsOf, type HostState, nextAllowedMs, penalise, settle } from "./host-state.ts";
import { followRedirect } from "./redirects.ts";
import {
  exchangeId,
  type InboundResponse,
  type OutboundRequest,
  outboundRequest,
  type ResponseOutcome,
} from "./request.ts";
import { decideRetry, isHostWide } from "./retry.ts";

/** A message of `requests.fifo` in the hands of one invocation. */
export interface GateMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
}

/** What the gate needs from outside. */
export interface GatePorts {
  /** Asks one URL, once; never throws for what the other side does. */
  exchange(request: { url: string; headers: Record<string, string> }): Promise<ExchangeOutcome>;
  hosts: {
    load(hostKey: string): Promise<HostState>;
    /** Writes the state if its version is still the one read. `false`: somebody else holds the host. */
    save(state: HostState): Promise<boolean>;
  };
  /** Keeps a body and gives its key. */
  keepBody(exchangeId: string, body: Uint8Array, contentType: string | undefined): Promise<string>;
  respond(response: InboundResponse): Promise<void>;
  /** Puts the next hop of a chain into the line of its host. */
  request(request: OutboundRequest): Promise<void>;
  putAside(message: GateMessage, reason: string): Promise<void>;
  /** Makes every message visible again after the wait, so that the group stays closed until then. */
  handBack(messages: GateMessage[], waitMs: number): Promise<void>;
  clock: Clock;
  /** In [0, 1). */
  random(): number;
  /** What is left of the invocation. */
  remainingMs(): number;
}

export interface GateSettings {
  policy: GatePolicy;
  addresses: AddressPolicy;
  userAgent: string;
  /** Names this invocation in leases. */
  holder: string;
}

/** The longest wait inside the function; longer ones hand the group back. */
const waitInsideMs = 2000;

/** The time that is left free at the end of an invocation for storing the answer. */
const reserveMs = 5000;

/**
 * Serves the messages of one host, in order and one at a time, and yields those that are not done: their group has been
 * handed back.
 */
export async function serveHost(
  messages: GateMessage[],
  ports: GatePorts,
  settings: GateSettings,
): Promise<GateMessage[]> {
  const line: { message: GateMessage; request: OutboundRequest }[] = [];
  for (const message of messages) {
    const request = readRequest(message.body);
    if (typeof request === "string") await ports.putAside(message, request);
    else line.push({ message, request });
  }
  const [first] = line;
  if (first === undefined) return [];
  return new HostLine(await ports.hosts.load(keyOf(first.request)), ports, settings).serve(line);
}

/** The host of a request as its line is named; a URL that has none is refused under its own text. */
export function keyOf(request: { url: string }): string {
  return URL.canParse(request.url) ? hostKey(new URL(request.url)) : "invalid";
}

function readRequest(body: string): OutboundRequest | string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return "the message is not JSON";
  }
  const parsed = outboundRequest.safeParse(json);
  return parsed.success ? parsed.data : describeProblems(parsed.error);
}

/** The work on one host within one invocation. */
class HostLine {
  private host: HostState;
  private held = false;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;

  constructor(host: HostState, ports: GatePorts, settings: GateSettings) {
    this.host = host;
    this.ports = ports;
    this.settings = settings;
  }

  async serve(line: { message: GateMessage; request: OutboundRequest }[]): Promise<GateMessage[]> {
    try {
      for (const [index, { request }] of line.entries()) {
        let turn = await this.take(request);
        while (turn === "again") turn = await this.take(request);
        if (turn === "done") continue;
        const rest = line.slice(index).map(({ message }) => message);
        await this.ports.handBack(rest, turn.waitMs);
        return rest;
      }
      return [];
    } finally {
      // Also after an error: what is settled must be known when the messages come again.
      await this.release();
    }
  }

  /** One step of a request: settled, to be tried again, or not before a wait that is too long for this invocation. */
  private async take(request: OutboundRequest): Promise<"done" | "again" | { waitMs: number }> {
    const { clock } = this.ports;
    const id = exchangeId(request);
    if (this.host.settled.includes(id)) return "done";

    const admission = admitUrl(request.url, this.settings.addresses);
    if (admission.type === "refused") {
      await this.respond(request, { type: "refused", reason: admission.reason, detail: admission.detail });
      return "done";
    }
    const now = clock.now().getTime();
    const { unreachable } = this.host;
    if (unreachable !== undefined && unreachable.untilMs > now) {
      await this.respond(request, {
        type: "failed",
        reason: "unreachable",
        detail: unreachable.reason,
        attempts: 0,
      });
      return "done";
    }
    const waitMs = nextAllowedMs(this.host) - now;
    if (waitMs > waitInsideMs || this.ports.remainingMs() < waitMs + this.neededMs())
      return { waitMs: Math.max(waitMs, 0) };
    if (!(await this.hold())) return { waitMs: this.settings.policy.exchangeMaxMs };
    if (waitMs > 0) await clock.sleep(waitMs);

    const outcome = await this.ports.exchange({
      url: admission.url.href,
      headers: this.headersOf(request, admission.url),
    });
    return this.conclude(request, outcome);
  }

  private async conclude(request: OutboundRequest, outcome: ExchangeOutcome): Promise<"done" | "again"> {
    const { policy } = this.settings;
    const id = exchangeId(request);
    const now = this.ports.clock.now();
    const attempts = attemptsOf(this.host, id) + 1;
    const readyAtMs = now.getTime() + (request.throttleMs ?? policy.defaultDelayMs);
    const retry = decideRetry(outcome, attempts, { policy, now, random: this.ports.random() });
    if (retry.type === "again") {
      this.host = penalise(this.host, id, { readyAtMs, penaltyUntilMs: now.getTime() + retry.afterMs });
      return "again";
    }
    await this.deliver(request, outcome, attempts);
    this.host = settle(this.host, id, { readyAtMs });
    if (isHostWide(outcome) && outcome.type === "failed") {
      const untilMs = now.getTime() + policy.unreachableMs;
      const reason = `${this.host.hostKey} could not be reached at ${now.toISOString()}: ${outcome.detail}`;
      this.host = { ...this.host, unreachable: { untilMs, reason } };
    }
    return "done";
  }

  /** Hands the outcome on: to the reader of its kind, or, when it is a redirect, to the line of the next host. */
  private async deliver(request: OutboundRequest, outcome: ExchangeOutcome, attempts: number): Promise<void> {
    if (outcome.type === "refused") return this.respond(request, outcome);
    if (outcome.type === "failed") {
      const { reason, detail } = outcome;
      return this.respond(request, { type: "failed", reason, detail, attempts });
    }
    const next = followRedirect(request, outcome, this.settings.addresses);
    if (next.type === "refused") return this.respond(request, next);
    const hops = [...request.hops, { url: request.url, status: outcome.status }];
    if (next.type === "follow") {
      return this.ports.request({ ...request, url: next.url, hops, cookies: next.cookies });
    }
    const { status, headers, elapsedMs, body } = outcome;
    const bodyKey =
      body.byteLength === 0
        ? undefined
        : await this.ports.keepBody(exchangeId(request), body, headers["content-type"]);
    return this.respond(request, {
      type: "answered",
      status,
      url: request.url,
      hops,
      headers,
      ...(bodyKey !== undefined && { bodyKey }),
      elapsedMs,
    });
  }

  private respond(request: OutboundRequest, outcome: ResponseOutcome): Promise<void> {
    return this.ports.respond({ request, outcome });
  }

  /** Takes, or keeps, the lease on the host, and writes what has come about since the last write. */
  private async hold(): Promise<boolean> {
    const now = this.ports.clock.now().getTime();
    const { lease } = this.host;
    if (!this.held && lease !== undefined && lease.holder !== this.settings.holder && lease.untilMs > now)
      return false;
    const untilMs = now + waitInsideMs + this.settings.policy.exchangeMaxMs;
    this.held = await this.write({ ...this.host, lease: { holder: this.settings.holder, untilMs } });
    return this.held;
  }

  private async release(): Promise<void> {
    if (!this.held) return;
    const { lease: _ended, ...free } = this.host;
    await this.write(free);
    this.held = false;
  }

  private async write(state: HostState): Promise<boolean> {
    if (!(await this.ports.hosts.save(state))) return false;
    this.host = { ...state, version: state.version + 1 };
    return true;
  }

  private neededMs(): number {
    return this.settings.policy.exchangeMaxMs + reserveMs;
  }

  private headersOf(request: OutboundRequest, url: URL): Record<string, string> {
    const cookie = cookieHeader(request.cookies, url);
    return {
      "user-agent": request.userAgent ?? this.settings.userAgent,
      accept: acceptOf[request.kind],
      ...(cookie !== undefined && { cookie }),
    };
  }
}

const acceptOf: Record<OutboundRequest["kind"], string> = {
  feed: "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
  article: "text/html, application/xhtml+xml, */*;q=0.5",
};
