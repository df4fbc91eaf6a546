import { collectBytes } from "../../../local/cli/memory/collect-bytes.ts";
import type { Write } from "../../../local/cli/memory/write.ts";
import { RemoteError } from "../../../shared/core/errors.ts";
import type { Sftp, SftpSession } from "../../../shared/deliver/stage-results/sftp.ts";

/** What receivers hold, and how they fail. */
interface Receiver {
  /** The files that are not under their final names yet. */
  remote: Map<string, Uint8Array>;
  /** What has been taken away, which is done at once. */
  received: [path: string, content: Uint8Array][];
  /** Why the receivers of groups cannot be delivered to. */
  deadReceivers: Map<string, string>;
  /** While set, renaming, or removing, is refused. */
  refusal: RemoteError | undefined;
  clearingRefusal: RemoteError | undefined;
  /** While set, files are cleared away as soon as they are written. */
  clearsAway: boolean;
}

/** SFTP without a server. */
export function memorySftp(memory: Receiver, write: Write): Sftp {
  return {
    withSession: async ({ groupId }, work) => {
      const reason = memory.deadReceivers.get(groupId);
      if (reason !== undefined) return { type: "failed", reason };
      const session: SftpSession = {
        write: async (path, content) => {
          const bytes = await collectBytes(content);
          await write(() => void memory.remote.set(path, bytes.subarray(0, bytes.length / 2)));
          await write(() => void memory.remote.set(path, bytes));
        },
        sizeOf: async (path) => memory.remote.get(path)?.byteLength,
        rename: (from, to) =>
          write(() => {
            const content = memory.remote.get(from);
            if (memory.refusal !== undefined) return memory.refusal;
            if (content === undefined || memory.clearsAway) {
              memory.remote.delete(from);
              return new RemoteError(`renaming ${from}: no such file`);
            }
            memory.received.push([to, content]);
            memory.remote.delete(from);
            return undefined;
          }),
        remove: (path) =>
          write(() => {
            if (memory.clearingRefusal === undefined) memory.remote.delete(path);
            return memory.clearingRefusal;
          }),
      };
      try {
        await work(session);
        return { type: "done" };
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        return { type: "failed", reason: error.message };
      }
    },
  };
}
