import { existsSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DeduplicationIndex, type IndexFiles } from "../../shared/snapshots/index/deduplication-index.ts";

/** The index in a folder. @throws ConfigError when there is none, or when it is not whole */
export function openIndex(folder: string): Promise<DeduplicationIndex> {
  return DeduplicationIndex.open(folderFiles(folder));
}

function folderFiles(folder: string): IndexFiles {
  const handles = new Map<string, Promise<FileHandle>>();
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
