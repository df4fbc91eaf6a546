import type { RunMode } from "../harvest/run.ts";

/** A delivered file. */
export interface Delivery {
  groupId: string;
  /** `<group>_zotero_YYMMDD_NNN.xml` */
  fileName: string;
  /** Its key in the deliveries bucket. */
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

/**
 * The name under which the receiver accepts a file.
 * @param day the run's local day, `YYYY-MM-DD`
 * @param number of the file on that day, from 1
 */
export function deliveryFileName(groupId: string, day: string, number: number): string {
  return `${groupId}_zotero_${day.slice(2).replaceAll("-", "")}_${String(number).padStart(3, "0")}.xml`;
}
