import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its parent folders, one by one. A recursive `mkdir` would never return below `/proc`,
 * which reports that the parent folder does not exist when it refuses to create a folder.
 * @throws the file system's error, with the `path` that could not be created
 */
export function createFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
