import { createHash } from "node:crypto";
import { posix } from "node:path";
import { Readable } from "node:stream";
import Client from "ssh2-sftp-client";
import { RemoteError } from "../../core/errors.ts";

interface SftpServer {
  host: string;
  port: number;
  username: string;
  /** `SHA256:…`, in the format of `ssh-keygen -lf`. */
  hostKeyFingerprint: string;
}

/** A private key in OpenSSH or PEM form, with its passphrase if it has one; or a password. */
export interface SftpLogin {
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  password?: string | undefined;
}

/** The longest time for connection and login. */
const readyTimeoutMs = 20_000;

/**
 * A receiver that misses three keepalives counts as lost. Without keepalives, the client would wait until the stage
 * ends.
 */
const keepalive = { keepaliveInterval: 10_000, keepaliveCountMax: 3 };

/** The longest wait for a connection to close. */
const maxCloseMs = 5_000;

/**
 * Logs in, does the work and logs out.
 * @throws RemoteError when the server is unreachable, has another host key, refuses, or stops answering
 */
export async function withSftp(
  server: SftpServer,
  login: SftpLogin,
  work: (files: SftpFiles) => Promise<void>,
): Promise<void> {
  const { hostKeyFingerprint, ...address } = server;
  let seenFingerprint = hostKeyFingerprint;
  const hostVerifier = (key: Buffer) => {
    seenFingerprint = fingerprintOf(key);
    return seenFingerprint === hostKeyFingerprint;
  };
  const client = new Client();
  try {
    await client
      .connect({
        ...address,
        ...withoutUndefined(login),
        ...keepalive,
        readyTimeout: readyTimeoutMs,
        hostVerifier,
      })
      .catch((error) => {
        if (seenFingerprint === hostKeyFingerprint)
          throw sftpError(server, `the login failed: ${error.message}`, error);
        throw sftpError(server, `the server's key is ${seenFingerprint}, not ${hostKeyFingerprint}`, error);
      });
    await work(sftpFiles(client, server));
  } finally {
    // An error while the connection closes changes neither the result nor the error of the work.
    const ended = client.end().catch(() => undefined);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, maxCloseMs).unref())]);
  }
}

/** @see https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02 */
export type SftpFiles = ReturnType<typeof sftpFiles>;

function sftpFiles(client: Client, server: SftpServer) {
  const withContext = <T>(what: string, done: Promise<T>): Promise<T> =>
    done.catch((error) => {
      throw sftpError(server, `${what}: ${error.message}`, error);
    });
  /**
   * Returns the server's refusal. A lost connection leaves the outcome unknown, so the second command throws in that
   * case.
   */
  const refusalOf = async (done: Promise<unknown>, what: string): Promise<RemoteError | undefined> => {
    const refusal = await done.then(
      () => undefined,
      (error) => sftpError(server, `${what}: ${error.message}`, error),
    );
    if (refusal === undefined) return undefined;
    // The error of a closed client contains only the client's own code, not the cause.
    const lost = () => sftpError(server, `${what}: the connection was lost before it was answered`, refusal);
    return client.cwd().then(
      () => refusal,
      () => Promise.reject(lost()),
    );
  };
  const exists = async (path: string) =>
    (await withContext(`looking for ${path}`, client.exists(path))) !== false;
  /** Another run may create a folder of the path between the check and `mkdir`. */
  const ensureFolder = async (folder: string) => {
    for (let toLose = folder.split("/").length; !(await exists(folder)); toLose -= 1) {
      const made = client.mkdir(folder, true);
      await (toLose > 0 ? made.catch(() => {}) : withContext(`making ${folder}`, made));
    }
  };
  return {
    /** Returns the size in bytes; `undefined` when there is no such file. */
    async sizeOf(path: string): Promise<number | undefined> {
      return (await exists(path))
        ? (await withContext(`looking at ${path}`, client.stat(path))).size
        : undefined;
    },
    async write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
      await ensureFolder(posix.dirname(path));
      await withContext(`writing ${path}`, client.put(Readable.from(content), path));
    },
    /** Renames a file. @returns the server's refusal, if there is one */
    rename(from: string, to: string): Promise<RemoteError | undefined> {
      return refusalOf(client.rename(from, to), `renaming ${from} to ${to}`);
    },
    /** Deletes a file. A missing file is not an error. @returns the server's refusal, if there is one */
    remove(path: string): Promise<RemoteError | undefined> {
      return refusalOf(client.delete(path, true), `removing ${path}`);
    },
  };
}

function sftpError({ host, port }: SftpServer, what: string, cause: Error): RemoteError {
  return new RemoteError(`sftp://${host}:${port}: ${what}`, { cause });
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

function withoutUndefined(login: SftpLogin): { privateKey?: string; passphrase?: string; password?: string } {
  return Object.fromEntries(Object.entries(login).filter(([, value]) => value !== undefined));
}
