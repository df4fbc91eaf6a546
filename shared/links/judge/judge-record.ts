import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import { draftCheck, type LinkCheck } from "../check/link-check.ts";
import type { Rechecks } from "../check/rechecks.ts";
import { type Collection, recordStatusRules } from "../status/collection.ts";
import { applyCheck, type LinkStatus, recheckDelayMs } from "../status/link-status.ts";
import type { RecordLink } from "../status/record-link.ts";
import { type RecordStatusPorts, recordStatusAccess } from "../status/record-status.ts";
import { updateLinkStatus } from "../status/update-link-status.ts";
import type { Judgement } from "../verdict/verdict.ts";

export interface JudgeRecordPorts extends RecordStatusPorts {
  rechecks: Rechecks;
  requests: RequestQueue;
  clock: Clock;
}

type CheckRef = Pick<LinkCheck, "checkId" | "recordId" | "requestedAt" | "purpose" | "landingUrl">;

interface JudgeContext {
  collection: Collection;
  ports: JudgeRecordPorts;
}

/**
 * Updates the link status of a record after a check. Samples of sweeps and estimates can restore a suppressed record,
 * but their failures do not count: an outage of a site concerns the collection, not just its four sampled records. When
 * the record has got another URL meanwhile, the attempt is repeated with that URL.
 */
export async function judgeRecord(
  check: CheckRef,
  result: Pick<Judgement, "verdict" | "reason" | "notCounted">,
  { collection, ports }: JudgeContext,
): Promise<void> {
  const { checkId, requestedAt, purpose } = check;
  const attempt = purpose.type === "record" ? purpose.attempt : undefined;
  const updater = {
    ...recordStatusAccess(check.recordId, ports),
    scheduleRecheck: (record: RecordLink, linkStatus: LinkStatus) =>
      scheduleRecheck(record, linkStatus, { collection, ports }),
  };
  let hasOtherLandingUrl = false;
  const moved = await updateLinkStatus(checkId, updater, (linkStatus, { landingUrl }) => {
    const rules = { ...recordStatusRules(collection), now: ports.clock.now() };
    const next = applyCheck(linkStatus, { checkId, requestedAt, attempt, ...result }, rules);
    hasOtherLandingUrl = next !== undefined && landingUrl !== check.landingUrl;
    return hasOtherLandingUrl ? undefined : next;
  });
  if (moved !== undefined && hasOtherLandingUrl)
    await repeatCheck(check, moved.subject, { collection, ports });
}

async function repeatCheck(
  { checkId, requestedAt, purpose }: CheckRef,
  { recordId, collectionId, landingUrl }: RecordLink,
  { collection, ports }: JudgeContext,
): Promise<void> {
  if (purpose.type !== "record") return;
  const repeated = { checkId: digest(checkId, landingUrl), recordId, collectionId, requestedAt, purpose };
  await ports.requests.send([draftCheck(landingUrl, repeated, collection)]);
}

/**
 * Postpones an attempt by its recheck delay while the collection is excluded from checks, because nothing else would
 * restore the record afterwards. Drops an attempt that is out of date.
 */
export async function postponeAttempt(
  { checkId, recordId, requestedAt, purpose }: CheckRef,
  { collection, ports }: JudgeContext,
): Promise<void> {
  const record = await ports.records.get(recordId);
  const failures = record?.link?.failures ?? 0;
  if (record === undefined || purpose.type !== "record" || failures === 0 || purpose.attempt !== failures)
    return;
  const nextAttemptAt = await rescheduleAttempt(record, requestedAt, { collection, ports });
  if (nextAttemptAt === undefined) return;
  const { collectionId, landingUrl } = record;
  const postponed = {
    checkId: digest(checkId, "postponed"),
    recordId,
    collectionId,
    requestedAt: nextAttemptAt,
    purpose,
  };
  await ports.rechecks.schedule(nextAttemptAt, draftCheck(landingUrl, postponed, collection));
}

/**
 * Stores the new time of a postponed attempt in the record, so that the attempt does not count as lost. An attempt that
 * was postponed before keeps its time.
 * @returns the new time, or undefined when another check has changed the record
 */
async function rescheduleAttempt(
  record: RecordLink,
  requestedAt: string,
  { collection, ports }: JudgeContext,
): Promise<string | undefined> {
  const { link } = record;
  if (link === undefined) return undefined;
  if (link.nextAttemptAt !== undefined && link.nextAttemptAt > requestedAt) return link.nextAttemptAt;
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
  const next = {
    checkId: digest(checkId, "next"),
    recordId,
    collectionId,
    requestedAt: nextAttemptAt,
    purpose,
  };
  await ports.rechecks.schedule(nextAttemptAt, draftCheck(landingUrl, next, collection));
}
