/** A collection that searches do not show. */
export interface SuppressedCollection {
  collectionId: string;
  /**
   * `hold` means that an operator suppressed the collection; `checks` means that its links did, which are checked
   * again.
   */
  by: "checks" | "hold";
  /** ISO 8601 in UTC. Absent for a hold. */
  since?: string;
  reason?: string;
}

/** Lists at most `limit` collections that checks suppress, and at most `limit` that operators hold. */
export type ListSuppressedCollections = (limit: number) => Promise<SuppressedCollection[]>;
