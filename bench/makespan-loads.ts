/** Requests by host, with their durations. As these are fixed in advance, the shortest possible time is known. */
export interface Load {
  hosts: number;
  requests: number;
  /** The number of each host's first request; one entry more than there are hosts. Requests of a host are consecutive. */
  firstOf: Uint32Array;
  hostOf: Uint32Array;
  /** The duration of each exchange. */
  serviceMs: Uint32Array;
  /** 1 for requests whose first attempt gets a 503. The second attempt succeeds. */
  busyOnce: Uint8Array;
  /** From the end of an exchange to the start of the host's next one. */
  delayMs: number;
  /** The same after a 503. */
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
  /** The standard deviation of the logarithm of the hosts' response times. At 1, one host in a hundred is ten times slower. */
  hostSpread: number;
  /** The share of requests that are answered 503 at first. */
  busyShare: number;
  /** The random seed; 0 when absent. */
  draw?: number;
}

/**
 * The median response time of hosts. The first host, which has the most requests, has exactly this one, so that the shape
 * decides the result, not chance.
 */
const medianServiceMs = 300;
const spreadOverRequests = 0.3;

export function createLoad(settings: LoadSettings): Load {
  const random = randomNumbers(settings.requests + settings.hosts + 1_000_003 * (settings.draw ?? 0));
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
    const hostMs = medianServiceMs * (host === 0 ? 1 : Math.exp(settings.hostSpread * normal(random)));
    for (const end = request + size; request < end; request++) {
      load.hostOf[request] = host;
      load.serviceMs[request] = Math.ceil(hostMs * Math.exp(spreadOverRequests * normal(random)));
      load.busyOnce[request] = random() < settings.busyShare ? 1 : 0;
    }
  }
  load.firstOf[hosts] = requests;
  return load;
}

/** The number of requests of each host. A giant has half of all; by Zipf's law, the k-th host has a share of 1/k. */
function sizesOf({ shape, requests, hosts }: LoadSettings): number[] {
  if (shape === "uniform") return evenly(requests, hosts);
  if (shape === "giant") return [requests / 2, ...evenly(requests / 2, hosts - 1)];
  const ranks = Array.from({ length: hosts }, (_, at) => 1 / (at + 1));
  const whole = ranks.reduce((sum, share) => sum + share, 0);
  return ranks.map((share) => Math.max(1, Math.round((requests * share) / whole)));
}

function evenly(requests: number, hosts: number): number[] {
  return Array.from({ length: hosts }, (_, host) => Math.floor((requests + host) / hosts));
}

/** The minimum time of each host's requests, one after the other: exchanges and the delays between them. */
export function chainsMs(load: Load): Float64Array {
  const chains = new Float64Array(load.hosts);
  const againMs = Math.max(load.delayMs, load.backoffMs);
  for (let host = 0; host < load.hosts; host++) {
    const [from, to] = [load.firstOf[host] ?? 0, load.firstOf[host + 1] ?? 0];
    let chainMs = (to - from - 1) * load.delayMs;
    for (let request = from; request < to; request++) {
      const tries = triesOf(load, request);
      chainMs += tries * (load.serviceMs[request] ?? 0) + (tries - 1) * againMs;
    }
    chains[host] = chainMs;
  }
  return chains;
}

/**
 * A lower bound for any order of work: the longest host, one request at a time, or all exchanges divided by the workers. A
 * single worker also delays the longest host by the time that any other exchange exceeds the delay.
 */
export function shortestMs(load: Load, workers: number): number {
  const chains = chainsMs(load);
  const longest = chains.indexOf(chains.reduce((most, chainMs) => Math.max(most, chainMs), 0));
  let totalMs = 0;
  let heldUpMs = 0;
  for (let request = 0; request < load.requests; request++) {
    const tries = triesOf(load, request);
    const serviceMs = load.serviceMs[request] ?? 0;
    totalMs += tries * serviceMs;
    if (load.hostOf[request] !== longest) heldUpMs += tries * Math.max(0, serviceMs - load.delayMs);
  }
  const chainMs = (chains[longest] ?? 0) + (workers === 1 ? heldUpMs : 0);
  return Math.max(chainMs, totalMs / workers);
}

function triesOf(load: Load, request: number): number {
  return load.busyOnce[request] === 1 ? 2 : 1;
}

/** The mulberry32 generator: numbers in [0, 1), determined by the seed. */
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
