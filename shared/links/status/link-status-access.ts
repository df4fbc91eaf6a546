import type { LinkStatus, LinkStatusValue, StatusChange } from "./link-status.ts";

/** Provides reading and writing of the link status of a record or a collection, with notifications of its changes. */
export interface LinkStatusAccess<Subject> {
  /**
   * Reads the record or collection.
   * @returns undefined when it does not exist
   */
  read(): Promise<Subject | undefined>;
  linkStatusOf(subject: Subject): LinkStatus | undefined;
  /** Returns the status that searches use when the subject has this link status. */
  shownStatusOf(subject: Subject, linkStatus: LinkStatus | undefined): LinkStatusValue;
  /**
   * Writes a link status if the stored one is still `was`.
   * @returns whether the status was written
   */
  write(subject: Subject, linkStatus: LinkStatus, was: LinkStatus | undefined): Promise<boolean>;
  /**
   * Notifies of a change. Idempotent.
   * @throws RemoteError when an address refuses its mail; all other addresses have got theirs by then
   */
  notify(subject: Subject, change: StatusChange): Promise<void>;
}
