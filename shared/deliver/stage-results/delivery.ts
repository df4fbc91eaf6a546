import { objectKeys } from "../../names.ts";
import type { Parts } from "../../records/runs/parts.ts";
import type { Run, RunMode } from "../../records/runs/run.ts";
import type { Group } from "../../records/sources/group.ts";

/**
 * The kinds of files of a run. Files of valid records are sent to the group's destination. The other files are for
 * operators, and remain in the bucket of deliveries.
 */
export const fileKinds = ["valid", "onlineFirst", "delinquent"] as const;
export type FileKind = (typeof fileKinds)[number];

const nameEndings: Record<FileKind, string> = {
  valid: "",
  onlineFirst: "_online_first",
  delinquent: "_errors",
};

/** The run, or the reconversion, as which files are delivered. */
export type DeliveredRun = Pick<Run, "runId" | "deliveryMode" | "startedAt">;

/** A file of the plan. */
export interface PlannedFile {
  kind: FileKind;
  groupId: string;
  fileName: string;
  /**
   * The key of the file in the bucket of deliveries. Absent when the group was missing or unusable when the plan was
   * made; the upload then sets the key.
   */
  key?: string;
  documents: Parts;
}

/** A file whose key is known. */
export type KeyedFile = PlannedFile & { key: string };

/** A file that has been written and, if it contains valid records, delivered. */
export interface UploadedFile extends KeyedFile {
  /** ISO 8601, UTC. */
  deliveredAt: string;
  /** Notes on what an operator should check at receivers. */
  remarks?: string[];
}

/** A delivered file. */
export interface Delivery {
  groupId: string;
  /** The name of the file: `<group>_zotero_YYMMDD_NNN.xml`, or `…_NNN_updates.xml` for a file of updates. */
  fileName: string;
  /** The key of the file in the bucket of deliveries. */
  key: string;
  runId: string;
  /** The start of the run, by which deliveries are sorted. ISO 8601 in UTC. */
  runStartedAt: string;
  deliveryMode: RunMode;
  records: number;
  sizeBytes: number;
  /** ISO 8601, UTC. */
  deliveredAt: string;
}

/** Returns the sort key of a delivery in the list of all deliveries: the start of its run, followed by its key. */
export function deliverySortKey({ runStartedAt, key }: Pick<Delivery, "runStartedAt" | "key">): string {
  return `${runStartedAt}#${key}`;
}

/** Matches a sort key, which has at most 1,024 bytes. */
export const deliverySortKeyPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w./-]{1,999}$/;

/**
 * Returns the key of a group's file in the bucket of deliveries. Deliveries to the test system have separate folders.
 */
export function deliveryKey(
  { outputFolder }: Pick<Group, "outputFolder">,
  mode: RunMode,
  fileName: string,
): string {
  return objectKeys.delivery(mode === "TEST" ? `${outputFolder}-test` : outputFolder, fileName);
}

/**
 * Returns the name under which the receiver accepts a file. It must start with the group.
 * @param day the local day of the run, `YYYY-MM-DD`
 * @param number the number of the file among those of its kind on that day, from 1
 */
export function deliveryFileName(
  { groupId, kind, nameEnding = nameEndings[kind] }: { groupId: string; kind: FileKind; nameEnding?: string },
  day: string,
  number: number,
): string {
  const date = day.slice(2).replaceAll("-", "");
  return `${groupId}_zotero_${date}_${String(number).padStart(3, "0")}${nameEnding}.xml`;
}
