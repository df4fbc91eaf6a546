import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../shared/core/errors.ts";
import { describeFileError } from "../../errors/describe-file-error.ts";
import type { MailFile } from "../memory/received-mail.ts";

/**
 * Reads messages from files and from the plain files of folders. Dot files in folders are ignored.
 * @throws InputError that names the unreadable file or the folder without messages
 */
export function readMailFiles(paths: string[]): MailFile[] {
  return paths.flatMap((path) => {
    try {
      if (!statSync(path).isDirectory()) return [{ name: path, content: readFileSync(path) }];
      const names = readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map(({ name }) => join(path, name))
        .toSorted();
      if (names.length === 0) throw new InputError("--mail", path, "is a folder without any file");
      return names.map((name) => ({ name, content: readFileSync(name) }));
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError("--mail", path, describeFileError(error));
    }
  });
}
