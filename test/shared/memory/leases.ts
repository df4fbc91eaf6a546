import { isInForce, type Lease, type LeaseStore, leaseAfterClaim } from "../../../shared/core/lease.ts";
import type { Write } from "./writes.ts";

/** Leases in memory. */
export function memoryLeases(write: Write = async (work) => work()): LeaseStore {
  const leases = new Map<string, Lease>();
  return {
    claim: (lease, nowMs) =>
      write(() => {
        const inForce = leaseAfterClaim(leases.get(lease.key), lease, nowMs);
        leases.set(lease.key, inForce);
        return inForce;
      }),
    release: ({ key, holder }) =>
      write(() => {
        if (leases.get(key)?.holder === holder) leases.delete(key);
      }),
    leasedKeys: async (keys, nowMs) => new Set(keys.filter((key) => isInForce(leases.get(key), nowMs))),
  };
}
