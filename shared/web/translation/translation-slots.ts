import { claimAny, type LeasePorts } from "../../core/lease.ts";

/** Concurrent calls that the server handles, as found by the original harvester. */
export const maxConcurrentCalls = 15;

/** The slots of the translation server, shared by all workers. */
export interface TranslationSlots {
  /** Claims a slot for a time; undefined when all are taken. */
  claim(forMs: number): Promise<{ release(): Promise<void> } | undefined>;
}

const slotKeys = Array.from({ length: maxConcurrentCalls }, (_, slot) => `translation#${slot}`);

/** A lease for each slot. */
export function translationSlots(ports: LeasePorts & { random(): number }): TranslationSlots {
  return {
    async claim(forMs) {
      const lease = await claimAny(slotKeys, forMs, ports);
      return lease && { release: () => ports.leases.release(lease) };
    },
  };
}
