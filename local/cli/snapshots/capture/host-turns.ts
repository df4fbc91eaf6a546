import { crc32 } from "node:zlib";

/** The number of slots. Hosts that share a slot wait for each other. */
const slotCount = 4096;

/**
 * Permits one exchange at a time per host, across all threads. A thread also requests a host of another
 * thread if a robots.txt redirects to it.
 */
export class HostTurns {
  private readonly slots: Int32Array<SharedArrayBuffer>;

  /** Creates the turns of one thread. @param slots memory that the threads share: `HostTurns.slots()` */
  constructor(slots: Int32Array<SharedArrayBuffer>) {
    this.slots = slots;
  }

  static slots(): Int32Array<SharedArrayBuffer> {
    return new Int32Array(new SharedArrayBuffer(slotCount * Int32Array.BYTES_PER_ELEMENT));
  }

  /** Does the work when no other work for this host is in progress. */
  async take<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    const { slots } = this;
    const slot = crc32(host) % slots.length;
    while (Atomics.compareExchange(slots, slot, 0, 1) !== 0) {
      const freed = Atomics.waitAsync(slots, slot, 1);
      if (freed.async) await freed.value;
    }
    try {
      return await work();
    } finally {
      Atomics.store(slots, slot, 0);
      Atomics.notify(slots, slot, 1);
    }
  }
}
