import type { ArchiveClaim, ArchiveEntry, OperatorState } from "./archive-entry.ts";
import type { KnownReason } from "./known-reason.ts";

export interface ArchiveStore {
  /** Those of the keys whose record is not to be harvested or delivered (again), and why. */
  knownReasons(keys: string[], read?: { isConsistent: boolean }): Promise<ReadonlyMap<string, KnownReason>>;
  /**
   * Claims a key for a record; `false` when another has it and is neither expired by the time `at` nor in a state that
   * gives it away. A claim repeated by its owner holds, and changes nothing. Of what described the record before, the file of
   * its delivery stays.
   */
  claim(key: string, claim: ArchiveClaim, at: Date): Promise<boolean>;
  /** Frees a key that the owner has claimed; nothing happens when it is another's by now. */
  releaseClaim(key: string, owner: string): Promise<void>;
  /** Keeps what became of a record under its entry key, for its owner; what an operator has made of it since stays. */
  saveEntry(entry: Omit<ArchiveEntry, "expiresAt">): Promise<void>;
  /** The record that has this key; undefined when none has it. */
  entry(key: string): Promise<ArchiveEntry | undefined>;
  /** Changes the state of a key for good, unless it has another owner. */
  setState(key: string, owner: string, state: OperatorState): Promise<void>;
}
