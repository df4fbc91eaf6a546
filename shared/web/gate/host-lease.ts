import { utcDay } from "../../core/day.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import type { GateExchange, GatePorts, GateSettings } from "./gate-ports.ts";
import {
  failureStreakOf,
  type HostState,
  markUnavailable,
  nextAllowedMs,
  recordHealth,
  withoutExpiredLease,
} from "./host-state.ts";
import { HostCounters } from "./host-statistics.ts";
import { PendingWrite } from "./pending-write.ts";
import { decideRetry, type RetryDecision, unavailabilityAfter } from "./retry-policy.ts";

/** What came of the wish to ask a host: its answer, or how long to wait elsewhere. */
export type FetchResult = { type: "fetched"; outcome: ExchangeOutcome } | { type: "later"; waitMs: number };

/** The wish to ask a host. */
interface FetchTiming {
  /** From the end of one exchange to the start of the next. */
  delayMs: number;
  /** The longest that the exchange may last. */
  exchangeMaxMs: number;
  /** For which request of the host's line; none when it is for another host's. */
  exchangeId?: string;
}

/** The clock has whole milliseconds: it may be up to one later than it says. */
const clockStepMs = 1;

/** The longest wait inside the function; longer ones hand the group back. */
const maxSleepMs = 2000 + clockStepMs;

/** The time that is left free at the end of an invocation for storing the answer. */
const reserveMs = 5000;

/** What a lease lasts longer than the exchange that it is for: no timer is exact. */
const leaseSlackMs = 2000;

/**
 * One host as one invocation deals with it: every request waits for the host's turn, and is sent under a lease that
 * nobody else has, so that the host is asked by one worker at a time, whatever the queue does.
 */
export class HostLease {
  readonly counters = new HostCounters();
  /** Of the answer before: the host may be asked meanwhile. */
  readonly pendingWrite = new PendingWrite();
  private host: HostState;
  private isHeld = false;
  private isChanged = false;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;

  private constructor(host: HostState, ports: GatePorts, settings: GateSettings) {
    this.host = host;
    this.ports = ports;
    this.settings = settings;
  }

  static async load(hostKey: string, ports: GatePorts, settings: GateSettings): Promise<HostLease> {
    const stored = await ports.hosts.load(hostKey);
    const turns = new HostLease(stored, ports, settings);
    const host = withoutExpiredLease(stored, ports.clock.now().getTime());
    if (host !== stored) turns.update(host);
    return turns;
  }

  get state(): HostState {
    return this.host;
  }

  /** What has come about; it is written with the next lease or at the end. */
  update(state: HostState): void {
    this.host = state;
    this.isChanged = true;
  }

  /**
   * Asks the host when its turn has come, if that is soon: when `delayMs` have passed since its last answer. Its turn
   * after that comes when they have passed since this one.
   */
  fetch(request: GateExchange, turn: Omit<FetchTiming, "exchangeMaxMs">): Promise<FetchResult> {
    const { exchangeMaxMs } = this.settings.policy;
    return this.run(() => this.ports.exchange(request), { ...turn, exchangeMaxMs });
  }

  /** As `askFor`, with an exchange of another kind, which counts as one with the host. */
  async run(exchange: () => Promise<ExchangeOutcome>, wish: FetchTiming): Promise<FetchResult> {
    const { exchangeMaxMs, delayMs, exchangeId } = wish;
    const { lease } = this.host;
    if (!this.isHeld && lease !== undefined) return this.defer(Math.max(0, lease.untilMs - this.nowMs()));
    const waitMs = Math.max(0, this.msUntilReady(delayMs));
    if (waitMs > maxSleepMs) return this.defer(waitMs);
    if (this.ports.remainingMs() < waitMs + exchangeMaxMs + reserveMs) return this.defer(waitMs);

    const isDue = waitMs <= clockStepMs;
    // A host that is owed a delay is left alone until its last answer is stored: the lease saves that too.
    if (!isDue) await this.pendingWrite.flush();
    const untilMs = this.leaseEndMs(wish);
    const hasLease = isDue && this.isLeasedFor(wish, this.nowMs() + clockStepMs);
    if (!hasLease && !(await this.acquire(untilMs, exchangeId))) return this.defer(exchangeMaxMs);
    await this.waitUntilReady(delayMs);
    this.counters.add("waited-ms", waitMs);
    // This process stood still for longer than its lease allows for.
    if (!this.isLeasedFor(wish, this.nowMs())) return this.defer(0);
    // A lease that lasts for this exchange is prolonged for the next one beside it.
    const held = hasLease ? this.acquire(untilMs, exchangeId) : Promise.resolve(true);
    held.catch(() => {});
    const outcome = await this.runCounted(exchange, delayMs);
    return (await held) ? { type: "fetched", outcome } : this.defer(exchangeMaxMs);
  }

  /** How long it is until the host may be asked; negative when it might have been. */
  private msUntilReady(delayMs: number): number {
    return nextAllowedMs(this.host, delayMs) - this.nowMs();
  }

  /** When a lease ends that is for an exchange in the host's next turn and for the delay after it. */
  private leaseEndMs({ exchangeMaxMs, delayMs }: FetchTiming): number {
    const startMs = Math.max(this.nowMs(), nextAllowedMs(this.host, delayMs));
    return startMs + leaseSlackMs + exchangeMaxMs + delayMs;
  }

  /** Whether our lease lasts for an exchange that starts then, and for the delay after it. */
  private isLeasedFor({ exchangeMaxMs, delayMs }: FetchTiming, startMs: number): boolean {
    return this.isHeld && startMs + exchangeMaxMs + delayMs <= (this.host.lease?.untilMs ?? 0);
  }

  private async runCounted(
    exchange: () => Promise<ExchangeOutcome>,
    delayMs: number,
  ): Promise<ExchangeOutcome> {
    try {
      const outcome = await exchange();
      this.counters.countExchange(outcome);
      return outcome;
    } finally {
      this.update({ ...this.host, lastEndedAtMs: this.nowMs() + clockStepMs });
      this.postpone(delayMs);
    }
  }

  /** Leaves the host alone from now on, at least that long. */
  postpone(delayMs: number): void {
    const readyAtMs = Math.max(this.host.readyAtMs, this.nowMs() + clockStepMs + delayMs);
    this.update({ ...this.host, readyAtMs });
  }

  /**
   * Decides whether an exchange is tried again, notes what it has said of the host, and leaves the host alone for as long
   * as that asks for.
   * @param asked.attempts of this exchange, this one included
   */
  recordOutcome(outcome: ExchangeOutcome, asked: { url: string; attempts: number }): RetryDecision {
    const { policy } = this.settings;
    const now = this.ports.clock.now();
    const trouble = failureStreakOf(this.host, now, policy);
    const { attempts } = asked;
    const random = this.ports.random();
    const retry = decideRetry(outcome, { attempts, ...trouble }, { policy, now, random });
    if (retry.type === "retry") this.counters.add("retries");
    this.counters.add("backoff-ms", retry.backoffMs);
    this.update(recordHealth(this.host, retry, { trouble, now }));
    if (retry.type === "retry") return retry;
    const { givenUp } = this.host;
    const away = unavailabilityAfter(outcome, new URL(asked.url), { givenUp, policy });
    if (away !== undefined)
      this.update(markUnavailable(this.host, now, { ...away, forMs: policy.unavailableMs }));
    return retry;
  }

  /** The timers of a busy process go off early, so it is the clock that decides. */
  private async waitUntilReady(delayMs: number): Promise<void> {
    for (;;) {
      const waitMs = this.msUntilReady(delayMs);
      if (waitMs <= 0) return;
      await this.ports.clock.sleep(waitMs);
    }
  }

  /** Gives the host free, and writes what has come about. To be called at the end, also after an error. */
  async release(): Promise<void> {
    // Numbers that are lost are no reason to ask a host again.
    const counted = this.addStatistics().catch(() => {});
    try {
      await this.writeBack();
    } finally {
      await counted;
    }
  }

  private async writeBack(): Promise<void> {
    const { lease: _ours, ...free } = this.host;
    if (this.isHeld) await this.write(free);
    else if (this.isChanged) await this.write(this.host);
    this.isHeld = false;
  }

  private async addStatistics(): Promise<void> {
    const { statistics } = this.counters;
    if (statistics === undefined) return;
    const day = utcDay(this.ports.clock.now());
    await this.ports.statistics?.add(this.host.hostKey, day, statistics);
  }

  /** @returns `false` when somebody else has written the host's state meanwhile, and so may be asking it */
  private async acquire(untilMs: number, asked: string | undefined): Promise<boolean> {
    const { holder } = this.settings;
    // The first that would come again.
    const exchangeId = this.pendingWrite.exchangeId ?? asked;
    const lease = { holder, untilMs, ...(exchangeId !== undefined && { exchangeId }) };
    this.isHeld = await this.write({ ...this.host, lease });
    if (this.isHeld) this.host = { ...this.host, lease };
    return this.isHeld;
  }

  private defer(waitMs: number): FetchResult {
    this.counters.add("deferrals");
    this.counters.add("waited-ms", waitMs);
    return { type: "later", waitMs };
  }

  /** Writes the state unless somebody else has since it was read; then what we know is outdated and is dropped. */
  private async write(state: HostState): Promise<boolean> {
    this.isChanged = false;
    if (!(await this.ports.hosts.save(state))) return false;
    // An answer may have been stored meanwhile.
    this.host = { ...this.host, version: state.version + 1 };
    return true;
  }

  private nowMs(): number {
    return this.ports.clock.now().getTime();
  }
}
