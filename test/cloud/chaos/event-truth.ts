import type { BusEvent } from "../../../local/cloud/eventbridge/event-bus.ts";

type Check = (detail: Record<string, string>) => Promise<boolean>;

/** By type: whether the store says the same as an event, at the moment when it is published. */
const checks: Record<string, Check> = {
  "document.new": async ({ documentUri = "" }) => {
    const { recordStore } = await import("../../../shared/adapters/records/record-store.ts");
    return (await recordStore().get(documentUri.replace("/records/", ""))) !== undefined;
  },
  "record.delivered": async ({ recordId = "", fileName }) => {
    const { recordStore } = await import("../../../shared/adapters/records/record-store.ts");
    const record = await recordStore().get(recordId);
    return record?.state === "delivered" && record.deliveryFile === fileName;
  },
  "delivery.new": async ({ key = "" }) => {
    const { deliveryStore } = await import("../../../shared/deliver/stores/delivery-store.ts");
    for await (const chunk of await deliveryStore().readFile(key)) return chunk.byteLength > 0;
    return false;
  },
  "run.finished": async ({ runId = "" }) => {
    const { runStore } = await import("../../../shared/adapters/records/run-store.ts");
    const run = await runStore().get(runId);
    return run?.state === "finished" && run.figures !== undefined;
  },
  "capture.done": ({ jobId = "" }) => jobIsIn(jobId, "done"),
  "capture.failed": ({ jobId = "" }) => jobIsIn(jobId, "failed"),
};

async function jobIsIn(jobId: string, state: string): Promise<boolean> {
  const { snapshotStore } = await import("../../../shared/snapshots/stores/snapshot-store.ts");
  return (await snapshotStore().job(Number(jobId)))?.state === state;
}

/** Subscribes to the bus: the store is read at each event before its publisher continues. */
export class EventTruth {
  /** The events that were checked, by type. */
  readonly checked: Record<string, number> = {};
  /** The events that were not true. */
  readonly untrue: string[] = [];

  readonly onEvent = async ({ "detail-type": type = "", detail }: BusEvent): Promise<void> => {
    const check = checks[type];
    if (check === undefined) return;
    this.checked[type] = (this.checked[type] ?? 0) + 1;
    if (!(await check(detail as Record<string, string>)))
      this.untrue.push(`${type} ${JSON.stringify(detail)}`);
  };
}
