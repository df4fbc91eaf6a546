import { hostsByAvailabilityIndex } from "../../names.ts";
import type { HostState, ListUnavailableHosts } from "../../web/gate/host-state.ts";
import { queryFirst } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

/** Lists what `host-store.ts` marks as unavailable, the longest first. */
export function unavailableHosts(): ListUnavailableHosts {
  return async (now, limit) => {
    const hosts = await queryFirst<Required<Pick<HostState, "hostKey" | "unavailable">>>(
      {
        TableName: variable("hostsTable"),
        IndexName: hostsByAvailabilityIndex,
        ScanIndexForward: false,
        KeyConditionExpression: "listedAs = :unavailable AND unavailableUntilMs > :now",
        ExpressionAttributeValues: { ":unavailable": "unavailable", ":now": now.getTime() },
      },
      limit,
    );
    const marks = hosts.flatMap(({ hostKey, unavailable }) =>
      Object.entries(unavailable).map(([what, { untilMs, reason }]) => ({ hostKey, what, untilMs, reason })),
    );
    return marks
      .filter(({ untilMs }) => untilMs > now.getTime())
      .slice(0, limit)
      .map(({ untilMs, ...mark }) => ({ ...mark, until: new Date(untilMs).toISOString() }));
  };
}
