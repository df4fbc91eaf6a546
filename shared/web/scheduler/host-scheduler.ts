import type { Clock } from "../../core/clock.ts";
import { HostQueues, type Turn } from "./host-queues.ts";

/** The result of serving an item. */
export interface Served<T> {
  /** The shortest time from now to the next request to the host. */
  delayMs: number;
  /** A retry, or the next hop of a redirect, which may lead to another host. */
  next?: T | undefined;
  /** A retry that follows all other items of its host, at the earliest `afterMs` from now. */
  last?: { item: T; afterMs: number };
}

/** Items that arrive while others are served. */
export interface Arrivals<T> {
  /** Passes each item to `take` when it arrives. Resolves when no more items will arrive. */
  deliver(take: (item: T) => void): Promise<void>;
}

interface HostWork<T> {
  items: Iterable<T>;
  /** Items that arrive later. Each is appended to its host's queue. The work lasts until no more items will arrive. */
  arrivals?: Arrivals<T> | undefined;
  hostOf(item: T): string;
  /** The number of items served at the same time over all hosts. A host never has more than one of them. */
  concurrency: number;
  serve(item: T): Promise<Served<T>>;
  clock: Clock;
  /** After an abort, no further items start, and requests in flight finish. */
  signal?: AbortSignal | undefined;
}

/**
 * Serves all items, one at a time per host and in the host's order. Each item waits for the host's delay. The host with
 * the most remaining work comes first. Resolves when all items are served or, after an abort, when no item is in
 * flight.
 * @throws the error of a rejected `serve`, once no item is in flight; not after an abort
 */
export function runByHost<T>(work: HostWork<T>): Promise<void> {
  return new HostRun(work).run();
}

class HostRun<T> {
  private readonly work: HostWork<T>;
  private readonly queues: HostQueues<T>;
  private readonly end = Promise.withResolvers<void>();
  private inFlight = 0;
  private mayArrive: boolean;
  private failure: { error: unknown } | undefined;
  /** The time of the earliest timer. Later timers may still fire, without effect. */
  private wakeAtMs = Number.POSITIVE_INFINITY;

  constructor(work: HostWork<T>) {
    this.work = work;
    this.queues = new HostQueues(work.hostOf);
    this.mayArrive = work.arrivals !== undefined;
    for (const item of work.items) this.queues.add(item);
  }

  run(): Promise<void> {
    this.work.signal?.addEventListener("abort", this.proceed, { once: true });
    void this.receive();
    this.proceed();
    return this.end.promise.finally(() => this.work.signal?.removeEventListener("abort", this.proceed));
  }

  /** Starts the turns that are due. Ends the run when nothing is left. */
  private readonly proceed = (): void => {
    if (!this.isStopped()) this.startTurns();
    if (this.inFlight > 0) return;
    if (this.failure !== undefined) this.end.reject(this.failure.error);
    else if (this.isStopped() || (this.queues.isEmpty() && !this.mayArrive)) this.end.resolve();
  };

  private async receive(): Promise<void> {
    await this.work.arrivals?.deliver((item) => {
      this.queues.addFirst(item);
      this.proceed();
    });
    this.mayArrive = false;
    this.proceed();
  }

  private startTurns(): void {
    const { concurrency, clock } = this.work;
    if (this.inFlight >= concurrency) return;
    const nowMs = clock.now().getTime();
    while (this.inFlight < concurrency) {
      const turn = this.queues.take(nowMs);
      if (turn === undefined) break;
      this.start(turn, nowMs);
    }
    const readyAtMs = this.queues.nextReadyAtMs();
    if (this.inFlight < concurrency && readyAtMs !== undefined) this.wakeAt(readyAtMs, nowMs);
  }

  private start(turn: Turn<T>, startedAtMs: number): void {
    this.inFlight++;
    this.work.serve(turn.item).then(
      ({ delayMs, next, last }) => {
        this.inFlight--;
        const nowMs = this.work.clock.now().getTime();
        if (next !== undefined) this.queues.addFirst(next);
        if (last !== undefined) turn.queue.addLast(last.item, nowMs + last.afterMs);
        this.queues.finish(turn, { nowMs, tookMs: nowMs - startedAtMs, delayMs });
        this.proceed();
      },
      (error) => {
        this.inFlight--;
        if (!this.work.signal?.aborted) this.failure ??= { error };
        this.proceed();
      },
    );
  }

  private wakeAt(atMs: number, nowMs: number): void {
    if (this.wakeAtMs <= atMs) return;
    this.wakeAtMs = atMs;
    void this.work.clock.sleep(atMs - nowMs).then(() => {
      if (this.wakeAtMs === atMs) this.wakeAtMs = Number.POSITIVE_INFINITY;
      this.proceed();
    });
  }

  private isStopped(): boolean {
    return this.failure !== undefined || this.work.signal?.aborted === true;
  }
}
