import type { ExchangeOutcome } from "../shared/web/exchange/exchange.ts";
import type { GatePorts } from "../shared/web/gate/gate-ports.ts";
import { type HostState, newHost } from "../shared/web/gate/host-state.ts";
import { visibilityTimeoutSeconds } from "../shared/web/gate/visibility-timeout.ts";
import type { VirtualClock } from "./makespan-clock.ts";
import type { Load } from "./makespan-loads.ts";

/** Latencies of AWS services within a region: assumed, not measured. */
export const latencyMs = {
  /** A poller's receive and the start of a warm function. */
  receive: 25,
  /** The deletion of processed messages, after the invocation. */
  delete: 15,
  loadHost: 5,
  saveHost: 8,
  addStatistics: 8,
  storeBody: 40,
  respond: 12,
  returnToQueue: 12,
};

/** Usage, in the units of AWS's prices. */
export interface Use {
  /** Receives, those of nothing included. */
  receives: number;
  invocations: number;
  deletes: number;
  visibilityChanges: number;
  functionMs: number;
  hostReads: number;
  /** Units of 1 KiB: the states of hosts, and their statistics. */
  hostWriteUnits: number;
  bodies: number;
  responses: number;
}

export function hostKeyOf(host: number): string {
  return `host-${host}.example.org`;
}

/**
 * How a wait is rounded to whole seconds of visibility timeout.
 * - `down`: the gate's choice; the function waits for the rest
 * - `up`: for comparison
 */
export const roundings = {
  down: visibilityTimeoutSeconds,
  up: (waitMs: number) => Math.ceil(waitMs / 1000),
};

/** Simulated hosts and stores behind the gate's ports. Counts their usage. */
export class SimulatedWorld {
  readonly use: Use = {
    receives: 0,
    invocations: 0,
    deletes: 0,
    visibilityChanges: 0,
    functionMs: 0,
    hostReads: 0,
    hostWriteUnits: 0,
    bodies: 0,
    responses: 0,
  };
  /** Exchanges that began before the host's delay was over, or before its last exchange was. */
  tooEarly = 0;
  private readonly load: Load;
  private readonly clock: VirtualClock;
  private readonly visibilityTimeoutSeconds: (waitMs: number) => number;
  private readonly states = new Map<string, HostState>();
  private readonly attempts: Uint8Array;
  /** The earliest permitted time of each host's next request. */
  private readonly nextAllowedMs: Float64Array;

  constructor(load: Load, clock: VirtualClock, rounding: keyof typeof roundings) {
    this.load = load;
    this.clock = clock;
    this.visibilityTimeoutSeconds = roundings[rounding];
    this.attempts = new Uint8Array(load.requests);
    this.nextAllowedMs = new Float64Array(load.hosts);
  }

  /** @param handedBack receives the end of the visibility timeout of unprocessed messages */
  ports(turn: Pick<GatePorts, "hasTime" | "waitsInside">, handedBack: (untilMs: number) => void): GatePorts {
    const { clock, use, visibilityTimeoutSeconds } = this;
    return {
      exchange: ({ url }) => this.exchange(Number(new URL(url).pathname.slice(1))),
      hosts: { load: (hostKey) => this.loadHost(hostKey), save: (state) => this.saveHost(state) },
      async streamBody() {
        throw new Error("no request of this world streams");
      },
      async storeBody() {
        use.bodies++;
        await clock.sleep(latencyMs.storeBody);
        return "key";
      },
      // Within the message.
      passBody: async () => "key",
      async respond() {
        use.responses++;
        await clock.sleep(latencyMs.respond);
      },
      returnToQueue: async (_messages, waitMs) => {
        await this.hide();
        handedBack(clock.nowMs + visibilityTimeoutSeconds(waitMs) * 1000);
      },
      statistics: {
        async add() {
          use.hostWriteUnits++;
          await clock.sleep(latencyMs.addStatistics);
        },
      },
      async enqueue() {
        throw new Error("no simulated host redirects");
      },
      async deadLetter(message, reason) {
        throw new Error(`${message.body}: ${reason}`);
      },
      networkIsDown: async () => false,
      whyWithdrawn: async () => undefined,
      delays: async () => undefined,
      robots: undefined,
      chooseTransport: undefined,
      validators: undefined,
      clock,
      random: () => 0.5,
      bodyMemory: undefined,
      ...turn,
    };
  }

  /** Changes the visibility timeout of a host's messages. */
  async hide(): Promise<void> {
    this.use.visibilityChanges++;
    await this.clock.sleep(latencyMs.returnToQueue);
  }

  /** Whether every request was sent: once, or twice to a busy host. */
  get allDone(): boolean {
    return this.attempts.every((tries, request) => tries === 1 + (this.load.busyOnce[request] ?? 0));
  }

  /** When half of the hosts had answered their last request. */
  get halfDoneMs(): number {
    return (this.nextAllowedMs.toSorted()[this.load.hosts >> 1] ?? 0) - this.load.delayMs;
  }

  private async exchange(request: number): Promise<ExchangeOutcome> {
    const { load, clock } = this;
    const host = load.hostOf[request] ?? 0;
    if (clock.nowMs < (this.nextAllowedMs[host] ?? 0)) this.tooEarly++;
    this.nextAllowedMs[host] = Number.POSITIVE_INFINITY;
    const elapsedMs = load.serviceMs[request] ?? 0;
    await clock.sleep(elapsedMs);
    const tries = (this.attempts[request] ?? 0) + 1;
    this.attempts[request] = tries;
    this.nextAllowedMs[host] = clock.nowMs + load.delayMs;
    const status = tries <= (load.busyOnce[request] ?? 0) ? 503 : 200;
    return { type: "answered", status, headers: {}, body: oneByte, elapsedMs };
  }

  private async loadHost(hostKey: string): Promise<HostState> {
    this.use.hostReads++;
    await this.clock.sleep(latencyMs.loadHost);
    return this.states.get(hostKey) ?? newHost(hostKey);
  }

  private async saveHost(state: HostState): Promise<boolean> {
    this.use.hostWriteUnits += Math.ceil(JSON.stringify(state).length / 1024);
    await this.clock.sleep(latencyMs.saveHost);
    this.states.set(state.hostKey, { ...state, version: state.version + 1 });
    return true;
  }
}

const oneByte = new Uint8Array(1);
