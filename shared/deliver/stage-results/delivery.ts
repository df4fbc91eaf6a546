import { objectKeys } from "../../names.ts";
import type { Parts } from "../../records/runs/parts.ts";
import type { RunMode } from "../../records/runs/run.ts";
import type { Group } from "../../records/sources/group.ts";

/**
 * The kinds of files of a run. Valid records go to the group's destination. The other files are for operators, and stay
 * in the bucket of deliveries.
 */
export const fileKinds = ["valid", "onlineFirst", "delinquent"] as const;
export type FileKind = (typeof fileKinds)[number];

const nameEndings: Record<FileKind, string> = {
  valid: "",
  onlineFirst: "_online_first",
  delinquent: "_errors",
};

/** A file of the plan. */
export interface PlannedFile {
  kind: FileKind;
  groupId: string;
  fileName: string;
  /**
   * Its key in the bucket of deliveries. Absent when its group was missing or unusable in the plan; then the upload
   * sets it.
   */
  key?: string;
  documents: Parts;
}

/** A file whose key is known. */
export type KeyedFile = PlannedFile & { key: string };

/** A file that is written and, if it has valid records, delivered. */
export interface UploadedFile extends KeyedFile {
  /** ISO 8601, UTC. */
  deliveredAt: string;
  /** What an operator should check on receivers. */
  remarks?: string[];
}

/** A delivered file. */
export interface Delivery {
  groupId: string;
  /** `<group>_zotero_YYMMDD_NNN.xml` */
  fileName: string;
  /** Its key in the bucket of deliveries. */
  key: string;
  runId: string;
  /** ISO 8601, UTC; deliveries are listed by it. */
  runStartedAt: string;
  deliveryMode: RunMode;
  records: number;
  sizeBytes: number;
  /** ISO 8601, UTC. */
  deliveredAt: string;
}

/** The sort key of a delivery among all: the start of its run, then its key. */
export function deliverySortKey({ runStartedAt, key }: Pick<Delivery, "runStartedAt" | "key">): string {
  return `${runStartedAt}#${key}`;
}

/** The schema of that sort key, which has at most 1,024 bytes. */
export const deliverySortKeyPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w./-]{1,999}$/;

/** The key of a group's file in the bucket of deliveries. Deliveries to the test system have their own folder. */
export function deliveryKey(
  { outputFolder }: Pick<Group, "outputFolder">,
  mode: RunMode,
  fileName: string,
): string {
  return objectKeys.delivery(mode === "TEST" ? `${outputFolder}-test` : outputFolder, fileName);
}

/**
 * The name under which the receiver accepts a file: it must start with the group.
 * @param day the run's local day, `YYYY-MM-DD`
 * @param number of the file of its kind on that day, from 1
 */
export function deliveryFileName(
  { groupId, kind }: { groupId: string; kind: FileKind },
  day: string,
  number: number,
): string {
  const date = day.slice(2).replaceAll("-", "");
  return `${groupId}_zotero_${date}_${String(number).padStart(3, "0")}${nameEndings[kind]}.xml`;
}
