import type { BusEvent } from "../../../local/cloud/eventbridge/event-bus.ts";
import type { LinkStatus, LinkStatusValue } from "../../../shared/links/status/link-status.ts";

type Check = (detail: Record<string, string>) => Promise<boolean>;

/** By type: whether the store says the same as an event, at the moment when it is published. */
const checks: Record<string, Check> = {
  "document.new": async ({ documentUri = "", sourceId = "", version }) => {
    const [, kind, ...ids] = documentUri.split("/");
    if (kind === "records") {
      const { recordStore } = await import("../../../shared/adapters/records/record-store.ts");
      return (await recordStore().get(ids.join("/"))) !== undefined;
    }
    const { documentStore } = await import("../../../shared/adapters/records/document-store.ts");
    const [document] = await documentStore().getMany(sourceId, [ids.at(-1) ?? ""]);
    return document?.versions.some((each) => each.version === Number(version)) ?? false;
  },
  "item.new": async ({ itemUri = "", sha256 }) => {
    const { itemStore } = await import("../../../shared/harvest/stores/item-store.ts");
    const [, , , , documentId = "", , itemId = ""] = itemUri.split("/");
    const item = await itemStore().get({ documentId, itemId });
    return item?.versions.some((each) => each.file?.sha256 === sha256) ?? false;
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
  "record.suppressed": recordHasChanged("suppressed"),
  "record.activated": recordHasChanged("active"),
  "record.deleted": recordHasChanged("deleted"),
  "collection.suppressed": collectionHasChanged("suppressed"),
  "collection.activated": collectionHasChanged("active"),
  "collection.deleted": collectionHasChanged("deleted"),
  "capture.done": ({ jobId = "" }) => jobIsIn(jobId, "done"),
  "capture.failed": ({ jobId = "" }) => jobIsIn(jobId, "failed"),
  "index.ready": async ({ definitionId = "", generation }) => {
    const { snapshotStore } = await import("../../../shared/snapshots/stores/snapshot-store.ts");
    const stored = await snapshotStore().definition(definitionId);
    return stored?.definition.generation === Number(generation) && stored.definition.index?.state === "ready";
  },
};

function recordHasChanged(status: LinkStatusValue): Check {
  return async ({ recordId = "", since = "" }) => {
    const { linkRecords } = await import("../../../shared/links/stores/link-records.ts");
    return hasChanged((await linkRecords().get(recordId))?.link, { status, since });
  };
}

function collectionHasChanged(status: LinkStatusValue): Check {
  return async ({ collectionId = "", since = "" }) => {
    const { collectionStore } = await import("../../../shared/links/stores/collection-store.ts");
    return hasChanged(await collectionStore().linkStatus(collectionId), { status, since });
  };
}

/** Whether a link status has changed like this: last, or before changes whose events are to come. */
function hasChanged(
  link: LinkStatus | undefined,
  change: { status: LinkStatusValue; since: string },
): boolean {
  const changes = link === undefined ? [] : [link, ...(link.pendingNotifications ?? [])];
  return changes.some(({ status, since }) => status === change.status && since === change.since);
}

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
  /** The changes that were published, by type. */
  readonly changes: Record<string, Set<string>> = {};

  readonly onEvent = async ({ "detail-type": type = "", detail }: BusEvent): Promise<void> => {
    const check = checks[type];
    if (check === undefined) return;
    this.checked[type] = (this.checked[type] ?? 0) + 1;
    this.changes[type] ??= new Set();
    this.changes[type].add((detail as { changeId: string }).changeId);
    if (!(await check(detail as Record<string, string>)))
      this.untrue.push(`${type} ${JSON.stringify(detail)}`);
  };
}
