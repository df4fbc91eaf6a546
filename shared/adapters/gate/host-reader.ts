import type { HostReader } from "../../web/gate/host-reader.ts";
import { addUp, type HostStatistics } from "../../web/gate/host-statistics.ts";
import { partOfDay } from "../aws/day-parts.ts";
import { table } from "../aws/table.ts";
import { hostStates } from "./host-store.ts";

type StatisticsItem = HostStatistics & { day: string };

/** Reads the items that `host-store.ts` and `statistics-store.ts` write. */
export function hostReader(): HostReader {
  const statistics = table<StatisticsItem, { day: string; hostKey: string }>({
    variable: "hostStatisticsTable",
    key: (key) => key,
    hidden: ["hostKey", "expiresAt"],
  });
  return {
    state: hostStates(),
    async statistics(hostKey, days) {
      const keys = days.flatMap((day) =>
        [day, partOfDay(day, hostKey)].map((part) => ({ day: part, hostKey })),
      );
      const items = await statistics.getMany(keys, { isConsistent: false });
      const byDay = new Map<string, HostStatistics>();
      for (const { day: part, ...numbers } of items) {
        const day = part.split("#")[0] ?? "";
        byDay.set(day, addUp(byDay.get(day) ?? {}, numbers));
      }
      return [...byDay].map(([day, numbers]) => ({ day, numbers })).sort((a, b) => (a.day < b.day ? -1 : 1));
    },
  };
}
