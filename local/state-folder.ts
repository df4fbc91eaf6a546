import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../shared/core/errors.ts";
import { createFolder } from "./create-folder.ts";
import { describeFileError } from "./errors/describe-file-error.ts";

/**
 * Error codes of a path that cannot be a folder. A full disk and missing permissions have separate advice.
 */
const unusablePath = new Set(["EEXIST", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"]);

/**
 * Creates the state folder and its parent folders.
 * @throws ConfigError if the path cannot be a folder
 */
export function createStateFolder(folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) throw unusable(folder, `${existing} is not a folder`);
  try {
    createFolder(folder);
  } catch (error) {
    const { code = "", path = folder } = error as NodeJS.ErrnoException;
    if (!unusablePath.has(code)) throw error;
    const reason =
      code === "ENOENT"
        ? `no folder can be created in ${dirname(path)}`
        : `${path} ${describeFileError(error)}`;
    throw unusable(folder, reason);
  }
}

function unusable(folder: string, reason: string): ConfigError {
  return new ConfigError(
    `the state cannot be kept in ${folder}: ${reason}. Choose another folder with --state`,
  );
}
