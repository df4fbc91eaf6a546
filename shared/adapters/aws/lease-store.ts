import type { Lease, LeaseStore } from "../../core/lease.ts";
import { isInForce } from "../../core/lease.ts";
import { deleteIf, getAll, getItem, putIf, ttlAfter } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** DynamoDB deletes the lease of a dead holder this long after its end. */
const keptDays = 1;

type LeaseItem = Lease & { expiresAt: number };

/** One item per lease: partition key `key`. */
export function leaseStore(): LeaseStore {
  const TableName = variable("leasesTable");
  return {
    async claim(lease, nowMs) {
      for (;;) {
        const isClaimed = await putIf({
          TableName,
          Item: { ...lease, expiresAt: ttlAfter(new Date(lease.untilMs).toISOString(), keptDays) },
          // A holder extends its lease.
          ConditionExpression: "attribute_not_exists(holder) OR untilMs <= :now OR holder = :holder",
          ExpressionAttributeValues: { ":now": nowMs, ":holder": lease.holder },
        });
        if (isClaimed) return lease;
        const stored = await getItem<LeaseItem>({ TableName, Key: { key: lease.key }, ConsistentRead: true });
        // One that was released meanwhile is claimed again.
        if (stored !== undefined) return toLease(stored);
      }
    },
    async release({ key, holder }) {
      await deleteIf({
        TableName,
        Key: { key },
        ConditionExpression: "holder = :holder",
        ExpressionAttributeValues: { ":holder": holder },
      });
    },
    async leasedKeys(keys, nowMs) {
      const leases = await getAll<LeaseItem>(TableName, { Keys: keys.map((key) => ({ key })) });
      return new Set(leases.filter((lease) => isInForce(lease, nowMs)).map(({ key }) => key));
    },
  };
}

function toLease({ expiresAt: _expiresAt, ...lease }: LeaseItem): Lease {
  return lease;
}
