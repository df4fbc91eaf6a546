import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { findObjectStream, listBucket } from "../../adapters/aws/s3.ts";
import { variables } from "../../names.ts";
import type { FolderFile, FolderPlace, FolderStore } from "../uploads/folder.ts";

/**
 * Provides folders. A folder is a prefix of a bucket. On a single machine, each bucket is a directory below one common
 * directory, and a folder is a directory within it.
 */
export function folderStore(): FolderStore {
  const directory = process.env[variables.foldersDirectory] ?? "";
  return directory === "" ? bucketFolders() : directoryFolders(directory);
}

function bucketFolders(): FolderStore {
  return {
    async list({ bucket, prefix }) {
      const listed = await listBucket(bucket, prefix);
      if ("problem" in listed) return listed;
      const files = listed.map(({ key, sizeBytes, tag }) => ({
        name: key.slice(prefix.length),
        sizeBytes,
        etag: tag,
      }));
      // The S3 console creates empty objects for folders.
      return files.filter(({ name }) => name !== "" && !name.endsWith("/"));
    },
    open: ({ bucket, prefix }, { name, etag }) => findObjectStream(bucket, `${prefix}${name}`, etag),
  };
}

function directoryFolders(directory: string): FolderStore {
  const rootOf = ({ bucket, prefix }: FolderPlace) => join(directory, bucket, ...prefix.split("/"));
  return {
    async list(place) {
      const root = rootOf(place);
      const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
        (error: Error) => error,
      );
      if (entries instanceof Error) return { problem: `${root} cannot be listed: ${entries.message}` };
      const files: FolderFile[] = [];
      for (const entry of entries) {
        // Symbolic links are skipped, because they may lead out of the directory.
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        files.push(await describe(path, relative(root, path).split(sep).join("/")));
      }
      return files;
    },
    async open(place, { name, etag }) {
      const path = join(rootOf(place), ...name.split("/"));
      const now = await describe(path, name).catch(() => undefined);
      return now?.etag === etag ? createReadStream(path) : undefined;
    },
  };
}

async function describe(path: string, name: string): Promise<FolderFile> {
  const { size, mtimeMs } = await stat(path);
  return { name, sizeBytes: size, etag: `"${size}-${Math.round(mtimeMs)}"` };
}
