import { digest } from "../../core/digest.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { WantedUrl } from "./wanted-url.ts";

/**
 * The maximum number of queries per path. More of them indicate a crawler trap: a calendar, or a list that
 * can be sorted in many ways.
 */
export const maxQueriesPerPath = 200;

/**
 * The URLs of a host, and how many of the first are taken. Removing the first element of a list of millions
 * would move all others.
 */
interface Queue {
  urls: WantedUrl[];
  taken: number;
}

const forgottenAtOnce = 1000;

/**
 * The URLs that a capture must still request, each once, by host. The URLs of a host are in the order in
 * which they were found. A URL that was requested, or that waits, takes up to 150 bytes of memory, however long it is;
 * one that waits takes its own text and that of its referrer in addition.
 */
export class Frontier {
  /** The digests of URLs. */
  private readonly known = new Set<string>();
  /** The numbers of queries, by the digests of their paths. */
  private readonly queries = new Map<string, number>();
  private readonly waiting = new Map<string, Queue>();
  private waitingCount = 0;

  /** Adds a URL. @returns whether it was added: it is new and not a trap */
  add(wanted: WantedUrl): boolean {
    const { url } = wanted;
    const key = digest(url);
    if (this.known.has(key)) return false;
    this.known.add(key);
    if (!this.admitsQuery(url)) return false;
    const host = hostKeyOf(url);
    const queue = this.waiting.get(host);
    if (queue === undefined) this.waiting.set(host, { urls: [wanted], taken: 0 });
    else queue.urls.push(wanted);
    this.waitingCount += 1;
    return true;
  }

  /** Excludes a URL permanently, because it was fetched before. */
  exclude(url: string): void {
    this.known.add(digest(url));
  }

  /** The number of URLs that were found but not taken. */
  get size(): number {
    return this.waitingCount;
  }

  /** Returns the hosts with URLs that were not taken. */
  hosts(): IterableIterator<string> {
    return this.waiting.keys();
  }

  /** Takes the next URL of a host. */
  take(host: string): WantedUrl | undefined {
    const queue = this.waiting.get(host);
    if (queue === undefined) return undefined;
    const wanted = queue.urls[queue.taken];
    queue.taken += 1;
    this.waitingCount -= 1;
    if (queue.taken === queue.urls.length) this.waiting.delete(host);
    else if (queue.taken >= forgottenAtOnce && 2 * queue.taken >= queue.urls.length) {
      queue.urls.splice(0, queue.taken);
      queue.taken = 0;
    }
    return wanted;
  }

  private admitsQuery(url: string): boolean {
    const query = url.indexOf("?");
    if (query < 0) return true;
    const path = digest(url.slice(0, query));
    const count = (this.queries.get(path) ?? 0) + 1;
    this.queries.set(path, count);
    return count <= maxQueriesPerPath;
  }
}
