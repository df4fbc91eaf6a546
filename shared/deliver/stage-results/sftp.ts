import type { RemoteError } from "../../core/errors.ts";
import type { SftpDestination } from "../../records/sources/group-delivery-fields.ts";

/** The files of a receiver during a login. Paths are relative to the folder of the login. */
export interface SftpSession {
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Returns the size in bytes, or `undefined` when the file does not exist. */
  sizeOf(path: string): Promise<number | undefined>;
  /**
   * Renames a file.
   * @returns the receiver's refusal
   * @throws RemoteError when the outcome is unknown
   */
  rename(from: string, to: string): Promise<RemoteError | undefined>;
  /**
   * Removes a file.
   * @returns the receiver's refusal; a missing file is not an error
   */
  remove(path: string): Promise<RemoteError | undefined>;
}

type SftpOutcome = { type: "done" } | { type: "failed"; reason: string };

export interface Sftp {
  /** Logs in as the group, does the work, and logs out. A refusal by the receiver is an outcome, not an error. */
  withSession(
    to: { groupId: string; destination: SftpDestination },
    work: (session: SftpSession) => Promise<void>,
  ): Promise<SftpOutcome>;
}
