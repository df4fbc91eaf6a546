import type { LinkStatus } from "./link-status.ts";

/** What link checking knows of a record. */
export interface RecordLink {
  recordId: string;
  collectionId: string;
  title: string;
  /** The page that the record points to. */
  landingUrl: string;
  /** Publication date where it is known, else the harvest's. ISO 8601 in UTC. */
  syndicatedAt: string;
  /** Absent for a record that no check has ever found wanting. */
  link?: LinkStatus;
}
