import type { MarcRecord } from "../../marc/record.ts";
import type { OriginFinding } from "../origin/origin-finding.ts";
import type { OriginSummary } from "../origin/origin-summary.ts";
import type { Provenance } from "../origin/provenance.ts";
import type { RunMode } from "../runs/run.ts";

/**
 * The states of a record.
 * - `harvested`: converted, not yet delivered
 * - `online-first`: without volume and issue; waits for its final form
 * - `delinquent`: refused by validation
 * - `released`: refused earlier; waits for the next delivery
 * - `duplicate`: the archive contains another record of the same article
 * - `delivered`: in a delivered file
 */
export const recordStates = [
  "harvested",
  "online-first",
  "delinquent",
  "released",
  "duplicate",
  "delivered",
] as const;
type RecordState = (typeof recordStates)[number];

/** The metadata of a stored record. */
export interface StoredRecord {
  recordId: string;
  sourceId: string;
  groupId: string;
  /** The collection to which the record belongs. Records of a collection share a link rule and a link status. */
  collectionId: string;
  /** The run that last wrote the record, and the mode of the run. */
  runId: string;
  deliveryMode: RunMode;
  title: string;
  /** The page that the record points to. */
  landingUrl: string;
  /** When the record was published or, if that is unknown, harvested. ISO 8601 in UTC. */
  syndicatedAt: string;
  hash: string;
  recordKey: string;
  state: RecordState;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** The reasons why validation refused the record. */
  findings?: string[];
  /** The origin of each field. */
  provenance?: Provenance;
  /** What lists show of the origin; absent when there is nothing to show. */
  origin?: OriginSummary | undefined;
  /** What is remarkable about the origin. */
  originFindings?: OriginFinding[];
  /** The delivered file that contains the record. */
  deliveryFile?: string;
}

/** The number of versions of a record that are kept, including the current version. */
export const keptVersions = 4;

/** A version of a record. */
export interface RecordVersion {
  recordKey: string;
  /** When the state of the record was last set. ISO 8601 in UTC. */
  at: string;
}

export interface RecordStore {
  /**
   * Stores the MARC record as an object.
   * @returns the key of the object
   */
  storeMarc(recordId: string, record: MarcRecord): Promise<string>;
  /**
   * Stores the MARC records of a page as one object, because writing 100,000 separate objects would cost half a US
   * dollar.
   * @returns the keys of the records, in their order
   */
  storeMarcs(records: MarcRecord[]): Promise<string[]>;
  loadMarc(recordKey: string): Promise<MarcRecord>;
  /**
   * Saves the record that a run has harvested. A delivered record, and a record that the same run has written, are not
   * overwritten. A live run overwrites records of test runs, and both overwrite records that were read without a
   * delivery; the reverse never happens.
   * @returns whether this run was the first to save the record
   */
  save(record: StoredRecord): Promise<boolean>;
  /** Sets the state of a record of this mode, unless the record is delivered. */
  setState(
    record: Pick<StoredRecord, "recordId" | "deliveryMode">,
    state: RecordState,
    details?: { findings?: string[]; deliveryFile?: string },
  ): Promise<void>;
  /** Allows a delivered record of this mode to be harvested and delivered again. */
  resetDelivered(record: Pick<StoredRecord, "recordId" | "deliveryMode">): Promise<void>;
  get(recordId: string): Promise<StoredRecord | undefined>;
  /**
   * Reads the current version and the versions that it has replaced, newest first. The result is empty when the record
   * does not exist.
   */
  versions(recordId: string): Promise<RecordVersion[]>;
}
