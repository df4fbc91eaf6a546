/** A binary heap: the entry with the smallest key first. Keys are numbers, kept beside their entries. */
export class Heap<Entry> {
  private readonly keys: number[] = [];
  private readonly entries: Entry[] = [];

  /** The smallest key, without taking its entry out. */
  get firstKey(): number | undefined {
    return this.keys[0];
  }

  push(key: number, entry: Entry): void {
    let at = this.keys.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((this.keys[above] as number) <= key) break;
      this.move(above, at);
      at = above;
    }
    this.keys[at] = key;
    this.entries[at] = entry;
  }

  pop(): Entry | undefined {
    const first = this.entries[0];
    const key = this.keys.pop();
    const entry = this.entries.pop();
    if (key === undefined || this.keys.length === 0) return first;
    const size = this.keys.length;
    let at = 0;
    for (let below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && (this.keys[below + 1] as number) < (this.keys[below] as number)) below++;
      if ((this.keys[below] as number) >= key) break;
      this.move(below, at);
      at = below;
    }
    this.keys[at] = key;
    this.entries[at] = entry as Entry;
    return first;
  }

  private move(from: number, to: number): void {
    this.keys[to] = this.keys[from] as number;
    this.entries[to] = this.entries[from] as Entry;
  }
}
