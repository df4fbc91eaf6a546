import type { Clock } from "../../core/clock.ts";
import type { CollectionStore, Events, LinkRecords } from "../../ports.ts";
import { changeOf } from "../report/statistics.ts";
import { statusOf } from "./collection.ts";
import { restored } from "./fate.ts";
import { type JudgeRecordPorts, tellRecordChange } from "./judge-record.ts";

/** What an operator's request has done; `unchanged` when it was active anyway. */
export type Restoration = "restored" | "unchanged" | "unknown";

/** Makes a suppressed or deleted record active again. It begins anew: its next failure is its first. */
export async function restoreRecord(
  recordId: string,
  ports: { records: Pick<LinkRecords, "get" | "move">; clock: Clock } & Pick<
    JudgeRecordPorts,
    "statistics" | "events" | "timeZone"
  >,
): Promise<Restoration> {
  for (;;) {
    const record = await ports.records.get(recordId);
    if (record === undefined) return "unknown";
    if ((record.link?.status ?? "active") === "active") return "unchanged";
    const fate = restored(ports.clock.now());
    if (!(await ports.records.move(record, fate))) continue;
    await tellRecordChange(record, fate, ports);
    return "restored";
  }
}

/**
 * Makes a suppressed or deleted collection active again. A hold is another matter: it is released by itself, and until
 * then the collection stays suppressed. What is told is the status that searches go by.
 */
export async function restoreCollection(
  collectionId: string,
  ports: { collections: Pick<CollectionStore, "get" | "fate" | "moveFate">; events: Events; clock: Clock },
): Promise<Exclude<Restoration, "unknown">> {
  for (;;) {
    const known = await ports.collections.fate(collectionId);
    if ((known?.status ?? "active") === "active") return "unchanged";
    const fate = restored(ports.clock.now());
    if (!(await ports.collections.moveFate(collectionId, fate, known))) continue;
    const collection = await ports.collections.get(collectionId);
    const status = statusOf(collection, fate);
    if (status === statusOf(collection, known)) return "restored";
    const { checkId, reason, since } = fate;
    await ports.events.publish({
      type: `collection.${changeOf(status)}`,
      changeId: `${collectionId}/${checkId}`,
      detail: { collectionId, reason, since },
    });
    return "restored";
  }
}
