import { claimAny, type LeasePorts } from "../../core/lease.ts";

/** The number of concurrent calls that the server can handle, as found by the original harvester. */
export const maxConcurrentCalls = 15;

/** The slots of the translation server, shared by all workers. */
export interface TranslationSlots {
  /** Claims a slot for the given time; undefined when all slots are taken. */
  claim(forMs: number): Promise<{ release(): Promise<void> } | undefined>;
}

const slotKeys = Array.from({ length: maxConcurrentCalls }, (_, slot) => `translation#${slot}`);

/** Creates the slots, with a lease for each slot. */
export function translationSlots(ports: LeasePorts & { random(): number }): TranslationSlots {
  return {
    async claim(forMs) {
      const lease = await claimAny(slotKeys, forMs, ports);
      return lease && { release: () => ports.leases.release(lease) };
    },
  };
}
