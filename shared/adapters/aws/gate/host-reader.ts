import type { HostReader } from "../../../web/gate/host-reader.ts";
import { type HostStatistics, statisticsPart } from "../../../web/gate/host-statistics.ts";
import { getAll } from "../dynamodb.ts";
import { variable } from "../environment.ts";
import { readHost } from "./host-store.ts";

/** Reads what `host-store.ts` and `statistics-store.ts` write. */
export function hostReader(): HostReader {
  const hosts = variable("hostsTable");
  const statistics = variable("hostStatisticsTable");
  return {
    state: (hostKey) => readHost(hosts, hostKey),
    async statistics(hostKey, days) {
      const Keys = days.map((day) => ({ day: statisticsPart(day, hostKey), hostKey }));
      const items = await getAll<{ day: string; hostKey: string; expiresAt: number }>(statistics, { Keys });
      return items
        .map(({ day: part, hostKey: _same, expiresAt: _over, ...numbers }) => ({
          day: part.split("#")[0] ?? "",
          numbers: numbers as HostStatistics,
        }))
        .sort((a, b) => (a.day < b.day ? -1 : 1));
    },
  };
}
