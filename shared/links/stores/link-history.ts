import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { historyDays, type LinkHistory, type PastCheck } from "../check/check-history.ts";

/** Stores the checks of records, sorted by time. */
export function linkHistory(): LinkHistory {
  const checks = table<{ value: PastCheck }, PastCheck>({
    variable: "linkChecksTable",
    key: ({ recordId, requestedAt, checkId }) => ({ recordId, check: `${requestedAt}#${checkId}` }),
  });
  return {
    async add(check) {
      await checks.putNew(check, { value: check, expiresAt: ttlAfter(check.requestedAt, historyDays) });
    },
    // Several pages may be read: a page of a query ends at 1 MB, and one check may contain ten long URLs.
    async latest(recordId, limit) {
      const latest = checks.query({ where: expression`recordId = ${recordId}`, isDescending: true });
      return (await latest.first(limit)).map(({ value }) => value);
    },
  };
}
