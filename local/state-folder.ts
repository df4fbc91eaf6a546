import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../shared/core/errors.ts";
import { describeFileError } from "./command-line/describe-file-error.ts";

/** The path itself is no place for a folder; a full disk and missing permissions have advice of their own. */
const unusablePath = new Set(["EEXIST", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"]);

/**
 * Creates the state folder and those above it, one by one: a recursive `mkdir` never returns below `/proc`, which denies
 * that a folder can be created by saying that the one above does not exist.
 * @throws ConfigError when the path cannot be a folder
 */
export function createStateFolder(folder: string): void {
  const missing: string[] = [];
  let existing = resolve(folder);
  for (; !existsSync(existing); existing = dirname(existing)) missing.unshift(existing);
  if (!statSync(existing).isDirectory()) throw unusable(folder, `${existing} is no folder`);
  for (const path of missing) {
    try {
      mkdirSync(path);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!unusablePath.has(code)) throw error;
      const reason =
        code === "ENOENT"
          ? `no folder can be created in ${dirname(path)}`
          : `${path} ${describeFileError(error)}`;
      throw unusable(folder, reason);
    }
  }
}

function unusable(folder: string, reason: string): ConfigError {
  return new ConfigError(
    `the state cannot be kept in ${folder}: ${reason}. Choose another folder with --state`,
  );
}
