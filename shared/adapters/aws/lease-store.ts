import type { Lease, LeaseStore } from "../../core/lease.ts";
import { isInForce } from "../../core/lease.ts";
import { ttlAfter } from "./dynamodb.ts";
import { expression } from "./expression.ts";
import { table } from "./table.ts";

/** The number of days after which DynamoDB deletes the expired lease of a dead holder. */
const keptDays = 1;

/** Stores leases, with one item per lease. */
export function leaseStore(): LeaseStore {
  const leases = table<Lease>({ variable: "leasesTable", key: (key) => ({ key }), hidden: ["expiresAt"] });
  return {
    async claim(lease, nowMs) {
      for (;;) {
        const { key, holder, untilMs } = lease;
        const expiresAt = ttlAfter(new Date(untilMs).toISOString(), keptDays);
        // The last alternative lets a holder extend its own lease.
        const isFree = expression`attribute_not_exists(holder) OR untilMs <= ${nowMs} OR holder = ${holder}`;
        if (await leases.putIf(key, { ...lease, expiresAt }, isFree)) return lease;
        const stored = await leases.get(key);
        // A lease that was released in the meantime is claimed again.
        if (stored !== undefined) return stored;
      }
    },
    async release({ key, holder }) {
      await leases.deleteIf(key, expression`holder = ${holder}`);
    },
    async leasedKeys(keys, nowMs) {
      const stored = await leases.getMany(keys, { isConsistent: false });
      return new Set(stored.filter((lease) => isInForce(lease, nowMs)).map(({ key }) => key));
    },
  };
}
