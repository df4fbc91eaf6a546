import type { RunStore } from "../../ports.ts";

/** Items in one part: a few megabytes of JSON, and the most that a stage holds of a list at a time. */
const itemsInPart = 1000;

/** A list that may be longer than memory: its parts, each an object of its own, in order. */
export interface Parts {
  keys: string[];
  /** Items in all parts. */
  count: number;
}

/** Gathers a list item by item and keeps it part by part. The same items come to the same parts. */
export class PartWriter<Item extends object> {
  private readonly runId: string;
  private readonly runs: Pick<RunStore, "keepPart">;
  private readonly keys: string[] = [];
  private pending: Item[] = [];
  private kept = 0;

  constructor(runId: string, runs: Pick<RunStore, "keepPart">) {
    this.runId = runId;
    this.runs = runs;
  }

  get count(): number {
    return this.kept + this.pending.length;
  }

  async add(items: readonly Item[]): Promise<void> {
    for (const item of items) {
      this.pending.push(item);
      if (this.pending.length >= itemsInPart) await this.keep();
    }
  }

  async end(): Promise<Parts> {
    if (this.pending.length > 0) await this.keep();
    return { keys: this.keys, count: this.kept };
  }

  private async keep(): Promise<void> {
    this.keys.push(await this.runs.keepPart(this.runId, this.pending));
    this.kept += this.pending.length;
    this.pending = [];
  }
}

/** The items, one part at a time. */
export async function* readParts<Item>(
  parts: Parts | undefined,
  runs: Pick<RunStore, "part">,
): AsyncGenerator<Item[]> {
  for (const key of parts?.keys ?? []) yield await runs.part<Item>(key);
}
