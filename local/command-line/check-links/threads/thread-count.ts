import { availableParallelism } from "node:os";
import { HostKeys } from "../link-origins.ts";

/** Links that are worth a thread, which takes 0.2 s to start, and as long to get quick. */
const linksPerThread = 15_000;

/** Requests per second that one thread makes with ease. */
const requestsPerSecond = 2000;

/** More wait for the one that writes the results. */
const mostThreads = 8;

/**
 * How many threads check a list: as many as were asked for, or as many as pay. One thread is enough where hosts and their
 * delays set the pace. Never more than hosts.
 */
export function threadsFor(
  urls: readonly string[],
  given: { threads: number; concurrency: number; delayMs: number },
): number {
  const { concurrency, delayMs } = given;
  if (given.threads === 1 || urls.length <= 1) return 1;
  const isAsked = given.threads > 0;
  const worth = Math.ceil(urls.length / linksPerThread);
  if (!isAsked && worth === 1) return 1;
  const keys = new HostKeys();
  const hosts = new Set(urls.map((url) => keys.of(url))).size;
  const atOnce = Math.min(hosts, concurrency);
  const pays = delayMs === 0 || (atOnce * 1000) / delayMs > requestsPerSecond;
  if (!isAsked && !pays) return 1;
  // One core is left for this thread, and for what else the machine does.
  const own = Math.min(worth, mostThreads, availableParallelism() - 1);
  return Math.max(1, Math.min(isAsked ? given.threads : own, atOnce));
}
