/**
 * Finds the keys of a long list that may occur twice, in 32 bits per key and without storing the keys. Every repeated
 * key is found. About 6 of 100 single keys are also found.
 */
export class RepeatedKeys {
  private readonly once: Uint8Array;
  private readonly twice: Uint8Array;
  private readonly mask: number;

  /**
   * Prepares for a number of keys.
   * @param expected the expected number of keys; with more keys, more single keys are found
   */
  constructor(expected: number) {
    const bits = 2 ** Math.min(30, Math.ceil(Math.log2(Math.max(expected * 16, 1024))));
    this.mask = bits - 1;
    this.once = new Uint8Array(bits / 8);
    this.twice = new Uint8Array(bits / 8);
  }

  add(key: string): void {
    const { place, bit } = this.bitOf(key);
    if (((this.once[place] as number) & bit) !== 0) this.twice[place] = (this.twice[place] as number) | bit;
    this.once[place] = (this.once[place] as number) | bit;
  }

  has(key: string): boolean {
    const { place, bit } = this.bitOf(key);
    return ((this.twice[place] as number) & bit) !== 0;
  }

  private bitOf(key: string): { place: number; bit: number } {
    const index = hash(key) & this.mask;
    return { place: index >>> 3, bit: 1 << (index & 7) };
  }
}

/**
 * Computes the FNV-1a hash of the UTF-16 units, followed by the last mixing step of MurmurHash3.
 * @see http://www.isthe.com/chongo/tech/comp/fnv/
 */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
