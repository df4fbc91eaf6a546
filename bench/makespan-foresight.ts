import { Heap } from "../shared/web/scheduler/heap.ts";
import { chainsMs, type Load } from "./makespan-loads.ts";

interface Moment {
  atMs: number;
  host: number;
}

/**
 * How long a load takes when everybody knows in advance what each request will take: the host with the longest time left
 * comes first. For loads in which no request is tried twice.
 */
export function makespanWithForesightMs(load: Load, concurrency: number): number {
  const leftMs = chainsMs(load);
  const next = load.firstOf.slice();
  const ready = new Heap<number>((a, b) => (leftMs[a] ?? 0) > (leftMs[b] ?? 0));
  const [waiting, underWay] = [new Heap<Moment>(isEarlier), new Heap<Moment>(isEarlier)];
  for (let host = 0; host < load.hosts; host++) ready.push(host);
  let nowMs = 0;
  for (;;) {
    while (underWay.size < concurrency) {
      const host = ready.shift();
      if (host === undefined) break;
      const request = next[host] ?? 0;
      const serviceMs = load.serviceMs[request] ?? 0;
      next[host] = request + 1;
      leftMs[host] = (leftMs[host] ?? 0) - serviceMs - load.delayMs;
      underWay.push({ atMs: nowMs + serviceMs, host });
    }
    const times = [underWay, waiting].flatMap((moments) => moments.first()?.atMs ?? []);
    if (times.length === 0) return nowMs;
    nowMs = Math.min(...times);
    for (const { host } of dueOf(underWay, nowMs)) {
      if (next[host] !== load.firstOf[host + 1]) waiting.push({ atMs: nowMs + load.delayMs, host });
    }
    for (const { host } of dueOf(waiting, nowMs)) ready.push(host);
  }
}

function* dueOf(moments: Heap<Moment>, nowMs: number): Generator<Moment> {
  for (let first = moments.first(); first !== undefined && first.atMs <= nowMs; first = moments.first()) {
    moments.shift();
    yield first;
  }
}

function isEarlier(a: Moment, b: Moment): boolean {
  return a.atMs < b.atMs;
}
