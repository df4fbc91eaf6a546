import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import ssh2 from "ssh2";

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

/** A server of ssh2's with one folder tree in memory, which says what was done to it. */
export interface SftpServerForTests {
  port: number;
  hostKeyFingerprint: string;
  password: string;
  /** In PEM; lets "ingather" in as the password does. */
  privateKey: string;
  /** What files hold, by path. */
  files: Map<string, Buffer>;
  folders: Set<string>;
  /** `write PATH`, `rename FROM TO`, `remove PATH`, in the order in which it was done. */
  done: string[];
  /** The outcome of creating a folder: another client may have just created it, or nobody may create any. */
  making: "works" | "was-others" | "refused";
  /** While set, the connection breaks off when a rename or a removal is done, before that is said. */
  breaksOff: boolean;
  close(): Promise<void>;
}

/** A private key in PEM. */
function generateKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs1", format: "pem" }).toString();
}

/** For all servers of a test file: to make them takes longer than most tests do. */
const [hostKey, privateKey] = [generateKey(), generateKey()];

/** Serves the folder `Default/input` to "ingather". */
export async function serveSftp(): Promise<SftpServerForTests> {
  const allowedKey = parsed(privateKey).getPublicSSH();
  const state: SftpServerForTests = {
    port: 0,
    hostKeyFingerprint: `SHA256:${createHash("sha256").update(parsed(hostKey).getPublicSSH()).digest("base64").replace(/=+$/, "")}`,
    password: randomBytes(9).toString("base64url"),
    privateKey,
    files: new Map(),
    folders: new Set([".", "Default", "Default/input"]),
    done: [],
    making: "works",
    breaksOff: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    // As OpenSSH does: else each second of two small packets waits 40 ms. The types do not know of it.
    (client as ssh2.Connection & { setNoDelay(isOn: boolean): void }).setNoDelay(true);
    client.on("error", () => {});
    client.on("authentication", (attempt) => {
      const isKnown =
        attempt.username === "ingather" &&
        ((attempt.method === "password" && attempt.password === state.password) ||
          (attempt.method === "publickey" && attempt.key.data.equals(allowedKey)));
      if (isKnown) attempt.accept();
      else attempt.reject(["password", "publickey"]);
    });
    client.on("ready", () => {
      client.on("session", (accept) => {
        accept().on("sftp", (acceptSftp) => serveFiles(acceptSftp(), state, () => client.end()));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  state.port = (server.address() as AddressInfo).port;
  return state;
}

function parsed(key: string): ssh2.ParsedKey {
  const found = ssh2.utils.parseKey(key);
  if (found instanceof Error) throw found;
  return found;
}

function serveFiles(sftp: ssh2.SFTPWrapper, server: SftpServerForTests, breakOff: () => void): void {
  const { files, folders, done } = server;
  const open = new Map<string, string>();
  const path = (given: string) => given.replace(/^\.?\//, "");
  const answerAttributes = (id: number, given: string) => {
    const file = files.get(path(given));
    if (file === undefined && !folders.has(path(given))) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    const mode = file === undefined ? 0o040755 : 0o100644;
    return sftp.attrs(id, { mode, uid: 0, gid: 0, size: file?.byteLength ?? 0, atime: 0, mtime: 0 });
  };
  sftp.on("REALPATH", (id, given) => {
    const attrs = { mode: 0o040755, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    sftp.name(id, [{ filename: given === "." ? "/" : given, longname: given, attrs }]);
  });
  sftp.on("STAT", answerAttributes);
  sftp.on("LSTAT", answerAttributes);
  sftp.on("OPEN", (id, given, flags) => {
    if ((flags & OPEN_MODE.WRITE) === 0) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
    const handle = randomBytes(4);
    open.set(handle.toString("hex"), path(given));
    files.set(path(given), Buffer.alloc(0));
    done.push(`write ${path(given)}`);
    return sftp.handle(id, handle);
  });
  sftp.on("WRITE", (id, handle, offset, data) => {
    const name = open.get(handle.toString("hex"));
    if (name === undefined) return sftp.status(id, STATUS_CODE.FAILURE);
    const held = files.get(name) ?? Buffer.alloc(0);
    const grown = Buffer.alloc(Math.max(held.byteLength, offset + data.byteLength));
    held.copy(grown);
    data.copy(grown, offset);
    files.set(name, grown);
    return sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on("CLOSE", (id) => sftp.status(id, STATUS_CODE.OK));
  sftp.on("FSETSTAT", (id) => sftp.status(id, STATUS_CODE.OK));
  sftp.on("SETSTAT", (id) => sftp.status(id, STATUS_CODE.OK));
  sftp.on("MKDIR", (id, given) => {
    if (server.making !== "refused") folders.add(path(given));
    sftp.status(id, server.making === "works" ? STATUS_CODE.OK : STATUS_CODE.FAILURE);
  });
  sftp.on("RENAME", (id, from, to) => {
    const content = files.get(path(from));
    if (content === undefined) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    if (files.has(path(to))) return sftp.status(id, STATUS_CODE.FAILURE);
    files.delete(path(from));
    files.set(path(to), content);
    done.push(`rename ${path(from)} ${path(to)}`);
    if (server.breaksOff) return breakOff();
    return sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on("REMOVE", (id, given) => {
    done.push(`remove ${path(given)}`);
    const wasThere = files.delete(path(given));
    if (server.breaksOff) return breakOff();
    return sftp.status(id, wasThere ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
  });
}
