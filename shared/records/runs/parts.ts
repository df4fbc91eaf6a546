import type { RunStore } from "./run-store.ts";

/**
 * The number of items in one part. A part has a few megabytes of JSON, and a stage holds at most one part of a list at
 * a time.
 */
export const itemsInPart = 1000;

/** A list that may not fit in memory: the keys of its parts, in order. Each part is an object. */
export interface Parts {
  keys: string[];
  /** The number of items in all parts. */
  count: number;
}

/** Writes a list in parts. The same items yield the same parts. */
export class PartWriter<Item extends object> {
  private readonly runId: string;
  private readonly runs: Pick<RunStore, "storePart">;
  private readonly partSize: number;
  private readonly keys: string[] = [];
  private pending: Item[] = [];
  private storedCount = 0;

  constructor(runId: string, runs: Pick<RunStore, "storePart">, partSize = itemsInPart) {
    this.runId = runId;
    this.runs = runs;
    this.partSize = partSize;
  }

  get count(): number {
    return this.storedCount + this.pending.length;
  }

  async add(items: readonly Item[]): Promise<void> {
    for (const item of items) {
      this.pending.push(item);
      if (this.pending.length >= this.partSize) await this.flush();
    }
  }

  async finish(): Promise<Parts> {
    if (this.pending.length > 0) await this.flush();
    return { keys: this.keys, count: this.storedCount };
  }

  private async flush(): Promise<void> {
    this.keys.push(await this.runs.storePart(this.runId, this.pending));
    this.storedCount += this.pending.length;
    this.pending = [];
  }
}

/** Joins the parts of several lists into one list, in order. */
export function joinParts(lists: readonly (Parts | undefined)[]): Parts {
  return {
    keys: lists.flatMap((list) => list?.keys ?? []),
    count: lists.reduce((sum, list) => sum + (list?.count ?? 0), 0),
  };
}

/** Yields the items, one part at a time. */
export async function* readParts<Item>(
  parts: Parts | undefined,
  runs: Pick<RunStore, "loadPart">,
): AsyncGenerator<Item[]> {
  for (const key of parts?.keys ?? []) yield await runs.loadPart<Item>(key);
}
