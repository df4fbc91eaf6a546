import type { LinkStatus } from "./link-status.ts";

/** The fields of a record that link checking uses. */
export interface RecordLink {
  recordId: string;
  collectionId: string;
  title: string;
  /** The page that the record points to. */
  landingUrl: string;
  /** The publication date if known, else the date of the harvest. ISO 8601 in UTC. */
  syndicatedAt: string;
  /** Absent while no check has failed. */
  link?: LinkStatus;
}
