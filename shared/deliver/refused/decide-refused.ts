import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import { changeArchiveState } from "../claims/archive-operations.ts";
import type { OperatorNote, RefusedRecord } from "./refused-record.ts";
import type { RefusedStore } from "./refused-store.ts";
import { type ReleaseOutcome, type RevalidatePorts, releaseRecord } from "./revalidate.ts";

interface DecideRefusedPorts extends RevalidatePorts {
  refusedRecords: RefusedStore;
  records: Pick<RecordStore, "loadMarc" | "setState" | "resetDelivered">;
  archive: ArchiveStore;
}

/** The number of records that are changed at the same time. */
const maxParallelRecords = 16;

/**
 * An operator's decision on a refused record. `release` means that the record is delivered unchanged. `ignore` means
 * that it is never delivered, for example because it is a duplicate.
 */
export type RefusedDecision = "release" | "ignore";

/**
 * Carries out a decision on refused records.
 * @returns the outcomes in the order of the records; `claimed` means that the run that refused the record has not ended
 */
export function decideRefused(
  records: RefusedRecord[],
  decision: RefusedDecision,
  ports: DecideRefusedPorts,
): Promise<ReleaseOutcome[]> {
  return inParallel(records, maxParallelRecords, (record) =>
    decision === "release" ? releaseRecord(record, "operator", ports) : ignoreRecord(record, ports),
  );
}

/** Attaches a note to records, replacing any earlier note. Later refusals keep the note. */
export async function noteRefused(
  records: RefusedRecord[],
  note: OperatorNote,
  { refusedRecords }: Pick<DecideRefusedPorts, "refusedRecords">,
): Promise<void> {
  await inParallel(records, maxParallelRecords, (record) => refusedRecords.note(record, note));
}

/** Excludes a refused record permanently, and removes it from the list. */
async function ignoreRecord(
  record: RefusedRecord,
  ports: Pick<DecideRefusedPorts, "archive" | "records" | "refusedRecords">,
): Promise<"ignored" | "claimed"> {
  const { deliveryMode, document, refusedAt } = record;
  const { recordId } = document;
  const entry = await changeArchiveState({ recordId, mode: deliveryMode, state: "ignore" }, ports);
  // The archive contains a refused record only after its run has been archived.
  if (entry === undefined || entry === "claimed") return "claimed";
  await ports.records.setState({ recordId, deliveryMode }, "duplicate");
  await ports.refusedRecords.remove(record, { upTo: refusedAt, includesReleased: false });
  return "ignored";
}
