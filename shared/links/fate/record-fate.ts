import { dayIn } from "../../core/day.ts";
import type { Events, LinkRecords, LinkStatistics } from "../../ports.ts";
import { changeOf } from "../report/statistics.ts";
import type { LinkedRecord } from "./linked-record.ts";
import type { KeptFate } from "./move-fate.ts";

export interface RecordFatePorts {
  records: Pick<LinkRecords, "get" | "move">;
  statistics: Pick<LinkStatistics, "count">;
  events: Events;
  /** IANA name; the days of the statistics go by it. */
  timeZone: string;
}

/** The fate of a record, and who is told of its changes: the statistics, where the same counts once, and the bus. */
export function recordFate(
  recordId: string,
  { records, statistics, events, timeZone }: RecordFatePorts,
): KeptFate<LinkedRecord> {
  return {
    read: () => records.get(recordId),
    fateOf: ({ link }) => link,
    statusOf: (_record, fate) => fate?.status ?? "active",
    write: (record, fate, was) =>
      records.move({ recordId, collectionId: record.collectionId, ...(was && { link: was }) }, fate),
    async tell({ collectionId, landingUrl }, { status, since, checkId, reason }) {
      const change = changeOf(status);
      const day = dayIn(timeZone, new Date(since));
      await statistics.count({ day, collectionId, change, recordId, url: landingUrl });
      await events.publish({
        type: `record.${change}`,
        changeId: `${recordId}/${checkId}`,
        detail: { recordId, collectionId, landingUrl, reason, since },
      });
    },
  };
}
