import { objectKeys } from "../../names.ts";
import type { Parts } from "../../runs/parts.ts";
import type { RunMode } from "../../runs/run.ts";
import type { Group } from "../../sources/group.ts";

/**
 * The files of a run. Valid records go to the group's destination; the others are for operators, and stay in the bucket of
 * deliveries beside them.
 */
export const fileKinds = ["valid", "onlineFirst", "delinquent"] as const;
export type FileKind = (typeof fileKinds)[number];

const nameEndings: Record<FileKind, string> = {
  valid: "",
  onlineFirst: "_online_first",
  delinquent: "_errors",
};

/** A file that is to be written. */
export interface PlannedFile {
  kind: FileKind;
  groupId: string;
  fileName: string;
  /** Its key in the bucket of deliveries; absent when its group was not to be had for the plan: the upload finds it then. */
  key?: string;
  articles: Parts;
}

/** A file whose key is known. */
export type KeyedFile = PlannedFile & { key: string };

/** A file that is written and, when it holds valid records, delivered. */
export interface UploadedFile extends KeyedFile {
  /** ISO 8601, UTC. */
  deliveredAt: string;
  /** What an operator should look at on receivers. */
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

/** Where a delivery stands in the list of all: by the start of its run, then by its key. */
export function deliverySortKey({ runStartedAt, key }: Pick<Delivery, "runStartedAt" | "key">): string {
  return `${runStartedAt}#${key}`;
}

/** Such a place. A longer one cannot be, as a sort key has at most 1,024 bytes. */
export const deliverySortKeyPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w./-]{1,999}$/;

/** Where a group's file is in the bucket of deliveries; what is delivered to the test system is kept apart. */
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
