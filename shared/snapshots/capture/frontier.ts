import { hostKeyOf } from "../../web/address/host-key.ts";
import type { WantedUrl } from "./wanted-url.ts";

/** More queries of one path are a trap: a calendar, or a list that can be sorted in many ways. */
export const maxQueriesPerPath = 200;

/** The URLs that a capture still wants, each once, by host. Those of a host come in the order in which they were found. */
export class Frontier {
  private readonly known = new Set<string>();
  private readonly queries = new Map<string, number>();
  private readonly waiting = new Map<string, WantedUrl[]>();
  private waitingCount = 0;

  /** @returns whether it was added: it is new, and no trap */
  add(wanted: WantedUrl): boolean {
    const { url } = wanted;
    if (this.known.has(url)) return false;
    this.known.add(url);
    if (!this.admitsQuery(url)) return false;
    const host = hostKeyOf(url);
    const queue = this.waiting.get(host);
    if (queue === undefined) this.waiting.set(host, [wanted]);
    else queue.push(wanted);
    this.waitingCount += 1;
    return true;
  }

  /** Never wants a URL: it was fetched before. */
  exclude(url: string): void {
    this.known.add(url);
  }

  /** URLs that were found and not taken. */
  get size(): number {
    return this.waitingCount;
  }

  /** The hosts with URLs that were not taken. */
  hosts(): IterableIterator<string> {
    return this.waiting.keys();
  }

  /** Takes the next URL of a host. */
  take(host: string): WantedUrl | undefined {
    const queue = this.waiting.get(host);
    const wanted = queue?.shift();
    if (wanted !== undefined) this.waitingCount -= 1;
    if (queue?.length === 0) this.waiting.delete(host);
    return wanted;
  }

  private admitsQuery(url: string): boolean {
    const query = url.indexOf("?");
    if (query < 0) return true;
    const path = url.slice(0, query);
    const count = (this.queries.get(path) ?? 0) + 1;
    this.queries.set(path, count);
    return count <= maxQueriesPerPath;
  }
}
