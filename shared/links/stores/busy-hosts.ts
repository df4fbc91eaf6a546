import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { BusyHostStore, BusyHosts } from "../capacity/busy-hosts.ts";

const keptDays = 1;
const itemKey = "busy-hosts";

/** Stores the busy hosts as one item. No sweep id is equal to its key. */
export function busyHostStore(): BusyHostStore {
  const items = table<BusyHosts, typeof itemKey>({
    variable: "linkSweepsTable",
    key: (sweepId) => ({ sweepId }),
    hidden: ["sweepId", "expiresAt"],
  });
  return {
    async save(busy) {
      const item = { ...busy, expiresAt: ttlAfter(busy.at, keptDays) };
      await items.putIf(itemKey, item, expression`attribute_not_exists(at) OR at <= ${busy.at}`);
    },
    latest: () => items.get(itemKey),
  };
}
