/** The initial number of slots, a power of two. */
const firstSlots = 1 << 12;

/**
 * A set of identifiers that takes 16 to 32 bytes per identifier, because it stores 64-bit hashes instead of
 * texts. Among three million identifiers, the probability that two share a hash is one in four million.
 */
export class IdentifierSet {
  private slots = new Uint32Array(2 * firstSlots);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** @returns whether the identifier is new */
  add(identifier: string): boolean {
    let high = 0x9e3779b9;
    let low = 0x85ebca6b;
    for (let at = 0; at < identifier.length; at++) {
      const unit = identifier.charCodeAt(at);
      high = Math.imul(high ^ unit, 0x5bd1e995);
      high ^= high >>> 15;
      low = Math.imul(low ^ unit, 0xc2b2ae35);
      low ^= low >>> 13;
    }
    // A slot with two zeros is free.
    if (!insert(this.slots, high >>> 0 || 1, low >>> 0)) return false;
    this.count += 1;
    if (2 * this.count > this.slots.length / 2) this.grow();
    return true;
  }

  private grow(): void {
    const larger = new Uint32Array(2 * this.slots.length);
    for (let at = 0; at < this.slots.length; at += 2) {
      const high = this.slots[at] ?? 0;
      if (high !== 0) insert(larger, high, this.slots[at + 1] ?? 0);
    }
    this.slots = larger;
  }
}

/** Inserts a hash. @returns whether the hash was absent */
function insert(slots: Uint32Array, high: number, low: number): boolean {
  const mask = slots.length / 2 - 1;
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = 2 * slot;
    if (slots[at] === 0) {
      slots[at] = high;
      slots[at + 1] = low;
      return true;
    }
    if (slots[at] === high && slots[at + 1] === low) return false;
  }
}
