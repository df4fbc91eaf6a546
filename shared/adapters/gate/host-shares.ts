import { endOfHour, type HostShares } from "../../web/gate/host-shares.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { expression } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

const keptDays = 1;

interface Admission {
  atMs: number;
}

/** Stores the shares of hosts. `part` is an hour, named by its end (ISO 8601), or `admitted`. */
export function hostShares(): HostShares {
  const hours = table<object, { hostKey: string; end: Date }>({
    variable: "hostSharesTable",
    key: ({ hostKey, end }) => ({ hostKey, part: end.toISOString() }),
  });
  const admissions = table<Admission>({
    variable: "hostSharesTable",
    key: (hostKey) => ({ hostKey, part: "admitted" }),
  });
  return {
    take: (hostKey, now, most) =>
      hours.updateIf(
        { hostKey, end: endOfHour(now) },
        expression`SET expiresAt = ${ttlAfter(now.toISOString(), keptDays)} ADD taken ${1}`,
        expression`${most} > ${0} AND (attribute_not_exists(taken) OR taken < ${most})`,
      ),
    admittedAtMs: async (hostKey) => (await admissions.get(hostKey))?.atMs,
    async markAdmitted(hostKey, atMs) {
      const expiresAt = ttlAfter(new Date(atMs).toISOString(), keptDays);
      await admissions.putIf(hostKey, { atMs, expiresAt });
    },
  };
}
