import type { Clock } from "../../core/clock.ts";
import { dayIn } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import type { Events, LinkRecords, LinkStatistics, Rechecks, Requests } from "../../ports.ts";
import { draftCheck, type LinkCheck } from "../check/link-check.ts";
import { changeOf } from "../report/statistics.ts";
import type { Finding } from "../sweep/sweep.ts";
import { type Collection, recordRules } from "./collection.ts";
import { advance, type Fate, waitBefore } from "./fate.ts";
import type { LinkedRecord } from "./linked-record.ts";

export interface JudgeRecordPorts {
  records: Pick<LinkRecords, "get" | "move">;
  statistics: Pick<LinkStatistics, "count">;
  rechecks: Rechecks;
  requests: Requests;
  events: Events;
  clock: Clock;
  /** IANA name; the days of the statistics go by it. */
  timeZone: string;
}

type Judged = Pick<LinkCheck, "checkId" | "recordId" | "askedAt" | "purpose" | "landingUrl">;

interface Circumstances {
  collection: Collection;
  ports: JudgeRecordPorts;
}

/**
 * Moves a record's fate on by a check, and tells of a change. Samples of a sweep or an estimate can bring a suppressed
 * record back, but strike none: an outage of the site is the collection's, not that of four records. A record that points
 * elsewhere by now is not judged by where it pointed: its attempt is made anew.
 */
export async function judgeRecord(
  check: Judged,
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
    if (step.type === "moved" && record.landingUrl !== check.landingUrl) {
      return askAnew(check, record, { collection, ports });
    }
    // Somebody else has moved it meanwhile: it is decided anew.
    if (step.type === "moved" && !(await ports.records.move(record, step.fate))) continue;
    return follow(record, step.fate, { collection, ports });
  }
}

async function askAnew(
  { checkId, askedAt, purpose }: Judged,
  { recordId, collectionId, landingUrl }: LinkedRecord,
  { collection, ports }: Circumstances,
): Promise<void> {
  if (purpose.type !== "record") return;
  const anew = { checkId: digest(checkId, landingUrl), recordId, collectionId, askedAt, purpose };
  await ports.requests.send([draftCheck(landingUrl, anew, collection)]);
}

/**
 * Has an attempt made again after the same wait, as its collection is left alone: it is the only one, and nothing else
 * would bring the record back once the collection is checked again. One that is out of date is dropped.
 */
export async function postponeAttempt(
  { checkId, recordId, purpose }: Judged,
  { collection, ports }: Circumstances,
): Promise<void> {
  const record = await ports.records.get(recordId);
  const failures = record?.link?.failures ?? 0;
  if (record === undefined || purpose.type !== "record" || failures === 0 || purpose.attempt !== failures)
    return;
  const askedAt = new Date(ports.clock.now().getTime() + waitBefore(failures, recordRules(collection)));
  const again = {
    checkId: digest(checkId, "left-alone"),
    recordId,
    collectionId: record.collectionId,
    askedAt: askedAt.toISOString(),
    purpose,
  };
  await ports.rechecks.at(again.askedAt, draftCheck(record.landingUrl, again, collection));
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
