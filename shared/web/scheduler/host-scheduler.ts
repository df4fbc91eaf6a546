import type { Clock } from "../../core/clock.ts";
import { HostQueues, type HostQueuesOptions, type Turn } from "./host-queues.ts";

/** What follows from serving an item. */
export interface Served<T> {
  /** How long the host is left alone from now on. */
  delayMs: number;
  /** What has to come next for the same purpose: a retry, or the next hop of a redirect, which may be another host's. */
  next?: T | undefined;
}

export interface HostWork<T> extends HostQueuesOptions<T> {
  items: Iterable<T>;
  serve(item: T): Promise<Served<T>>;
  clock: Clock;
  /** Once aborted nothing more is started. */
  signal?: AbortSignal | undefined;
}

/**
 * Serves all items, one at a time per host, never before the host's delay is over, the host with the most work left
 * first. Within a host the order is kept. Resolves when all is done, or, after an abort, when nothing is under way.
 * Does no I/O: time and work come in as parameters, so the same code runs under a simulated clock.
 * @throws what `serve` rejects with, once nothing is under way; not after an abort
 */
export function runByHost<T>(work: HostWork<T>): Promise<void> {
  return new HostRun(work).run();
}

class HostRun<T> {
  private readonly work: HostWork<T>;
  private readonly queues: HostQueues<T>;
  private readonly end = Promise.withResolvers<void>();
  private underWay = 0;
  private failure: { error: unknown } | undefined;
  /** When we are woken next; later alarms may be set besides, and find nothing to do. */
  private alarmAtMs = Number.POSITIVE_INFINITY;

  constructor(work: HostWork<T>) {
    this.work = work;
    this.queues = new HostQueues(work);
    for (const item of work.items) this.queues.add(item);
  }

  run(): Promise<void> {
    this.work.signal?.addEventListener("abort", this.proceed, { once: true });
    this.proceed();
    return this.end.promise.finally(() => this.work.signal?.removeEventListener("abort", this.proceed));
  }

  /** Starts what may be started, and settles the run when nothing is left. */
  private readonly proceed = (): void => {
    if (!this.isStopped()) this.startTurns();
    if (this.underWay > 0) return;
    if (this.failure !== undefined) this.end.reject(this.failure.error);
    else if (this.isStopped() || this.queues.isEmpty()) this.end.resolve();
  };

  private startTurns(): void {
    const { concurrency, clock } = this.work;
    if (this.underWay >= concurrency) return;
    const nowMs = clock.now().getTime();
    while (this.underWay < concurrency) {
      const turn = this.queues.take(nowMs);
      if (turn === undefined) break;
      this.start(turn, nowMs);
    }
    const readyAtMs = this.queues.nextReadyAtMs();
    if (this.underWay < concurrency && readyAtMs !== undefined) this.wakeAt(readyAtMs, nowMs);
  }

  private start(turn: Turn<T>, startedAtMs: number): void {
    this.underWay++;
    this.work.serve(turn.item).then(
      ({ delayMs, next }) => {
        this.underWay--;
        const nowMs = this.work.clock.now().getTime();
        if (next !== undefined) this.queues.addFirst(next);
        this.queues.finish(turn, { nowMs, tookMs: nowMs - startedAtMs, delayMs });
        this.proceed();
      },
      (error) => {
        this.underWay--;
        if (!this.work.signal?.aborted) this.failure ??= { error };
        this.proceed();
      },
    );
  }

  private wakeAt(atMs: number, nowMs: number): void {
    if (this.alarmAtMs <= atMs) return;
    this.alarmAtMs = atMs;
    void this.work.clock.sleep(atMs - nowMs).then(() => {
      if (this.alarmAtMs === atMs) this.alarmAtMs = Number.POSITIVE_INFINITY;
      this.proceed();
    });
  }

  private isStopped(): boolean {
    return this.failure !== undefined || this.work.signal?.aborted === true;
  }
}
