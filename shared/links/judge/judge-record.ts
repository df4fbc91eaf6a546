import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { RequestQueue } from "../../web/gate/request.ts";
import { draftCheck, type LinkCheck } from "../check/link-check.ts";
import type { Rechecks } from "../check/rechecks.ts";
import { type Collection, recordStatusRules } from "../status/collection.ts";
import { applyCheck, type LinkStatus, recheckDelayMs } from "../status/link-status.ts";
import type { RecordLink } from "../status/record-link.ts";
import { type RecordStatusPorts, recordStatusAccess } from "../status/record-status.ts";
import { updateLinkStatus } from "../status/update-link-status.ts";
import type { CheckResult } from "../sweep/sweep.ts";

export interface JudgeRecordPorts extends RecordStatusPorts {
  rechecks: Rechecks;
  requests: RequestQueue;
  clock: Clock;
}

type CheckRef = Pick<LinkCheck, "checkId" | "recordId" | "askedAt" | "purpose" | "landingUrl">;

interface JudgeContext {
  collection: Collection;
  ports: JudgeRecordPorts;
}

/**
 * Moves a record's link status on by a check, and tells of a change. Samples of a sweep or an estimate can bring a suppressed
 * record back, but strike none: an outage of the site is the collection's, not that of four records. A record that points
 * elsewhere by now is not judged by where it pointed: its attempt is made anew.
 */
export async function judgeRecord(
  check: CheckRef,
  finding: CheckResult,
  { collection, ports }: JudgeContext,
): Promise<void> {
  const { checkId, askedAt, purpose } = check;
  const attempt = purpose.type === "record" ? purpose.attempt : undefined;
  const updater = {
    ...recordStatusAccess(check.recordId, ports),
    scheduleRecheck: (record: RecordLink, linkStatus: LinkStatus) =>
      scheduleRecheck(record, linkStatus, { collection, ports }),
  };
  let hasOtherLandingUrl = false;
  const moved = await updateLinkStatus(checkId, updater, (linkStatus, { landingUrl }) => {
    const rules = { ...recordStatusRules(collection), now: ports.clock.now() };
    const next = applyCheck(linkStatus, { checkId, askedAt, attempt, ...finding }, rules);
    hasOtherLandingUrl = next !== undefined && landingUrl !== check.landingUrl;
    return hasOtherLandingUrl ? undefined : next;
  });
  if (moved !== undefined && hasOtherLandingUrl)
    await requestAgain(check, moved.subject, { collection, ports });
}

async function requestAgain(
  { checkId, askedAt, purpose }: CheckRef,
  { recordId, collectionId, landingUrl }: RecordLink,
  { collection, ports }: JudgeContext,
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
  { checkId, recordId, askedAt, purpose }: CheckRef,
  { collection, ports }: JudgeContext,
): Promise<void> {
  const record = await ports.records.get(recordId);
  const failures = record?.link?.failures ?? 0;
  if (record === undefined || purpose.type !== "record" || failures === 0 || purpose.attempt !== failures)
    return;
  const at = await rescheduleAttempt(record, askedAt, { collection, ports });
  if (at === undefined) return;
  const { collectionId, landingUrl } = record;
  const again = { checkId: digest(checkId, "unavailable"), recordId, collectionId, askedAt: at, purpose };
  await ports.rechecks.schedule(at, draftCheck(landingUrl, again, collection));
}

/**
 * When an attempt that is left out is made instead; noted with the record, so that nobody takes it for lost. It has been put
 * off before when it is not due any more; undefined when somebody else has moved the record on.
 */
async function rescheduleAttempt(
  record: RecordLink,
  askedAt: string,
  { collection, ports }: JudgeContext,
): Promise<string | undefined> {
  const { link } = record;
  if (link === undefined) return undefined;
  if (link.nextAttemptAt !== undefined && link.nextAttemptAt > askedAt) return link.nextAttemptAt;
  const waitMs = recheckDelayMs(link.failures, recordStatusRules(collection));
  const nextAttemptAt = new Date(ports.clock.now().getTime() + waitMs).toISOString();
  return (await ports.records.replaceLinkStatus(record, { ...link, nextAttemptAt }))
    ? nextAttemptAt
    : undefined;
}

async function scheduleRecheck(
  { recordId, collectionId, landingUrl }: RecordLink,
  { failures, nextAttemptAt, checkId }: LinkStatus,
  { collection, ports }: JudgeContext,
): Promise<void> {
  if (nextAttemptAt === undefined) return;
  const purpose = { type: "record" as const, attempt: failures };
  const next = { checkId: digest(checkId, "next"), recordId, collectionId, askedAt: nextAttemptAt, purpose };
  await ports.rechecks.schedule(nextAttemptAt, draftCheck(landingUrl, next, collection));
}
