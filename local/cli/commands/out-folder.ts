import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "../../../shared/core/errors.ts";
import { createFolder } from "../../create-folder.ts";
import { describeFileError } from "../../errors/describe-file-error.ts";

/**
 * Checks that the folder of `--out` is writable, before the work begins. Creates nothing.
 * @throws InputError
 */
export function assertWritableFolder(folder: string): void {
  asOutError(folder, () => {
    if (folder.trim() === "") throw new Error("must name a folder");
    let existing = resolve(folder);
    while (!existsSync(existing)) existing = dirname(existing);
    if (!statSync(existing).isDirectory()) throw new Error(`${existing} is not a folder`);
    accessSync(existing, constants.W_OK);
  });
}

/** Creates the folder of `--out` and its parent folders. @throws InputError */
export function createOutFolder(folder: string): void {
  assertWritableFolder(folder);
  asOutError(folder, () => {
    try {
      createFolder(folder);
    } catch (error) {
      const { code, path = folder } = error as NodeJS.ErrnoException;
      throw code === "ENOENT" ? new Error(`cannot be created in ${dirname(path)}`) : error;
    }
  });
}

/** @throws InputError, with `--out` as its field, when an operation on the folder fails */
export function asOutError<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new InputError("--out", folder, describeFileError(error));
  }
}
