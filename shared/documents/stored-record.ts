import type { MarcRecord } from "../marc/record.ts";
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
type RecordState = "harvested" | "online-first" | "delinquent" | "released" | "duplicate" | "delivered";

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

export interface RecordStore {
  /** Keeps the MARC record under a key of its own and gives the key. */
  storeMarc(recordId: string, record: MarcRecord): Promise<string>;
  loadMarc(recordKey: string): Promise<MarcRecord>;
  /**
   * Writes what a run found out about the record; `true` when this run was the first. What the run has written before
   * and what is delivered stays as it is; a live run takes over what test runs have written, and never the other way round.
   */
  save(record: StoredRecord): Promise<boolean>;
  /** Changes the state of a record that was written in this mode, and is not delivered. */
  setState(
    record: Pick<StoredRecord, "recordId" | "deliveryMode">,
    state: RecordState,
    details?: { findings?: string[]; deliveryFile?: string },
  ): Promise<void>;
  /** Makes a record that was delivered in this mode one that may be harvested and delivered anew. */
  resetDelivered(record: Pick<StoredRecord, "recordId" | "deliveryMode">): Promise<void>;
  get(recordId: string): Promise<StoredRecord | undefined>;
}
