export const noPlace = -1;

/** Places, or other numbers, found by a hash: open addressing, where the caller compares what a slot holds. */
export class PlaceTable {
  private readonly slots: Int32Array;
  private readonly shift: number;

  /** @param most numbers that it will hold */
  constructor(most: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(2 * most + 1)));
    this.slots = new Int32Array(2 ** bits).fill(noPlace);
    this.shift = 32 - bits;
  }

  clear(): void {
    this.slots.fill(noPlace);
  }

  /** The first slot to look at. The hashes of a shard have one remainder, so that their bits are mixed. */
  first(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.shift;
  }

  next(slot: number): number {
    return slot + 1 === this.slots.length ? 0 : slot + 1;
  }

  /** `noPlace` in a free slot. */
  get(slot: number): number {
    return this.slots[slot] as number;
  }

  set(slot: number, place: number): void {
    this.slots[slot] = place;
  }
}
