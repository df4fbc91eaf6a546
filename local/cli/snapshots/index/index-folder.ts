import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { BuildPorts, WrittenFiles } from "../../../../shared/snapshots/index/build/build-ports.ts";

const chunkBytes = 256 * 1024;

/**
 * The ports for building an index in a local folder. Calls are synchronous, because each worker has its own
 * thread.
 */
export function folderPorts(folder: string, working: string): BuildPorts {
  mkdirSync(working, { recursive: true });
  return {
    async *input({ name }, start) {
      const file = readable(() => openSync(name, "r"));
      try {
        const chunk = Buffer.allocUnsafeSlow(chunkBytes);
        for (let at = start; ; ) {
          const read = readable(() => readSync(file, chunk, 0, chunkBytes, at));
          if (read === 0) return;
          yield chunk.subarray(0, read);
          at += read;
        }
      } finally {
        closeSync(file);
      }
    },
    work: writtenFiles(working),
    index: writtenFiles(folder),
  };
}

/** Runs a read of an input. @throws Error without a code, which means that the input cannot be read */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Error((error as Error).message, { cause: error });
  }
}

function writtenFiles(folder: string): WrittenFiles {
  return {
    async read(name) {
      const file = join(folder, name);
      return existsSync(file) ? readFileSync(file) : undefined;
    },
    async readInto(name, offset, target) {
      const file = openSync(join(folder, name), "r");
      try {
        for (let at = 0; at < target.length; ) {
          const read = readSync(file, target, at, target.length - at, offset + at);
          if (read === 0) throw new Error(`${name} is cut off`);
          at += read;
        }
      } finally {
        closeSync(file);
      }
    },
    async write(name, content) {
      const path = join(folder, name);
      const file = openSync(`${path}.part`, "w");
      try {
        for (const piece of content) writeWhole(file, piece);
      } finally {
        closeSync(file);
      }
      renameSync(`${path}.part`, path);
    },
  };
}

/** Writes all bytes. A single call may write fewer bytes than requested. */
function writeWhole(file: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
}
