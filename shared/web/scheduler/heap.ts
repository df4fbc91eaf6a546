/** A binary heap. The relative order of two items must not change while both are in the heap. */
export class Heap<T> {
  private readonly items: T[] = [];
  private readonly isBefore: (a: T, b: T) => boolean;

  /** @param isBefore whether `a` leaves the heap before `b` */
  constructor(isBefore: (a: T, b: T) => boolean) {
    this.isBefore = isBefore;
  }

  get size(): number {
    return this.items.length;
  }

  first(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    let at = this.items.length;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = this.items[parentAt] as T;
      if (!this.isBefore(item, parent)) break;
      this.items[at] = parent;
      at = parentAt;
    }
    this.items[at] = item;
  }

  /** Removes and returns the first item. */
  shift(): T | undefined {
    const first = this.items[0];
    const last = this.items.pop();
    if (last !== undefined && this.items.length > 0) this.sink(last);
    return first;
  }

  private sink(item: T): void {
    const { length } = this.items;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      if (childAt >= length) break;
      const right = childAt + 1;
      if (right < length && this.isBefore(this.items[right] as T, this.items[childAt] as T)) childAt = right;
      const child = this.items[childAt] as T;
      if (!this.isBefore(child, item)) break;
      this.items[at] = child;
      at = childAt;
    }
    this.items[at] = item;
  }
}
