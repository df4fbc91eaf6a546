import { HostKeys } from "../link-origins.ts";

/** Which of several servers each host belongs to. A host belongs to one of them permanently. */
export class HostDivision {
  private readonly owners = new Map<string, number>();
  private readonly loads: number[];

  constructor(count: number) {
    this.loads = new Array(count).fill(0);
  }

  /** Divides URLs by host, such that each part has about as many. */
  divide(urls: readonly string[]): string[][] {
    const keys = new HostKeys();
    const byHost = Map.groupBy(urls, (url) => keys.of(url));
    const parts: string[][] = this.loads.map(() => []);
    for (const [key, own] of [...byHost].sort(([, a], [, b]) => b.length - a.length)) {
      parts[this.assign(key, own.length)]?.push(...own);
    }
    return parts;
  }

  /** The owner of a host; one that is new goes to the owner with the least load. */
  ownerOf(hostKey: string): number {
    return this.owners.get(hostKey) ?? this.assign(hostKey, 1);
  }

  private assign(hostKey: string, load: number): number {
    const least = this.loads.reduce((a, b, at, loads) => (b < (loads[a] as number) ? at : a), 0);
    this.loads[least] = (this.loads[least] as number) + load;
    this.owners.set(hostKey, least);
    return least;
  }
}
