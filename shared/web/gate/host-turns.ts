import { utcDay } from "../../core/day.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import type { GateExchange, GatePorts, GateSettings } from "./gate.ts";
import {
  type HostState,
  markAway,
  nextAllowedMs,
  noteStanding,
  troubleOf,
  withoutDeadLease,
} from "./host-state.ts";
import { HostTally } from "./host-statistics.ts";
import { awayAfter, decideRetry, type Retry } from "./retry.ts";
import { Storing } from "./storing.ts";

/** What came of the wish to ask a host: its answer, or how long to wait elsewhere. */
export type Turn = { type: "asked"; outcome: ExchangeOutcome } | { type: "later"; waitMs: number };

/** The wish to ask a host. */
interface Wish {
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
const waitInsideMs = 2000 + clockStepMs;

/** The time that is left free at the end of an invocation for storing the answer. */
const reserveMs = 5000;

/** What a lease lasts longer than the exchange that it is for: no timer is exact. */
const leaseSlackMs = 2000;

/**
 * One host as one invocation deals with it: every request waits for the host's turn, and is sent under a lease that
 * nobody else has, so that the host is asked by one worker at a time, whatever the queue does.
 */
export class HostTurns {
  readonly tally = new HostTally();
  /** Of the answer before: the host may be asked meanwhile. */
  readonly storing = new Storing();
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

  static async open(hostKey: string, ports: GatePorts, settings: GateSettings): Promise<HostTurns> {
    const stored = await ports.hosts.load(hostKey);
    const turns = new HostTurns(stored, ports, settings);
    const host = withoutDeadLease(stored, ports.clock.now().getTime());
    if (host !== stored) turns.change(host);
    return turns;
  }

  get state(): HostState {
    return this.host;
  }

  /** What has come about; it is written with the next lease or at the end. */
  change(state: HostState): void {
    this.host = state;
    this.isChanged = true;
  }

  /**
   * Asks the host when its turn has come, if that is soon: when `delayMs` have passed since its last answer. Its turn
   * after that comes when they have passed since this one.
   */
  askFor(request: GateExchange, turn: Omit<Wish, "exchangeMaxMs">): Promise<Turn> {
    const { exchangeMaxMs } = this.settings.policy;
    return this.ask(() => this.ports.exchange(request), { ...turn, exchangeMaxMs });
  }

  /** As `askFor`, with an exchange of another kind, which counts as one with the host. */
  async ask(exchange: () => Promise<ExchangeOutcome>, wish: Wish): Promise<Turn> {
    const { exchangeMaxMs, delayMs, exchangeId } = wish;
    const { lease } = this.host;
    if (!this.isHeld && lease !== undefined) return this.later(Math.max(0, lease.untilMs - this.nowMs()));
    const waitMs = Math.max(0, this.untilTurnMs(delayMs));
    if (waitMs > waitInsideMs) return this.later(waitMs);
    if (this.ports.remainingMs() < waitMs + exchangeMaxMs + reserveMs) return this.later(waitMs);

    const isDue = waitMs <= clockStepMs;
    // A host that is owed a delay is left alone until its last answer is stored: the lease saves that too.
    if (!isDue) await this.storing.end();
    const untilMs = this.leaseEndMs(wish);
    const hasLease = isDue && this.isLeasedFor(wish, this.nowMs() + clockStepMs);
    if (!hasLease && !(await this.hold(untilMs, exchangeId))) return this.later(exchangeMaxMs);
    await this.waitForTurn(delayMs);
    this.tally.add("waited-ms", waitMs);
    // This process stood still for longer than its lease allows for.
    if (!this.isLeasedFor(wish, this.nowMs())) return this.later(0);
    // A lease that lasts for this exchange is prolonged for the next one beside it.
    const held = hasLease ? this.hold(untilMs, exchangeId) : Promise.resolve(true);
    held.catch(() => {});
    const outcome = await this.tallied(exchange, delayMs);
    return (await held) ? { type: "asked", outcome } : this.later(exchangeMaxMs);
  }

  /** How long it is until the host may be asked; negative when it might have been. */
  private untilTurnMs(delayMs: number): number {
    return nextAllowedMs(this.host, delayMs) - this.nowMs();
  }

  /** When a lease ends that is for an exchange in the host's next turn and for the delay after it. */
  private leaseEndMs({ exchangeMaxMs, delayMs }: Wish): number {
    const startMs = Math.max(this.nowMs(), nextAllowedMs(this.host, delayMs));
    return startMs + leaseSlackMs + exchangeMaxMs + delayMs;
  }

  /** Whether our lease lasts for an exchange that starts then, and for the delay after it. */
  private isLeasedFor({ exchangeMaxMs, delayMs }: Wish, startMs: number): boolean {
    return this.isHeld && startMs + exchangeMaxMs + delayMs <= (this.host.lease?.untilMs ?? 0);
  }

  private async tallied(exchange: () => Promise<ExchangeOutcome>, delayMs: number): Promise<ExchangeOutcome> {
    try {
      const outcome = await exchange();
      this.tally.exchange(outcome);
      return outcome;
    } finally {
      this.change({ ...this.host, endedAtMs: this.nowMs() + clockStepMs });
      this.rest(delayMs);
    }
  }

  /** Leaves the host alone from now on, at least that long. */
  rest(delayMs: number): void {
    const readyAtMs = Math.max(this.host.readyAtMs, this.nowMs() + clockStepMs + delayMs);
    this.change({ ...this.host, readyAtMs });
  }

  /**
   * Decides whether an exchange is tried again, notes what it has said of the host, and leaves the host alone for as long
   * as that asks for.
   * @param asked.attempts of this exchange, this one included
   */
  conclude(outcome: ExchangeOutcome, asked: { url: string; attempts: number }): Retry {
    const { policy } = this.settings;
    const now = this.ports.clock.now();
    const trouble = troubleOf(this.host, now, policy);
    const { attempts } = asked;
    const random = this.ports.random();
    const retry = decideRetry(outcome, { attempts, ...trouble }, { policy, now, random });
    if (retry.type === "again") this.tally.add("retries");
    this.tally.add("backoff-ms", retry.afterMs);
    this.change(noteStanding(this.host, retry, { trouble, now }));
    if (retry.type === "again") return retry;
    const { givenUp } = this.host;
    const away = awayAfter(outcome, new URL(asked.url), { givenUp, policy });
    if (away !== undefined) this.change(markAway(this.host, now, { ...away, forMs: policy.unreachableMs }));
    return retry;
  }

  /** The timers of a busy process go off early, so it is the clock that decides. */
  private async waitForTurn(delayMs: number): Promise<void> {
    for (;;) {
      const waitMs = this.untilTurnMs(delayMs);
      if (waitMs <= 0) return;
      await this.ports.clock.sleep(waitMs);
    }
  }

  /** Gives the host free, and writes what has come about. To be called at the end, also after an error. */
  async release(): Promise<void> {
    // Numbers that are lost are no reason to ask a host again.
    const counted = this.addStatistics().catch(() => {});
    try {
      await this.free();
    } finally {
      await counted;
    }
  }

  private async free(): Promise<void> {
    const { lease: _ours, ...free } = this.host;
    if (this.isHeld) await this.write(free);
    else if (this.isChanged) await this.write(this.host);
    this.isHeld = false;
  }

  private async addStatistics(): Promise<void> {
    const { statistics } = this.tally;
    if (statistics === undefined) return;
    const day = utcDay(this.ports.clock.now());
    await this.ports.statistics?.add(this.host.hostKey, day, statistics);
  }

  /** @returns `false` when somebody else has written the host's state meanwhile, and so may be asking it */
  private async hold(untilMs: number, asked: string | undefined): Promise<boolean> {
    const { holder } = this.settings;
    // The first that would come again.
    const exchangeId = this.storing.exchangeId ?? asked;
    const lease = { holder, untilMs, ...(exchangeId !== undefined && { exchangeId }) };
    this.isHeld = await this.write({ ...this.host, lease });
    if (this.isHeld) this.host = { ...this.host, lease };
    return this.isHeld;
  }

  private later(waitMs: number): Turn {
    this.tally.add("handed-back");
    this.tally.add("waited-ms", waitMs);
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
