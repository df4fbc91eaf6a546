import { chainsMs, type Load, randomNumbers } from "./makespan-loads.ts";

/**
 * The order in which requests are sent to the queue. Requests of a host stay in the order of their numbers.
 * - `host by host`: one host after the other, in no particular order of hosts
 * - `longest host first`: the same, hosts with the longest minimum time first
 * - `shuffled`: random, as if many readers sent at the same time
 * - `spread`: each host's requests spread evenly over the whole; the longest host first among equals. Of each host, 10,000
 *   requests are sent at most before the next 10,000
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
  let index = 0;
  for (const host of hosts) {
    for (let request = load.firstOf[host] ?? 0; request < (load.firstOf[host + 1] ?? 0); request++) {
      requests[index++] = request;
    }
  }
  // The sort is stable: hosts at equal positions keep their rank.
  return order === "spread" ? requests.sort(byKeys(relativePositions(load))) : requests;
}

/** A random permutation of hosts, each as often as it has requests. Each occurrence stands for the host's next request. */
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

/** The largest number of a host's requests that are spread together. */
const blockSize = 10_000;

/** The relative position of each request in its block of its host's requests, plus the number of the block. */
function relativePositions(load: Load): Float64Array {
  return Float64Array.from({ length: load.requests }, (_, request) => {
    const host = load.hostOf[request] ?? 0;
    const [from, to] = [load.firstOf[host] ?? 0, load.firstOf[host + 1] ?? 0];
    const block = Math.floor((request - from) / blockSize);
    const blockFrom = from + block * blockSize;
    return block + (request - blockFrom + 0.5) / Math.min(blockSize, to - blockFrom);
  });
}

function byKeys(keys: ArrayLike<number>) {
  return (one: number, other: number) => (keys[one] ?? 0) - (keys[other] ?? 0);
}
