import type { Clock } from "../core/clock.ts";
import { dayIn } from "../core/day.ts";
import { digest } from "../core/digest.ts";
import type { Events, LinkRecords, LinkStatistics, Rechecks } from "../ports.ts";
import { type Collection, recordRules } from "./collection.ts";
import { advance, type Fate } from "./fate.ts";
import { draftCheck, type LinkCheck } from "./link-check.ts";
import type { LinkedRecord } from "./linked-record.ts";
import { changeOf } from "./statistics.ts";
import type { Finding } from "./sweep.ts";

export interface JudgeRecordPorts {
  records: Pick<LinkRecords, "get" | "move">;
  statistics: Pick<LinkStatistics, "count">;
  rechecks: Rechecks;
  events: Events;
  clock: Clock;
  /** IANA name; the days of the statistics go by it. */
  timeZone: string;
}

interface Circumstances {
  collection: Collection;
  ports: JudgeRecordPorts;
}

/**
 * Moves a record's fate on by a check, and tells of a change. Samples of a sweep or an estimate can bring a suppressed
 * record back, but strike none: an outage of the site is the collection's, not that of four records.
 */
export async function judgeRecord(
  check: Pick<LinkCheck, "checkId" | "recordId" | "askedAt" | "purpose">,
  finding: Finding,
  { collection, ports }: Circumstances,
): Promise<void> {
  const { checkId, askedAt, purpose } = check;
  const attempt = purpose.type === "record" ? purpose.attempt : undefined;
  for (;;) {
    const record = await ports.records.get(check.recordId);
    if (record === undefined) return;
    const rules = { ...recordRules(collection), now: ports.clock.now() };
    const step = advance(record.link, { checkId, askedAt, attempt, ...finding }, rules);
    if (step.type === "ignored") return;
    // Somebody else has moved it meanwhile: it is decided anew.
    if (step.type === "moved" && !(await ports.records.move(record, step.fate))) continue;
    return follow(record, step.fate, { collection, ports });
  }
}

/** What follows from a fate's last move. All of it may be done twice. */
async function follow(record: LinkedRecord, fate: Fate, { collection, ports }: Circumstances): Promise<void> {
  const { recordId, collectionId, landingUrl } = record;
  const { failures, nextAttemptAt, checkId } = fate;
  if (nextAttemptAt !== undefined) {
    const purpose = { type: "record" as const, attempt: failures };
    const next = {
      checkId: digest(checkId, "next"),
      recordId,
      collectionId,
      askedAt: nextAttemptAt,
      purpose,
    };
    await ports.rechecks.at(nextAttemptAt, draftCheck(landingUrl, next, collection));
  }
  if (fate.isChange) await tellRecordChange(record, fate, ports);
}

/** Counts and tells of a record's new status. It may be told twice: it counts once. */
export async function tellRecordChange(
  { recordId, collectionId, landingUrl }: LinkedRecord,
  { status, since, checkId, reason }: Fate,
  { statistics, events, timeZone }: Pick<JudgeRecordPorts, "statistics" | "events" | "timeZone">,
): Promise<void> {
  const change = changeOf(status);
  const day = dayIn(timeZone, new Date(since));
  await statistics.count({ day, collectionId, change, recordId, url: landingUrl });
  await events.publish({
    type: `record.${change}`,
    changeId: `${recordId}/${checkId}`,
    detail: { recordId, collectionId, landingUrl, reason, since },
  });
}
