import { utcDay } from "../../core/day.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import type { GatePorts, GateSettings } from "./gate-ports.ts";
import {
  failureStreakOf,
  type HostState,
  markUnavailable,
  nextAllowedMs,
  postponeStatistics,
  recordHealth,
  withoutExpiredLease,
  withoutUncounted,
} from "./host-state.ts";
import { addUp, HostCounters } from "./host-statistics.ts";
import { withLegalTimes } from "./legal-times.ts";
import { PendingWrite } from "./pending-write.ts";
import { rateLimitDelayMs } from "./rate-limit.ts";
import { decideRetry, type RetryDecision, unavailabilityAfter } from "./retry-policy.ts";

/** The outcome of a fetch: the exchange, or a wait that is too long for this invocation. */
type FetchResult = { type: "fetched"; outcome: ExchangeOutcome } | { type: "later"; waitMs: number };

/** The timing of an exchange. */
interface FetchTiming {
  /** The delay from the end of one exchange to the start of the next. */
  delayMs: number;
  /** The longest that the exchange may last. */
  exchangeMaxMs: number;
  /** The id of the request in this host's group; absent for a request to another host. */
  exchangeId?: string;
}

/** The clock truncates to whole milliseconds, so the real time may be up to 1 ms later than its reading. */
const clockStepMs = 1;

/** By so much a synchronised clock may be set back during an invocation. Ingather waits for it. */
const clockCorrectionMs = 2000;

/** The time reserved at the end of an invocation for storing the response. */
const reserveMs = 5000;

/** The time by which a lease outlasts its exchange, because timers are not exact. */
const leaseSlackMs = 2000;

/**
 * The lease of one invocation on a host. Every exchange waits until the host is ready and runs under the lease, so that
 * only one worker at a time sends requests to the host, whatever the queue does. The lease is part of the host's state.
 * One conditional write per exchange saves both, and succeeds only if no other worker has written since the state was
 * read.
 */
export class HostLease {
  readonly counters = new HostCounters();
  /** The write of the last response, which may overlap with the next exchange. */
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
    const lease = new HostLease(stored, ports, settings);
    const nowMs = ports.clock.now().getTime();
    const legal = withLegalTimes(stored, nowMs, settings.policy);
    if (legal.corrected.length > 0) ports.reportCorrected?.(hostKey, legal.corrected);
    const host = withoutExpiredLease(legal.host, nowMs);
    if (host !== stored) lease.update(host);
    return lease;
  }

  get state(): HostState {
    return this.host;
  }

  /** Changes the state. The change is written with the next lease or at the end. */
  update(state: HostState): void {
    this.host = state;
    this.isChanged = true;
  }

  /**
   * Makes an exchange with the host as soon as `delayMs` have passed since the host's last response. If this takes too
   * long, nothing is sent.
   */
  async run(exchange: () => Promise<ExchangeOutcome>, timing: FetchTiming): Promise<FetchResult> {
    const { exchangeMaxMs, delayMs } = timing;
    const { lease } = this.host;
    if (!this.isHeld && lease !== undefined) return this.defer(Math.max(0, lease.untilMs - this.nowMs()));
    const isInside = await this.waitsInside(this.msUntilReady(delayMs));
    const waitMs = Math.max(0, this.msUntilReady(delayMs));
    if (!isInside) return this.defer(waitMs);
    if (!(await this.ports.hasTime(waitMs + exchangeMaxMs + reserveMs))) return this.defer(waitMs);

    const isDue = waitMs <= clockStepMs;
    // A delay leaves time to store the last response first. The write of the lease then also saves that the response is
    // stored.
    if (!isDue) await this.pendingWrite.flush();
    const untilMs = this.leaseEndMs(timing);
    const hasLease = isDue && this.isLeasedFor(timing, this.nowMs() + clockStepMs);
    if (!hasLease && !(await this.acquire(untilMs, timing))) return this.defer(exchangeMaxMs);
    // When these messages are received again, the times that the earlier clock has set are corrected.
    if (!(await this.waitUntilReady(delayMs, waitMs))) return this.defer(0);
    this.counters.add("waited-ms", waitMs);
    // This process was suspended for longer than its lease lasts.
    if (!this.isLeasedFor(timing, this.nowMs())) return this.defer(0);
    // If the lease already lasts for this exchange, it is extended for the next exchange while this one runs.
    const held = hasLease ? this.acquire(untilMs, timing) : Promise.resolve(true);
    held.catch(() => {});
    const outcome = await this.runCounted(exchange, delayMs).finally(() => held.catch(() => false));
    return (await held) ? { type: "fetched", outcome } : this.defer(exchangeMaxMs);
  }

  /** Returns whether the invocation itself waits for this time. */
  waitsInside(waitMs: number): Promise<boolean> {
    return this.ports.waitsInside(waitMs - clockStepMs);
  }

  /** Returns the time until the host is ready; negative if the host has been ready for some time. */
  private msUntilReady(delayMs: number): number {
    return nextAllowedMs(this.host, delayMs) - this.nowMs();
  }

  /** Returns the end of a lease for the next exchange and the delay after it. */
  private leaseEndMs({ exchangeMaxMs, delayMs }: FetchTiming): number {
    const startMs = Math.max(this.nowMs(), nextAllowedMs(this.host, delayMs));
    return startMs + leaseSlackMs + exchangeMaxMs + delayMs;
  }

  /** Decides whether the held lease lasts for an exchange that starts at the given time, and for the delay after it. */
  private isLeasedFor({ exchangeMaxMs, delayMs }: FetchTiming, startMs: number): boolean {
    return this.isHeld && startMs + exchangeMaxMs + delayMs <= (this.host.lease?.untilMs ?? 0);
  }

  private async runCounted(
    exchange: () => Promise<ExchangeOutcome>,
    delayMs: number,
  ): Promise<ExchangeOutcome> {
    let statedMs = 0;
    try {
      const outcome = await exchange();
      this.counters.countExchange(outcome);
      statedMs = rateLimitDelayMs(outcome);
      return outcome;
    } finally {
      this.update({ ...this.host, lastEndedAtMs: this.nowMs() + clockStepMs });
      this.postpone(Math.max(delayMs, statedMs));
    }
  }

  /** Delays the next exchange by at least this time. */
  postpone(delayMs: number): void {
    const roundedMs = delayMs === 0 ? 0 : clockStepMs + delayMs;
    const readyAtMs = Math.max(this.host.readyAtMs, this.nowMs() + roundedMs);
    this.update({ ...this.host, readyAtMs });
  }

  /**
   * Decides whether an exchange is tried again, and updates the host's health and back-off.
   * @param made.attempts the attempts of this exchange, this one included
   */
  recordOutcome(outcome: ExchangeOutcome, made: { url: string; attempts: number }): RetryDecision {
    const { policy } = this.settings;
    const now = this.ports.clock.now();
    const streak = failureStreakOf(this.host, now, policy);
    const { attempts } = made;
    const random = this.ports.random();
    const retry = decideRetry(outcome, { attempts, ...streak }, { policy, now, random });
    if (retry.type === "retry") this.counters.add("retries");
    this.counters.add("backoff-ms", retry.backoffMs);
    this.update(recordHealth(this.host, retry, { streak, now }));
    if (retry.type === "retry") return retry;
    const { givenUp } = this.host;
    const unavailability = unavailabilityAfter(outcome, new URL(made.url), { givenUp, policy, now });
    if (unavailability !== undefined) this.update(markUnavailable(this.host, now, unavailability));
    return retry;
  }

  /**
   * The timers of a busy process may fire early, so the clock decides.
   * @returns false if the clock has jumped back, so that the wait would be far longer than planned
   */
  private async waitUntilReady(delayMs: number, plannedMs: number): Promise<boolean> {
    for (;;) {
      const waitMs = this.msUntilReady(delayMs);
      if (waitMs <= 0) return true;
      if (waitMs > plannedMs + clockCorrectionMs) return false;
      await this.ports.clock.sleep(waitMs);
    }
  }

  /**
   * Releases the lease and writes the state. Must be called at the end, even after an error.
   * @param comesBack whether messages of the host wait in the queue; if so, statistics may wait in the state
   */
  async release({ comesBack }: { comesBack: boolean } = { comesBack: false }): Promise<void> {
    // Losing statistics is not a reason to repeat an exchange.
    const counted = this.addStatistics(comesBack).catch(() => {});
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

  private async addStatistics(comesBack: boolean): Promise<void> {
    const { statistics: numbers = {} } = this.counters;
    const { hostKey, uncounted } = this.host;
    const day = utcDay(this.ports.clock.now());
    const isWritten = this.isHeld || this.isChanged;
    const postponed = comesBack && isWritten ? postponeStatistics(this.host, { day, numbers }) : undefined;
    if (postponed !== undefined) {
      this.host = postponed;
      return;
    }
    // If the state is not written, the statistics that wait in it must continue to wait.
    const counted = !comesBack || isWritten ? uncounted : undefined;
    if (counted !== undefined) this.update(withoutUncounted(this.host));
    const isSameDay = counted?.day === day;
    const own = isSameDay ? addUp(counted.numbers, numbers) : numbers;
    if (counted !== undefined && !isSameDay) {
      await this.ports.statistics?.add(hostKey, counted.day, counted.numbers);
    }
    if (Object.keys(own).length > 0) await this.ports.statistics?.add(hostKey, day, own);
  }

  /**
   * @returns `false` when another worker has written the host's state in the meantime, so that it may be sending
   * requests
   */
  private async acquire(
    untilMs: number,
    { delayMs, exchangeId: requestId }: Pick<FetchTiming, "delayMs" | "exchangeId">,
  ): Promise<boolean> {
    const { holder } = this.settings;
    // The first exchange that must be repeated if this worker dies.
    const exchangeId = this.pendingWrite.exchangeId ?? requestId;
    const lease = { holder, untilMs, delayMs, ...(exchangeId !== undefined && { exchangeId }) };
    this.isHeld = await this.write({ ...this.host, lease });
    if (this.isHeld) this.host = { ...this.host, lease };
    return this.isHeld;
  }

  private defer(waitMs: number): FetchResult {
    this.counters.add("deferrals");
    this.counters.add("waited-ms", waitMs);
    return { type: "later", waitMs };
  }

  /** Writes the state. If another worker has written since it was read, this state is outdated and dropped. */
  private async write(state: HostState): Promise<boolean> {
    this.isChanged = false;
    if (!(await this.ports.hosts.save(state))) return false;
    // A response may have been stored in the meantime.
    this.host = { ...this.host, version: state.version + 1 };
    return true;
  }

  private nowMs(): number {
    return this.ports.clock.now().getTime();
  }
}
