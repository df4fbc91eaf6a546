import type { DeliveryMode } from "../sources/delivery-mode.ts";
import type { ArchiveClaim, ArchiveEntry, OperatorState } from "./archive-entry.ts";
import type { KnownReason } from "./known-reason.ts";

export interface ArchiveStore {
  /** The keys whose record must not be harvested or delivered (again), each with the reason. */
  knownReasons(keys: string[], read?: { isConsistent: boolean }): Promise<ReadonlyMap<string, KnownReason>>;
  /**
   * Claims a key for a record. `false`: another owner has it, has not expired at the time `at`, and is in a state that is not
   * claimable. A claim repeated by its owner succeeds and changes nothing. A new owner's claim removes the description of the
   * record, except for its delivered file.
   */
  claim(key: string, claim: ArchiveClaim, at: Date): Promise<boolean>;
  /** The claim to a key, also before its record is described. */
  claimOf(key: string): Promise<ArchiveClaim | undefined>;
  /** Releases a key that the owner has claimed. No effect when another owner has it. */
  releaseClaim(key: string, owner: string): Promise<void>;
  /** Saves the description of a record under its entry key, for its owner. A state that an operator has set since stays. */
  saveEntry(entry: Omit<ArchiveEntry, "expiresAt">): Promise<void>;
  /** The entry of the record that has this key; undefined when there is none. */
  entry(key: string): Promise<ArchiveEntry | undefined>;
  /**
   * The entries whose title begins so, by title; one of the last seconds may be missing.
   * @param page.after the record id and title of the last entry before
   */
  byTitle(
    beginning: string,
    mode: DeliveryMode,
    page: { limit: number; after?: Pick<ArchiveEntry, "recordId" | "title"> | undefined },
  ): Promise<ArchiveEntry[]>;
  /** Sets the state of a key without expiry. No effect when it has another owner. */
  setState(key: string, owner: string, state: OperatorState): Promise<void>;
}
