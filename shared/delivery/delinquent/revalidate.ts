import type { ArchiveStore } from "../../archive/archive-store.ts";
import { findKnownReason, type KnownReason } from "../../archive/known-reason.ts";
import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { RecordStore } from "../../documents/stored-record.ts";
import type { RuleSet } from "../../validation/rule-set.ts";
import { type ValidationResult, validateRecord } from "../../validation/validate-record.ts";
import { allArchiveKeys } from "../plan/claim.ts";
import type { DelinquentRecord } from "./delinquent-record.ts";
import type { DelinquentStore } from "./delinquent-store.ts";

interface RevalidatePorts {
  delinquents: DelinquentStore;
  records: Pick<RecordStore, "loadMarc" | "setState">;
  archive: Pick<ArchiveStore, "knownReasons">;
  clock: Pick<Clock, "now">;
}

/** Records that are read and judged at the same time. */
const maxParallelRecords = 16;

/**
 * What became of a record that was held against the rules again, where the judgement does not decide.
 * - `released`: it was, or is meanwhile, and goes out whatever the rules say
 * - `ignored`, `elsewhere`, `delivered`: the archive keeps it from delivery, and so nothing is noted
 * - `gone`: a run has taken it up, or refused it anew, meanwhile
 */
type RevalidationOutcome = ValidationResult["outcome"] | ReleaseOutcome;

/**
 * Holds refused records against the rules as they are now, without harvesting them again: what is valid goes into the next
 * delivery, of the rest the findings are renewed.
 * @returns the outcomes in the order of the records
 */
export function revalidate(
  refused: DelinquentRecord[],
  rules: RuleSet,
  ports: RevalidatePorts,
): Promise<RevalidationOutcome[]> {
  return inParallel(refused, maxParallelRecords, async (record) => {
    const { article, deliveryMode, refusedAt } = record;
    const { recordId, sourceId, recordKey } = article;
    if (record.released !== undefined) return (await blockReasonOf(record, ports)) ?? "released";
    const marc = await ports.records.loadMarc(recordKey);
    const { outcome, findings } = validateRecord(marc, { source: sourceId, rules });
    if (outcome === "valid") {
      const released = await releaseRecord(record, "rules", ports);
      return released === "released" ? outcome : released;
    }
    if (outcome === "delinquent") {
      const isRenewed = await ports.delinquents.updateFindings({
        ...record,
        findings,
        findingCount: findings.length,
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

/** Why the archive keeps a record from delivery. To one that is released it is nothing that another waits for volume and issue. */
export type BlockReason = Exclude<KnownReason, "waiting">;

/** `gone`: a run has taken it up meanwhile. */
type ReleaseOutcome = "released" | BlockReason | "gone";

/** Has a refused record delivered by the next run of its mode, once: the archive sees to that, as with all records. */
export async function releaseRecord(
  record: DelinquentRecord,
  by: "rules" | "operator",
  ports: RevalidatePorts,
): Promise<ReleaseOutcome> {
  const { delinquents, records, clock } = ports;
  const { deliveryMode, article } = record;
  const { recordId } = article;
  const hindered = await blockReasonOf(record, ports);
  if (hindered !== undefined) return (await reload(record, ports)) === undefined ? "gone" : hindered;
  const isListed = await delinquents.release(record, { at: clock.now().toISOString(), by });
  if (!isListed) return "gone";
  await records.setState({ recordId, deliveryMode }, "released");
  return "released";
}

/** What the plan of a delivery would meet: released, the record would be left out of it, and be gone from the list. */
async function blockReasonOf(
  { article, deliveryMode }: DelinquentRecord,
  { archive }: Pick<RevalidatePorts, "archive">,
): Promise<BlockReason | undefined> {
  const keys = allArchiveKeys(article, deliveryMode);
  const reason = findKnownReason(keys, await archive.knownReasons(keys, { isConsistent: true }));
  return reason === "waiting" ? undefined : reason;
}

/** What became of it on the list since it was read: another request may have released it, a run have taken it off. */
function reload(
  { article, deliveryMode }: DelinquentRecord,
  { delinquents }: Pick<RevalidatePorts, "delinquents">,
): Promise<DelinquentRecord | undefined> {
  return delinquents.get(deliveryMode, article.sourceId, article.recordId);
}
