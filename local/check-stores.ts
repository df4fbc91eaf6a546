import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export type StoreCheck =
  | { type: "intact" }
  | { type: "damaged"; file: string; detail: string }
  /** The file could not be checked. */
  | { type: "unknown"; error: unknown };

/** The result codes of SQLite for a damaged file. @see https://www.sqlite.org/rescode.html */
const corrupt = 11;
const notADatabase = 26;
/**
 * The result code for a file that cannot be opened. SQLite does not say why the file, its log or the index of
 * the log cannot be opened.
 */
const cannotOpen = 14;
/**
 * The number of files that are opened as a test. It exceeds the number that a connection opens, because other
 * files were closed since the error.
 */
const probedFiles = 16;
/** The result code for a file that another connection has open, such as a connection of this process. */
const busy = 5;

/**
 * Returns the cause of an SQLite error that does not name it, by opening more files. Any other error is
 * returned unchanged.
 */
export function causeOf(error: unknown): unknown {
  if ((error as { errcode?: number } | undefined)?.errcode !== cannotOpen) return error;
  const opened: number[] = [];
  try {
    for (let file = 0; file < probedFiles; file++) opened.push(openSync(import.meta.filename, "r"));
    return error;
  } catch (cause) {
    return cause;
  } finally {
    for (const each of opened) closeSync(each);
  }
}

/** Checks the structure of SQLite files by reading them completely. Missing files are skipped. */
export function checkStores(files: readonly string[]): StoreCheck {
  for (const file of files.filter((each) => existsSync(each))) {
    const check = checkFile(file);
    if (check.type !== "intact") return check;
  }
  return { type: "intact" };
}

function checkFile(file: string): StoreCheck {
  try {
    // Opening the file yields the reason why SQLite cannot open it.
    closeSync(openSync(file, "r"));
    return describe(file, quickCheck(file));
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode === corrupt || errcode === notADatabase) return { type: "damaged", file, detail: message };
    return { type: "unknown", error: causeOf(error) };
  }
}

function describe(file: string, [first]: string[]): StoreCheck {
  if (first === "ok") return { type: "intact" };
  // The first line of the message may name only the database.
  return { type: "damaged", file, detail: String(first).replaceAll(/\s+/g, " ").slice(0, 200) };
}

function quickCheck(file: string): string[] {
  try {
    return check(new DatabaseSync(file));
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    // Without its log, the file has the content of the last checkpoint.
    const url = pathToFileURL(file);
    url.search = "immutable=1";
    return check(new DatabaseSync(url, { readOnly: true }));
  }
}

/** @see https://www.sqlite.org/pragma.html#pragma_quick_check */
function check(database: DatabaseSync): string[] {
  try {
    return database
      .prepare("PRAGMA quick_check(1)")
      .all()
      .map(({ quick_check }) => String(quick_check));
  } finally {
    database.close();
  }
}
