import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { findKnownReason, type KnownReason } from "../../records/archive/known-reason.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Events } from "../../records/events/events.ts";
import { waitingRules } from "../../records/rule-ids.ts";
import { allArchiveKeys } from "../claims/claim.ts";
import type { RuleSet } from "../validation/rule-set.ts";
import { type ValidationResult, validateRecord } from "../validation/validate-record.ts";
import type { RefusedRecord } from "./refused-record.ts";
import type { RefusedStore } from "./refused-store.ts";

export interface RevalidatePorts {
  refusedRecords: RefusedStore;
  records: Pick<RecordStore, "loadMarc" | "setState">;
  archive: Pick<ArchiveStore, "knownReasons">;
  events: Events;
  clock: Pick<Clock, "now">;
}

/** The number of records that are read and validated at the same time. */
const maxParallelRecords = 16;

/**
 * The outcome of a revalidation: the outcome of the validation, or one of these.
 * - `released`: the record is released, by this call or another one, and the next delivery takes it
 * - `ignored`, `elsewhere`, `delivered`, `claimed`: the archive prevents the delivery of the record, and nothing
 *   changes
 * - `gone`: a run has meanwhile harvested the record, or refused it again
 */
type RevalidationOutcome = ValidationResult["outcome"] | ReleaseOutcome;

/**
 * Validates refused records by the current rules, without harvesting them again. The next delivery takes the valid
 * records. The other records get their new findings.
 * @returns the outcomes in the order of the records
 */
export function revalidate(
  refused: RefusedRecord[],
  rules: RuleSet,
  ports: RevalidatePorts,
): Promise<RevalidationOutcome[]> {
  return inParallel(refused, maxParallelRecords, async (record) => {
    const { document, deliveryMode, refusedAt } = record;
    const { recordId, sourceId, recordKey } = document;
    if (record.released !== undefined) return (await blockReasonOf(record, ports)) ?? "released";
    const marc = await ports.records.loadMarc(recordKey);
    const { outcome, findings } = validateRecord(marc, { source: sourceId, rules });
    // The record has always been valid, and waits for an operator's decision.
    const held = record.findings.filter(({ ruleId }) => waitingRules.has(ruleId));
    if (outcome === "valid" && held.length > 0) return "delinquent";
    if (outcome === "valid") {
      const released = await releaseRecord(record, "rules", ports);
      return released === "released" ? outcome : released;
    }
    if (outcome === "delinquent") {
      // A held record stays held, even if it breaks rules. The finding comes first, because the store lists the first
      // ones.
      const all = [...held, ...findings];
      const isRenewed = await ports.refusedRecords.updateFindings({
        ...record,
        findings: all,
        findingCount: all.length,
      });
      if (isRenewed) return outcome;
      return (await reload(record, ports))?.released === undefined ? "gone" : "released";
    }
    await ports.refusedRecords.remove(record, { upTo: refusedAt, includesReleased: false });
    if ((await reload(record, ports))?.released !== undefined) return "released";
    await ports.records.setState({ recordId, deliveryMode }, "online-first");
    return outcome;
  });
}

/**
 * The reason why the archive prevents the delivery of a record. A released record does not wait for volume and issue.
 */
export type BlockReason = Exclude<KnownReason, "waiting">;

/** `gone` means that a run has meanwhile harvested the record. */
export type ReleaseOutcome = "released" | BlockReason | "gone";

/**
 * Releases a refused record, so that the next run of its mode delivers it. As for all records, the archive ensures that
 * it is delivered once.
 */
export async function releaseRecord(
  record: RefusedRecord,
  by: "rules" | "operator",
  ports: RevalidatePorts,
): Promise<ReleaseOutcome> {
  const { refusedRecords, records, clock } = ports;
  const { deliveryMode, document } = record;
  const { recordId } = document;
  const blockReason = await blockReasonOf(record, ports);
  if (blockReason !== undefined) return (await reload(record, ports)) === undefined ? "gone" : blockReason;
  const isListed = await refusedRecords.release(record, { at: clock.now().toISOString(), by });
  if (!isListed) return "gone";
  await records.setState({ recordId, deliveryMode }, "released");
  await publishRelease(record, by, ports);
  return "released";
}

/** Publishes the release of a record. A repeat for the same refusal has the same change id. */
function publishRelease(
  { document, deliveryMode, refusedAt }: RefusedRecord,
  by: "rules" | "operator",
  { events, clock }: RevalidatePorts,
): Promise<void> {
  const { recordId, sourceId, groupId, title } = document;
  return events.publish({
    type: "record.released",
    changeId: `${recordId}/released/${refusedAt}`,
    detail: {
      recordId,
      recordUri: `/records/${recordId}`,
      sourceId,
      groupId,
      ...(title !== undefined && { title }),
      deliveryMode,
      at: clock.now().toISOString(),
      by,
    },
  });
}

/**
 * Returns why the plan of a delivery would omit the record. If such a record were released, it would be lost from the
 * list.
 */
async function blockReasonOf(
  { document, deliveryMode }: RefusedRecord,
  { archive }: Pick<RevalidatePorts, "archive">,
): Promise<BlockReason | undefined> {
  const keys = allArchiveKeys(document, deliveryMode);
  const reason = findKnownReason(keys, await archive.knownReasons(keys, { isConsistent: true }));
  return reason === "waiting" ? undefined : reason;
}

/** Reads the record again, because another request may have released it, or a run may have removed it. */
function reload(
  { document, deliveryMode }: RefusedRecord,
  { refusedRecords }: Pick<RevalidatePorts, "refusedRecords">,
): Promise<RefusedRecord | undefined> {
  return refusedRecords.get(deliveryMode, document.sourceId, document.recordId);
}
