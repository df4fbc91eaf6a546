import { chainsMs, type Load, randomNumbers } from "./makespan-loads.ts";

/**
 * In which order the requests are put into the queue; within a host always as numbered.
 * - `host by host`: one host after the other, in no particular order of hosts
 * - `longest host first`: the same, hosts with the longest chain first
 * - `shuffled`: as if many readers wrote at once
 * - `spread`: each host's requests evenly over the whole, so that every stretch of the queue is a small copy of the load;
 *   the longest host first among equals. What a host has beyond a part is sent after all the others' parts
 */
export const orders = ["host by host", "longest host first", "shuffled", "spread"] as const;
export type Order = (typeof orders)[number];

/** The numbers of the requests, in the order of sending. */
export function sendingOrder(load: Load, order: Order): Uint32Array {
  const random = randomNumbers(1);
  if (order === "shuffled") return shuffled(load, random);
  const chains = chainsMs(load);
  const rank = order === "host by host" ? chains.map(random) : chains.map((chain) => -chain);
  const hosts = Uint32Array.from({ length: load.hosts }, (_, host) => host).sort(byKeys(rank));
  const requests = new Uint32Array(load.requests);
  let at = 0;
  for (const host of hosts) {
    for (let request = load.firstOf[host] ?? 0; request < (load.firstOf[host + 1] ?? 0); request++) {
      requests[at++] = request;
    }
  }
  // Sorting is stable: hosts that are equally far keep their rank.
  return order === "spread" ? requests.sort(byKeys(relativePositions(load))) : requests;
}

/** Hosts in random order, as often as they have requests; each brings its next one. */
function shuffled(load: Load, random: () => number): Uint32Array {
  const turns = load.hostOf.slice();
  for (let last = turns.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [turns[last], turns[other]] = [turns[other] ?? 0, turns[last] ?? 0];
  }
  const next = load.firstOf.slice();
  return turns.map((host) => {
    const request = next[host] ?? 0;
    next[host] = request + 1;
    return request;
  });
}

/** As runs are counted: in parts of at most so many requests. */
const partSize = 10_000;

/** How far along its part of its host's line each request stands: the middle of the place that it takes up. */
function relativePositions(load: Load): Float64Array {
  return Float64Array.from({ length: load.requests }, (_, request) => {
    const host = load.hostOf[request] ?? 0;
    const [from, to] = [load.firstOf[host] ?? 0, load.firstOf[host + 1] ?? 0];
    const part = Math.floor((request - from) / partSize);
    const partFrom = from + part * partSize;
    return part + (request - partFrom + 0.5) / Math.min(partSize, to - partFrom);
  });
}

function byKeys(keys: ArrayLike<number>) {
  return (one: number, other: number) => (keys[one] ?? 0) - (keys[other] ?? 0);
}
