import { type Write, writeNow } from "../../../local/cli/memory/write.ts";
import { isInForce, type Lease, type LeaseStore } from "../../../shared/core/lease.ts";

/** Leases in memory. */
export function memoryLeases(write: Write = writeNow): LeaseStore {
  const leases = new Map<string, Lease>();
  return {
    claim: (lease, nowMs) =>
      write(() => {
        const stored = leases.get(lease.key);
        if (stored !== undefined && isInForce(stored, nowMs) && stored.holder !== lease.holder) return stored;
        leases.set(lease.key, lease);
        return lease;
      }),
    release: ({ key, holder }) =>
      write(() => {
        if (leases.get(key)?.holder === holder) leases.delete(key);
      }),
    leasedKeys: async (keys, nowMs) => new Set(keys.filter((key) => isInForce(leases.get(key), nowMs))),
  };
}
