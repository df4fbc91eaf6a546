import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../../shared/core/errors.ts";
import { describeFileError } from "../../errors/describe-file-error.ts";
import type { CommandIo } from "./command.ts";

const chunkBytes = 1_048_576;

/** A file that is read once, from its beginning. */
export interface InputFile {
  /** 0 when the size is not known, such as that of a pipe. */
  sizeBytes: number;
  /** The reading progress. */
  bytesRead(): number;
  chunks: AsyncIterable<Uint8Array>;
  /** Closes the file. Call it also when reading stopped early. */
  close(): Promise<void>;
}

/**
 * Opens a file, or standard input if it is named `-`.
 * @throws InputError, with the argument as its field, when the file cannot be read
 */
export async function openInput(
  argument: string,
  name: string,
  stdin: CommandIo["stdin"],
): Promise<InputFile> {
  const fail = (error: unknown): never => {
    throw new InputError(argument, name, describeFileError(error));
  };
  if (name === "-") return { ...counted(stdin, fail), sizeBytes: 0, close: async () => {} };
  const { file, sizeBytes } = await openFile(name).catch(fail);
  return {
    ...counted(file.createReadStream({ highWaterMark: chunkBytes }), fail),
    sizeBytes,
    close: () => file.close(),
  };
}

async function openFile(name: string): Promise<{ file: FileHandle; sizeBytes: number }> {
  const file = await open(name);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return { file, sizeBytes: stats.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function counted(
  input: AsyncIterable<string | Uint8Array>,
  fail: (error: unknown) => never,
): Pick<InputFile, "chunks" | "bytesRead"> {
  let read = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of input) {
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        read += bytes.length;
        yield bytes;
      }
    } catch (error) {
      fail(error);
    }
  }
  return { chunks: chunks(), bytesRead: () => read };
}
