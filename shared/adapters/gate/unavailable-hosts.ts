import { hostsByAvailabilityIndex } from "../../names.ts";
import type { HostState, ListUnavailableHosts } from "../../web/gate/host-state.ts";
import { expression } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

type UnavailableHost = Required<Pick<HostState, "hostKey" | "unavailable">>;

/**
 * Lists the hosts that `host-store.ts` marks as unavailable; those that remain unavailable for the longest time come
 * first.
 */
export function unavailableHosts(): ListUnavailableHosts {
  const stored = table<UnavailableHost>({ variable: "hostsTable", key: (hostKey) => ({ hostKey }) });
  return async (now, limit) => {
    const where = expression`listedAs = ${"unavailable"} AND unavailableUntilMs > ${now.getTime()}`;
    const hosts = await stored
      .query({ index: hostsByAvailabilityIndex, where, isDescending: true })
      .first(limit);
    const marks = hosts.flatMap(({ hostKey, unavailable }) =>
      Object.entries(unavailable).map(([what, { untilMs, reason }]) => ({ hostKey, what, untilMs, reason })),
    );
    return marks
      .filter(({ untilMs }) => untilMs > now.getTime())
      .slice(0, limit)
      .map(({ untilMs, ...mark }) => ({ ...mark, until: new Date(untilMs).toISOString() }));
  };
}
