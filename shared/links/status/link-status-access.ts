import type { LinkStatus, LinkStatusValue, StatusChange } from "./link-status.ts";

/** Reads and writes the link status of a record or a collection, and notifies of changes. */
export interface LinkStatusAccess<Subject> {
  /** Undefined when there is no such record or collection. */
  read(): Promise<Subject | undefined>;
  linkStatusOf(subject: Subject): LinkStatus | undefined;
  /** The status that searches use when the subject has this link status. */
  shownStatusOf(subject: Subject, linkStatus: LinkStatus | undefined): LinkStatusValue;
  /** Writes a link status if the stored one is still `was`; `false` otherwise. */
  write(subject: Subject, linkStatus: LinkStatus, was: LinkStatus | undefined): Promise<boolean>;
  /** Idempotent. @throws RemoteError when an address refuses its mail; all others have it then */
  notify(subject: Subject, change: StatusChange): Promise<void>;
}
