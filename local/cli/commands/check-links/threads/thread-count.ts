import { availableParallelism } from "node:os";
import { HostKeys } from "../link-origins.ts";

/** Links that are worth a thread: each takes 0.2 s to load its code, and as long to get quick. */
const linksPerThread = 25_000;

/** Requests per second that one thread makes with ease. */
const requestsPerSecond = 2000;

/** More wait for the one that writes the results. */
const mostThreads = 8;

interface Given {
  /** 0: as many as pay. */
  threads: number;
  concurrency: number;
  delayMs: number;
}

/**
 * How many threads check a list: as many as were asked for, or as many as pay. One thread is enough where hosts and their
 * delays set the pace. Never more than hosts.
 */
export function threadsFor(urls: readonly string[], given: Given): number {
  if (threadsWorth(urls.length, given) === 1) return 1;
  const keys = new HostKeys();
  const hosts = new Set(urls.map((url) => keys.of(url))).size;
  return threadsWorth(urls.length, { ...given, concurrency: Math.min(hosts, given.concurrency) });
}

/** The same for a number of links, on at least as many hosts as are requested at once. */
export function threadsWorth(links: number, { threads, concurrency, delayMs }: Given): number {
  if (threads === 1 || links <= 1) return 1;
  if (threads > 0) return Math.min(threads, concurrency);
  const pays = delayMs === 0 || (concurrency * 1000) / delayMs > requestsPerSecond;
  if (!pays) return 1;
  // One core is left for this thread, and for what else the machine does.
  const own = Math.min(Math.ceil(links / linksPerThread), mostThreads, availableParallelism() - 1);
  return Math.max(1, Math.min(own, concurrency));
}
