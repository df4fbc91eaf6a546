import type { RemoteError } from "../../core/errors.ts";
import type { SftpDestination } from "../../sources/group.ts";

/** The files of a receiver, while we are logged in. Paths are relative to where the login leads. */
export interface SftpSession {
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** In bytes; `undefined` when there is no such file. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Gives the receiver's refusal; throws when it is not known whether it has done so. */
  rename(from: string, to: string): Promise<RemoteError | undefined>;
  /** Gives the receiver's refusal. Nothing happens when there is no such file. */
  remove(path: string): Promise<RemoteError | undefined>;
}

type SftpOutcome = { type: "done" } | { type: "failed"; reason: string };

export interface Sftp {
  /** Logs in as the group, does the work and logs out. What the receiver does not let us do is an outcome. */
  withSession(
    to: { groupId: string; destination: SftpDestination },
    work: (session: SftpSession) => Promise<void>,
  ): Promise<SftpOutcome>;
}
