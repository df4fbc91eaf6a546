import type { LinkStatus } from "./link-status.ts";

/** The fields of a record that link checking uses. */
export interface RecordLink {
  recordId: string;
  collectionId: string;
  title: string;
  /** The page that the record points to. */
  landingUrl: string;
  /** The publication date or, if that is unknown, the date of the harvest. ISO 8601 in UTC. */
  syndicatedAt: string;
  /** The link status; absent until a check fails. */
  link?: LinkStatus;
}
