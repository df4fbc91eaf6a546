import type { MarcRecord } from "../../marc/record.ts";
import type { RunMode } from "../runs/run.ts";

/**
 * The state of a record.
 * - `harvested`: converted, not yet delivered
 * - `online-first`: without volume and issue; waits for its final form
 * - `delinquent`: refused by validation
 * - `released`: refused earlier; waits for the next delivery
 * - `duplicate`: the archive knows another record of the same article
 * - `delivered`: in a delivered file
 */
type RecordState = "harvested" | "online-first" | "delinquent" | "released" | "duplicate" | "delivered";

/** The metadata of a stored record. */
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
  /** When it was published, or harvested when that is unknown. ISO 8601, UTC. */
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

/** The number of versions of a record that are kept, the present one included. */
export const keptVersions = 4;

/** A version of a record. */
export interface RecordVersion {
  recordKey: string;
  /** When its state was set last. ISO 8601, UTC. */
  at: string;
}

export interface RecordStore {
  /**
   * Stores the MARC record as an object.
   * @returns its key
   */
  storeMarc(recordId: string, record: MarcRecord): Promise<string>;
  /**
   * Stores the MARC records of a page as one object: of 100,000 objects the writes alone would cost half a dollar.
   * @returns their keys, in the order of the records
   */
  storeMarcs(records: MarcRecord[]): Promise<string[]>;
  loadMarc(recordKey: string): Promise<MarcRecord>;
  /**
   * Saves the record that a run has harvested. What the same run has written, and a delivered record, stay. A live run
   * overwrites the records of test runs, and both those that were read without a delivery, never the reverse.
   * @returns whether this run was the first to save the record
   */
  save(record: StoredRecord): Promise<boolean>;
  /** Sets the state of a record of this mode that is not delivered. */
  setState(
    record: Pick<StoredRecord, "recordId" | "deliveryMode">,
    state: RecordState,
    details?: { findings?: string[]; deliveryFile?: string },
  ): Promise<void>;
  /** Lets a delivered record of this mode be harvested and delivered again. */
  resetDelivered(record: Pick<StoredRecord, "recordId" | "deliveryMode">): Promise<void>;
  get(recordId: string): Promise<StoredRecord | undefined>;
  /** The present version and those that it has replaced, newest first; empty when there is no such record. */
  versions(recordId: string): Promise<RecordVersion[]>;
}
