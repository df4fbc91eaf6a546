/** Requests by host, with what each costs: given in advance, so that the shortest possible time is known exactly. */
export interface Load {
  hosts: number;
  requests: number;
  /** The number of each host's first request; one entry more than there are hosts. Requests of a host are consecutive. */
  firstOf: Uint32Array;
  hostOf: Uint32Array;
  /** How long each exchange lasts. */
  serviceMs: Uint32Array;
  /** 1 where the host first asks for patience (503), and answers at the second try. */
  busyOnce: Uint8Array;
  /** From the end of an exchange to the start of the next. */
  delayMs: number;
  /** The same after an answer that asks for patience. */
  backoffMs: number;
}

export const shapes = ["uniform", "Zipf", "giant"] as const;
export type Shape = (typeof shapes)[number];

export interface LoadSettings {
  shape: Shape;
  requests: number;
  hosts: number;
  delayMs: number;
  backoffMs: number;
  /** The share of requests that are answered 503 at first. */
  busyShare: number;
}

/** Hosts answer in 300 ms at the median; one in a hundred takes about ten times as long. */
const medianServiceMs = 300;
const spreadOverHosts = 1;
const spreadOverRequests = 0.3;

export function createLoad(settings: LoadSettings): Load {
  const random = randomNumbers(settings.requests + settings.hosts);
  const sizes = sizesOf(settings);
  const hosts = sizes.length;
  const requests = sizes.reduce((sum, size) => sum + size, 0);
  const load: Load = {
    hosts,
    requests,
    firstOf: new Uint32Array(hosts + 1),
    hostOf: new Uint32Array(requests),
    serviceMs: new Uint32Array(requests),
    busyOnce: new Uint8Array(requests),
    delayMs: settings.delayMs,
    backoffMs: settings.backoffMs,
  };
  let request = 0;
  for (const [host, size] of sizes.entries()) {
    load.firstOf[host] = request;
    const hostMs = medianServiceMs * Math.exp(spreadOverHosts * normal(random));
    for (const end = request + size; request < end; request++) {
      load.hostOf[request] = host;
      load.serviceMs[request] = Math.ceil(hostMs * Math.exp(spreadOverRequests * normal(random)));
      load.busyOnce[request] = random() < settings.busyShare ? 1 : 0;
    }
  }
  load.firstOf[hosts] = requests;
  return load;
}

/** How many requests each host has. One giant has half of them; by Zipf's law the k-th host has a share of 1/k. */
function sizesOf({ shape, requests, hosts }: LoadSettings): number[] {
  if (shape === "uniform") return Array(hosts).fill(requests / hosts);
  if (shape === "giant")
    return [requests / 2, ...Array(hosts - 1).fill(Math.ceil(requests / 2 / (hosts - 1)))];
  const ranks = Array.from({ length: hosts }, (_, at) => 1 / (at + 1));
  const whole = ranks.reduce((sum, share) => sum + share, 0);
  return ranks.map((share) => Math.max(1, Math.round((requests * share) / whole)));
}

/** How long the requests of each host take at least, one after the other: exchanges and the gaps between them. */
export function chainsMs(load: Load): Float64Array {
  const chains = new Float64Array(load.hosts);
  const againMs = Math.max(load.delayMs, load.backoffMs);
  for (let host = 0; host < load.hosts; host++) {
    const [from, to] = [load.firstOf[host] ?? 0, load.firstOf[host + 1] ?? 0];
    let chainMs = (to - from - 1) * load.delayMs;
    for (let request = from; request < to; request++) {
      chainMs += exchangesMs(load, request) + (load.busyOnce[request] === 1 ? againMs : 0);
    }
    chains[host] = chainMs;
  }
  return chains;
}

/** No order of work is shorter: the longest host one request at a time, or all exchanges spread over the workers. */
export function shortestMs(load: Load, workers: number): number {
  let totalMs = 0;
  for (let request = 0; request < load.requests; request++) totalMs += exchangesMs(load, request);
  return Math.max(
    chainsMs(load).reduce((longest, chain) => Math.max(longest, chain), 0),
    totalMs / workers,
  );
}

function exchangesMs(load: Load, request: number): number {
  return (load.serviceMs[request] ?? 0) * (load.busyOnce[request] === 1 ? 2 : 1);
}

/** The mulberry32 generator: the same numbers for the same seed, in [0, 1). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @see https://en.wikipedia.org/wiki/Box%E2%80%93Muller_transform */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
