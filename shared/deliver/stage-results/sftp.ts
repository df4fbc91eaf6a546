import type { RemoteError } from "../../core/errors.ts";
import type { SftpDestination } from "../../records/sources/group-delivery-fields.ts";

/** The files of a receiver during a login. Paths are relative to the login's folder. */
export interface SftpSession {
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** In bytes; `undefined` when there is no such file. */
  sizeOf(path: string): Promise<number | undefined>;
  /**
   * @returns the receiver's refusal
   * @throws RemoteError when the outcome is unknown
   */
  rename(from: string, to: string): Promise<RemoteError | undefined>;
  /** @returns the receiver's refusal; a missing file is not an error */
  remove(path: string): Promise<RemoteError | undefined>;
}

type SftpOutcome = { type: "done" } | { type: "failed"; reason: string };

export interface Sftp {
  /** Logs in as the group, does the work and logs out. A refusal of the receiver is an outcome. */
  withSession(
    to: { groupId: string; destination: SftpDestination },
    work: (session: SftpSession) => Promise<void>,
  ): Promise<SftpOutcome>;
}
