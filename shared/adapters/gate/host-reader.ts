import { writeIdName } from "../../names.ts";
import type { HostReader } from "../../web/gate/host-reader.ts";
import { addUp, type HostStatistics } from "../../web/gate/host-statistics.ts";
import { partOfDay } from "../aws/day-parts.ts";
import { getAll } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { readHost } from "./host-store.ts";

interface StatisticsItem {
  day: string;
  hostKey: string;
  expiresAt: number;
  [writeIdName]?: unknown;
}

/** Reads what `host-store.ts` and `statistics-store.ts` write. */
export function hostReader(): HostReader {
  const hosts = variable("hostsTable");
  const statistics = variable("hostStatisticsTable");
  return {
    state: (hostKey) => readHost(hosts, hostKey),
    async statistics(hostKey, days) {
      const Keys = days.flatMap((day) =>
        [day, partOfDay(day, hostKey)].map((key) => ({ day: key, hostKey })),
      );
      const items = await getAll<StatisticsItem>(statistics, { Keys });
      const byDay = new Map<string, HostStatistics>();
      for (const { day: part, hostKey: _same, expiresAt: _over, [writeIdName]: _last, ...numbers } of items) {
        const day = part.split("#")[0] ?? "";
        byDay.set(day, addUp(byDay.get(day) ?? {}, numbers as HostStatistics));
      }
      return [...byDay].map(([day, numbers]) => ({ day, numbers })).sort((a, b) => (a.day < b.day ? -1 : 1));
    },
  };
}
