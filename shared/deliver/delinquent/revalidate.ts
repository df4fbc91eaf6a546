import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { findKnownReason, type KnownReason } from "../../records/archive/known-reason.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Events } from "../../records/events/events.ts";
import { allArchiveKeys } from "../claims/claim.ts";
import type { RuleSet } from "../validation/rule-set.ts";
import { type ValidationResult, validateRecord } from "../validation/validate-record.ts";
import type { DelinquentRecord } from "./delinquent-record.ts";
import type { DelinquentStore } from "./delinquent-store.ts";
import { isPossibleDuplicate } from "./possible-duplicate.ts";

export interface RevalidatePorts {
  delinquents: DelinquentStore;
  records: Pick<RecordStore, "loadMarc" | "setState">;
  archive: Pick<ArchiveStore, "knownReasons">;
  events: Events;
  clock: Pick<Clock, "now">;
}

/** Records read and validated at the same time. */
const maxParallelRecords = 16;

/**
 * The outcome of a revalidation: that of the rules, or one of these.
 * - `released`: it is released, by this call or another one, and the next delivery takes it
 * - `ignored`, `elsewhere`, `delivered`, `claimed`: the archive keeps it from delivery, and nothing changes
 * - `gone`: a run has harvested it, or refused it again, meanwhile
 */
type RevalidationOutcome = ValidationResult["outcome"] | ReleaseOutcome;

/**
 * Validates refused records by the current rules, without harvesting them again. The next delivery takes the valid
 * ones; the others get their new findings.
 * @returns the outcomes in the order of the records
 */
export function revalidate(
  refused: DelinquentRecord[],
  rules: RuleSet,
  ports: RevalidatePorts,
): Promise<RevalidationOutcome[]> {
  return inParallel(refused, maxParallelRecords, async (record) => {
    const { document, deliveryMode, refusedAt } = record;
    const { recordId, sourceId, recordKey } = document;
    if (record.released !== undefined) return (await blockReasonOf(record, ports)) ?? "released";
    const marc = await ports.records.loadMarc(recordKey);
    const { outcome, findings } = validateRecord(marc, { source: sourceId, rules });
    // Valid all the while: it waits for an operator's word.
    if (outcome === "valid" && isPossibleDuplicate(record.findings)) return "delinquent";
    if (outcome === "valid") {
      const released = await releaseRecord(record, "rules", ports);
      return released === "released" ? outcome : released;
    }
    if (outcome === "delinquent") {
      // A held record stays held, whatever else is wrong with it: the finding stands first, where the store lists it.
      const all = [...record.findings.filter((finding) => isPossibleDuplicate([finding])), ...findings];
      const isRenewed = await ports.delinquents.updateFindings({
        ...record,
        findings: all,
        findingCount: all.length,
      });
      if (isRenewed) return outcome;
      return (await reload(record, ports))?.released === undefined ? "gone" : "released";
    }
    await ports.delinquents.remove(record, { upTo: refusedAt, includesReleased: false });
    if ((await reload(record, ports))?.released !== undefined) return "released";
    await ports.records.setState({ recordId, deliveryMode }, "online-first");
    return outcome;
  });
}

/** Why the archive keeps a record from delivery. A released record does not wait for volume and issue. */
export type BlockReason = Exclude<KnownReason, "waiting">;

/** `gone`: a run has harvested it meanwhile. */
export type ReleaseOutcome = "released" | BlockReason | "gone";

/** Releases a refused record: the next run of its mode delivers it once, as the archive ensures for all records. */
export async function releaseRecord(
  record: DelinquentRecord,
  by: "rules" | "operator",
  ports: RevalidatePorts,
): Promise<ReleaseOutcome> {
  const { delinquents, records, clock } = ports;
  const { deliveryMode, document } = record;
  const { recordId } = document;
  const blockReason = await blockReasonOf(record, ports);
  if (blockReason !== undefined) return (await reload(record, ports)) === undefined ? "gone" : blockReason;
  const isListed = await delinquents.release(record, { at: clock.now().toISOString(), by });
  if (!isListed) return "gone";
  await records.setState({ recordId, deliveryMode }, "released");
  await publishRelease(record, by, ports);
  return "released";
}

/** A repeat for the same refusal has the same change id. */
function publishRelease(
  { document, deliveryMode, refusedAt }: DelinquentRecord,
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

/** Why the plan of a delivery would omit the record: if it were released, it would be lost from the list. */
async function blockReasonOf(
  { document, deliveryMode }: DelinquentRecord,
  { archive }: Pick<RevalidatePorts, "archive">,
): Promise<BlockReason | undefined> {
  const keys = allArchiveKeys(document, deliveryMode);
  const reason = findKnownReason(keys, await archive.knownReasons(keys, { isConsistent: true }));
  return reason === "waiting" ? undefined : reason;
}

/** The record as it is now: another request may have released it, or a run removed it. */
function reload(
  { document, deliveryMode }: DelinquentRecord,
  { delinquents }: Pick<RevalidatePorts, "delinquents">,
): Promise<DelinquentRecord | undefined> {
  return delinquents.get(deliveryMode, document.sourceId, document.recordId);
}
