/** A collection that searches do not show. */
export interface SuppressedCollection {
  collectionId: string;
  /** `hold`: an operator; `checks`: its links, which are checked again. */
  by: "checks" | "hold";
  /** ISO 8601, UTC, as all times here. Absent for a hold. */
  since?: string;
  reason?: string;
}

/** At most `limit` of those suppressed by checks, and of those held. */
export type ListSuppressedCollections = (limit: number) => Promise<SuppressedCollection[]>;
