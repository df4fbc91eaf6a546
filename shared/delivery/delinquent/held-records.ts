import type { ArchiveStore } from "../../archive/archive-store.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { RecordStore } from "../../documents/stored-record.ts";
import { changeArchiveState } from "../archive/archive-operations.ts";
import { isHeld } from "../validate/perhaps-same.ts";
import type { DelinquentRecord } from "./delinquent-record.ts";
import type { DelinquentStore } from "./delinquent-store.ts";
import { type ReleaseOutcome, type RevalidatePorts, releaseRecord } from "./revalidate.ts";

export interface HeldRecordPorts extends RevalidatePorts {
  delinquents: DelinquentStore;
  records: Pick<RecordStore, "loadMarc" | "setState" | "resetDelivered">;
  archive: ArchiveStore;
}

/** Records changed at the same time. */
const maxParallelRecords = 16;

/** An operator's word on a held record: another article, to be delivered; or the same one, never to be. */
export type HeldDecision = "release" | "ignore";

/** The held records among refused ones that nobody has released yet. */
export function heldRecords(records: DelinquentRecord[]): DelinquentRecord[] {
  return records.filter(({ findings, released }) => released === undefined && isHeld(findings));
}

/** @returns the outcomes in the order of the records; `claimed`: the run that held it has not ended */
export function decideHeld(
  held: DelinquentRecord[],
  decision: HeldDecision,
  ports: HeldRecordPorts,
): Promise<ReleaseOutcome[]> {
  return inParallel(held, maxParallelRecords, (record) =>
    decision === "release" ? releaseRecord(record, "operator", ports) : ignoreRecord(record, ports),
  );
}

/** Excludes a refused record for good, and removes it from the list. */
export async function ignoreRecord(
  record: DelinquentRecord,
  ports: Pick<HeldRecordPorts, "archive" | "records" | "delinquents">,
): Promise<"ignored" | "claimed"> {
  const { deliveryMode, document, refusedAt } = record;
  const { recordId } = document;
  const entry = await changeArchiveState({ recordId, mode: deliveryMode, state: "ignore" }, ports);
  // The archive learns of a refused record only when its run has been archived.
  if (entry === undefined || entry === "claimed") return "claimed";
  await ports.records.setState({ recordId, deliveryMode }, "duplicate");
  await ports.delinquents.remove(record, { upTo: refusedAt, includesReleased: false });
  return "ignored";
}
