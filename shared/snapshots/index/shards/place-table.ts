export const noPlace = -1;

/** Places, or other numbers, found by a hash: open addressing, where the caller compares what a slot holds. */
export class PlaceTable {
  private readonly memory: Int32Array;
  private slots: Int32Array;
  private shift: number;

  /** @param most numbers that it will hold */
  constructor(most: number) {
    const bits = bitsFor(most);
    this.memory = new Int32Array(2 ** bits).fill(noPlace);
    this.slots = this.memory;
    this.shift = 32 - bits;
  }

  /** Empties it, for not more numbers than at first. It takes time by what it will hold, not by what it may. */
  reset(most: number): void {
    const bits = bitsFor(most);
    this.slots = this.memory.subarray(0, 2 ** bits).fill(noPlace);
    this.shift = 32 - bits;
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

function bitsFor(most: number): number {
  return Math.max(4, Math.ceil(Math.log2(2 * most + 1)));
}
