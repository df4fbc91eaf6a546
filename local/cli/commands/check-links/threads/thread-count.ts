import { availableParallelism } from "node:os";
import { HostKeys } from "../link-origins.ts";

/**
 * The number of links that justifies another thread. A thread takes 0.2 s to load its code, and another 0.2 s
 * to reach full speed.
 */
const linksPerThread = 25_000;

/** The number of requests per second that one thread can make without saturation. */
const requestsPerSecond = 2000;

/** The maximum number of threads. More threads would only wait for the thread that writes the results. */
const mostThreads = 8;

interface Given {
  /** The requested number of threads; 0 chooses it automatically. */
  threads: number;
  concurrency: number;
  delayMs: number;
}

/**
 * Returns how many threads check a list: the requested number or, for 0, as many as save time; never more
 * than there are hosts. One thread is enough if the delays of the hosts limit the speed.
 */
export function threadsFor(urls: readonly string[], given: Given): number {
  if (threadsWorth(urls.length, given) === 1) return 1;
  const keys = new HostKeys();
  const hosts = new Set(urls.map((url) => keys.of(url))).size;
  return threadsWorth(urls.length, { ...given, concurrency: Math.min(hosts, given.concurrency) });
}

/**
 * Returns how many threads save time for a number of links, assuming at least as many hosts as are requested
 * in parallel.
 */
export function threadsWorth(links: number, { threads, concurrency, delayMs }: Given): number {
  if (threads === 1 || links <= 1) return 1;
  if (threads > 0) return Math.min(threads, concurrency);
  const pays = delayMs === 0 || (concurrency * 1000) / delayMs > requestsPerSecond;
  if (!pays) return 1;
  // One core is left for this thread and for other work of the machine.
  const own = Math.min(Math.ceil(links / linksPerThread), mostThreads, availableParallelism() - 1);
  return Math.max(1, Math.min(own, concurrency));
}
