import { existsSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../../../../shared/core/errors.ts";
import {
  DeduplicationIndex,
  type IndexFiles,
} from "../../../../shared/snapshots/index/deduplication-index.ts";

/** An index whose files stay open. */
export interface OpenIndex {
  index: DeduplicationIndex;
  close(): Promise<void>;
}

/** Runs work with the index in a folder. @throws ConfigError if the index is missing or incomplete */
export async function withIndex<Result>(
  folder: string,
  work: (index: DeduplicationIndex) => Promise<Result>,
): Promise<Result> {
  const { index, close } = await openIndex(folder);
  try {
    return await work(index);
  } finally {
    await close();
  }
}

/** Opens the index in a folder. @throws ConfigError if the index is missing or incomplete */
export async function openIndex(folder: string): Promise<OpenIndex> {
  const handles = new Map<string, Promise<FileHandle>>();
  const index = await DeduplicationIndex.open(folderFiles(folder, handles)).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${folder}: ${error.message}`, { cause: error });
  });
  return {
    index,
    async close() {
      for (const handle of handles.values()) await (await handle).close();
    },
  };
}

/** @param handles the open files, by name */
function folderFiles(folder: string, handles: Map<string, Promise<FileHandle>>): IndexFiles {
  const handle = (name: string) => {
    const known = handles.get(name) ?? open(join(folder, name));
    handles.set(name, known);
    return known;
  };
  return {
    async read(name) {
      const file = join(folder, name);
      return existsSync(file) ? readFile(file) : undefined;
    },
    async readRange(name, { offset, length }) {
      const { buffer } = await (await handle(name)).read(Buffer.alloc(length), 0, length, offset);
      return buffer;
    },
  };
}
