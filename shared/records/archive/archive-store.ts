import type { DeliveryMode } from "../sources/delivery-mode.ts";
import type { ArchiveClaim, ArchiveEntry, OperatorState, UpdatedEntry } from "./archive-entry.ts";
import type { KnownReason } from "./known-reason.ts";

export interface ArchiveStore {
  /** Returns the keys whose record must not be harvested or delivered (again), each with the reason. */
  knownReasons(keys: string[], read?: { isConsistent: boolean }): Promise<ReadonlyMap<string, KnownReason>>;
  /**
   * Claims a key for a record. Fails when another owner has claimed the key, that claim has not expired at the time
   * `at`, and its state is not claimable. A claim that is repeated by its owner succeeds and changes nothing. The claim
   * of a new owner removes the description of the record, except for its delivered file.
   * @returns whether the owner has the key
   */
  claim(key: string, claim: ArchiveClaim, at: Date): Promise<boolean>;
  /** Reads the claim to a key, even if its record has not been described yet. */
  claimOf(key: string): Promise<ArchiveClaim | undefined>;
  /** Releases a key that the owner has claimed. Has no effect when another owner has the key. */
  releaseClaim(key: string, owner: string): Promise<void>;
  /**
   * Saves the description of a record under its entry key, for its owner. If an operator has set a state meanwhile,
   * that state is kept.
   */
  saveEntry(entry: Omit<ArchiveEntry, "expiresAt">): Promise<void>;
  /**
   * Reads the entry of the record that has this key.
   * @returns undefined when there is none
   */
  entry(key: string): Promise<ArchiveEntry | undefined>;
  /**
   * Lists the entries whose title begins with a text, sorted by title. An entry of the last few seconds may be missing.
   * @param page.after the record id and the title of the last entry of the previous page
   */
  byTitle(
    beginning: string,
    mode: DeliveryMode,
    page: { limit: number; after?: Pick<ArchiveEntry, "recordId" | "title"> | undefined },
  ): Promise<ArchiveEntry[]>;
  /**
   * Yields the keys of the entries of a source that were delivered or last seen on these days (`YYYY-MM-DD`, in UTC),
   * oldest first. An entry of the last few seconds may be missing.
   */
  entryKeysOfSource(
    sourceId: string,
    mode: DeliveryMode,
    days: { from?: string; to?: string },
  ): AsyncIterable<string[]>;
  /**
   * Reserves the entry of a delivered record for an update, unless its content is no longer that of `recordKey`, or
   * another update than `insteadOf` has reserved it. A repeat succeeds.
   * @returns whether the update has the entry
   */
  reserveUpdate(
    entryKey: string,
    wanted: Pick<ArchiveEntry, "owner" | "recordKey"> & { update: string; insteadOf?: string | undefined },
  ): Promise<boolean>;
  /** Replaces the description of a record for which the update has reserved the entry, and ends the reservation. */
  saveUpdate(entryKey: string, entry: UpdatedEntry): Promise<boolean>;
  /** Sets the state of a key, without an expiry. Has no effect when another owner has the key. */
  setState(key: string, owner: string, state: OperatorState): Promise<void>;
}
