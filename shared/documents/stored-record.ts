import type { RunMode } from "../runs/run.ts";

/**
 * Where a record stands.
 * - `harvested`: converted, not yet delivered
 * - `online-first`: without volume and issue; waits for its final form
 * - `delinquent`: refused by validation
 * - `released`: refused before, and now waiting for the next delivery
 * - `duplicate`: the archive knows another record of the same article
 * - `delivered`: in a delivered file
 */
export type RecordState =
  | "harvested"
  | "online-first"
  | "delinquent"
  | "released"
  | "duplicate"
  | "delivered";

/** What is known of a record besides its MARC. */
export interface StoredRecord {
  recordId: string;
  sourceId: string;
  groupId: string;
  /** Records of a collection share a link rule and a link status. */
  collectionId: string;
  /** The run that wrote it last, and its mode. */
  runId: string;
  deliveryMode: RunMode;
  title: string;
  /** The page that the record points to. */
  landingUrl: string;
  /** When it was published, where that is known, else when it was harvested. ISO 8601, UTC. */
  syndicatedAt: string;
  hash: string;
  recordKey: string;
  state: RecordState;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** Why validation refused it. */
  findings?: string[];
  /** The delivered file that holds it. */
  deliveryFile?: string;
}
