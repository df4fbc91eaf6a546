export const noPlace = -1;

/**
 * Offsets or other numbers, found by a hash with open addressing. The caller compares the content of a slot.
 */
export class PlaceTable {
  private readonly memory: Int32Array;
  private slots: Int32Array;
  private shift: number;

  /** @param most the maximum number of entries */
  constructor(most: number) {
    const bits = bitsFor(most);
    this.memory = new Int32Array(2 ** bits).fill(noPlace);
    this.slots = this.memory;
    this.shift = 32 - bits;
  }

  /**
   * Empties the table for at most the original number of entries. The time depends on the new number, not on
   * the original one.
   */
  reset(most: number): void {
    const bits = bitsFor(most);
    this.slots = this.memory.subarray(0, 2 ** bits).fill(noPlace);
    this.shift = 32 - bits;
  }

  /** Returns the first slot to check. The hashes of a shard share one remainder, so their bits are mixed. */
  first(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.shift;
  }

  next(slot: number): number {
    return slot + 1 === this.slots.length ? 0 : slot + 1;
  }

  /** Returns the content of a slot; `noPlace` if it is free. */
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
