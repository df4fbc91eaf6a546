import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { Rechecks, Requests } from "../../ports.ts";
import { draftCheck, type LinkCheck } from "../check/link-check.ts";
import type { CheckResult } from "../sweep/sweep.ts";
import { type Collection, recordRules } from "./collection.ts";
import { advance, type Fate, waitBefore } from "./fate.ts";
import type { LinkedRecord } from "./linked-record.ts";
import { moveFate } from "./move-fate.ts";
import { type RecordFatePorts, recordFate } from "./record-fate.ts";

export interface JudgeRecordPorts extends RecordFatePorts {
  rechecks: Rechecks;
  requests: Requests;
  clock: Clock;
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
  finding: CheckResult,
  { collection, ports }: Circumstances,
): Promise<void> {
  const { checkId, askedAt, purpose } = check;
  const attempt = purpose.type === "record" ? purpose.attempt : undefined;
  const keeper = {
    ...recordFate(check.recordId, ports),
    schedule: (record: LinkedRecord, fate: Fate) => scheduleNext(record, fate, { collection, ports }),
  };
  let pointsElsewhere = false;
  const moved = await moveFate(checkId, keeper, (fate, { landingUrl }) => {
    const rules = { ...recordRules(collection), now: ports.clock.now() };
    const next = advance(fate, { checkId, askedAt, attempt, ...finding }, rules);
    pointsElsewhere = next !== undefined && landingUrl !== check.landingUrl;
    return pointsElsewhere ? undefined : next;
  });
  if (moved !== undefined && pointsElsewhere) await askAnew(check, moved.subject, { collection, ports });
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
  { checkId, recordId, askedAt, purpose }: Judged,
  { collection, ports }: Circumstances,
): Promise<void> {
  const record = await ports.records.get(recordId);
  const failures = record?.link?.failures ?? 0;
  if (record === undefined || purpose.type !== "record" || failures === 0 || purpose.attempt !== failures)
    return;
  const at = await nextAttempt(record, askedAt, { collection, ports });
  if (at === undefined) return;
  const { collectionId, landingUrl } = record;
  const again = { checkId: digest(checkId, "left-alone"), recordId, collectionId, askedAt: at, purpose };
  await ports.rechecks.at(at, draftCheck(landingUrl, again, collection));
}

/**
 * When an attempt that is left out is made instead; noted with the record, so that nobody takes it for lost. It has been put
 * off before when it is not due any more; undefined when somebody else has moved the record on.
 */
async function nextAttempt(
  record: LinkedRecord,
  askedAt: string,
  { collection, ports }: Circumstances,
): Promise<string | undefined> {
  const { link } = record;
  if (link === undefined) return undefined;
  if (link.nextAttemptAt !== undefined && link.nextAttemptAt > askedAt) return link.nextAttemptAt;
  const waitMs = waitBefore(link.failures, recordRules(collection));
  const nextAttemptAt = new Date(ports.clock.now().getTime() + waitMs).toISOString();
  return (await ports.records.move(record, { ...link, nextAttemptAt })) ? nextAttemptAt : undefined;
}

async function scheduleNext(
  { recordId, collectionId, landingUrl }: LinkedRecord,
  { failures, nextAttemptAt, checkId }: Fate,
  { collection, ports }: Circumstances,
): Promise<void> {
  if (nextAttemptAt === undefined) return;
  const purpose = { type: "record" as const, attempt: failures };
  const next = { checkId: digest(checkId, "next"), recordId, collectionId, askedAt: nextAttemptAt, purpose };
  await ports.rechecks.at(nextAttemptAt, draftCheck(landingUrl, next, collection));
}
