import type { LinkStatus, LinkStatusValue, StatusChange } from "./link-status.ts";

/** Whose link status it is, a record's or a collection's: how it is read and written, and who is told of a move. */
export interface LinkStatusAccess<Subject> {
  /** As it is now; undefined when there is none. */
  read(): Promise<Subject | undefined>;
  linkStatusOf(subject: Subject): LinkStatus | undefined;
  /** What others see of the subject with this link status. */
  shownStatusOf(subject: Subject, linkStatus: LinkStatus | undefined): LinkStatusValue;
  /** Writes a link status if it is still the one that was read; `false` otherwise. */
  write(subject: Subject, linkStatus: LinkStatus, was: LinkStatus | undefined): Promise<boolean>;
  /** Tells of a change. May be done twice. @throws RemoteError when all have been told that can be */
  notify(subject: Subject, change: StatusChange): Promise<void>;
}
