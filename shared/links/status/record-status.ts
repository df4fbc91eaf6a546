import { dayIn } from "../../core/day.ts";
import type { Events } from "../../records/events/events.ts";
import type { LinkRecords } from "./link-records.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";
import type { RecordLink } from "./record-link.ts";
import { changeTypeOf, type LinkStatistics } from "./statistics.ts";

export interface RecordStatusPorts {
  records: Pick<LinkRecords, "get" | "replaceLinkStatus">;
  statistics: Pick<LinkStatistics, "add">;
  events: Events;
  /** An IANA time zone, in which the days of the statistics are counted. */
  timeZone: string;
}

/**
 * Provides reading and writing of the link status of a record. Changes are added to the statistics and published on the
 * event bus.
 */
export function recordStatusAccess(
  recordId: string,
  { records, statistics, events, timeZone }: RecordStatusPorts,
): LinkStatusAccess<RecordLink> {
  return {
    read: () => records.get(recordId),
    linkStatusOf: ({ link }) => link,
    shownStatusOf: (_record, linkStatus) => linkStatus?.status ?? "active",
    write: (record, linkStatus, was) =>
      records.replaceLinkStatus(
        { recordId, collectionId: record.collectionId, ...(was && { link: was }) },
        linkStatus,
      ),
    async notify({ collectionId, landingUrl }, { status, since, checkId, reason }) {
      const change = changeTypeOf(status);
      const day = dayIn(timeZone, new Date(since));
      await statistics.add({ day, collectionId, change, recordId, url: landingUrl });
      await events.publish({
        type: `record.${change}`,
        changeId: `${recordId}/${checkId}`,
        detail: { recordId, collectionId, landingUrl, reason, since },
      });
    },
  };
}
