import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { entryKey } from "../../harvest/archive-keys.ts";
import type { ArchiveStore, DelinquentStore, RecordStore } from "../../ports.ts";
import type { RuleSet } from "../../validation/rule-set.ts";
import { type Validation, validateRecord } from "../../validation/validate-record.ts";
import type { DelinquentRecord } from "./delinquent-record.ts";

export interface RevalidatePorts {
  delinquents: DelinquentStore;
  records: Pick<RecordStore, "marc" | "setState">;
  archive: Pick<ArchiveStore, "entry">;
  clock: Pick<Clock, "now">;
}

/** Records that are read and judged at the same time. */
const recordsAtOnce = 16;

/**
 * What became of a record that was held against the rules again, where the judgement does not decide.
 * - `released`: it was, and goes out whatever the rules say
 * - `ignored`: an operator's word in the archive keeps it from delivery
 * - `gone`: a run has taken it up, or refused it anew, meanwhile
 */
export type Revalidation = Validation["outcome"] | "released" | "ignored" | "gone";

/**
 * Holds refused records against the rules as they are now, without harvesting them again: what is valid goes into the next
 * delivery, of the rest the findings are renewed.
 * @returns the outcomes in the order of the records
 */
export function revalidate(
  refused: DelinquentRecord[],
  rules: RuleSet,
  ports: RevalidatePorts,
): Promise<Revalidation[]> {
  return inParallel(refused, recordsAtOnce, async (record) => {
    const { document, deliveryMode, refusedAt } = record;
    const { recordId, sourceId, recordKey } = document;
    if (record.released !== undefined) return "released";
    const marc = await ports.records.marc(recordKey);
    const { outcome, findings } = validateRecord(marc, { source: sourceId, rules });
    if (outcome === "valid") {
      const released = await release(record, "rules", ports);
      return released === "released" ? outcome : released;
    }
    if (outcome === "delinquent") {
      const isRenewed = await ports.delinquents.renew({ ...record, findings, findingCount: findings.length });
      return isRenewed ? outcome : "gone";
    }
    await ports.records.setState({ recordId, deliveryMode }, "online-first");
    await ports.delinquents.remove(record, { upTo: refusedAt, evenReleased: false });
    return outcome;
  });
}

/** `ignored`: an operator's word in the archive keeps it from delivery; `gone`: a run has taken it up meanwhile. */
export type Release = "released" | "ignored" | "gone";

/** Has a refused record delivered by the next run of its mode, once: the archive sees to that, as with all records. */
export async function release(
  record: DelinquentRecord,
  by: "rules" | "operator",
  { delinquents, records, archive, clock }: RevalidatePorts,
): Promise<Release> {
  const { deliveryMode, document } = record;
  const { recordId } = document;
  if ((await archive.entry(entryKey(recordId, deliveryMode)))?.state === "ignore") return "ignored";
  const isListed = await delinquents.release(record, { at: clock.now().toISOString(), by });
  if (!isListed) return "gone";
  await records.setState({ recordId, deliveryMode }, "released");
  return "released";
}
