import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

export interface JsonLinesLog {
  append(line: unknown): void;
}

const maxSizeBytes = 10_000_000;

/**
 * Opens a file with one JSON value per line. A file above 10 MB is renamed to `.1`, replacing the previous
 * one, so that a log takes at most twice this size.
 */
export function openJsonLinesLog(file: string): JsonLinesLog {
  mkdirSync(dirname(file), { recursive: true });
  let sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return {
    append: (line) => {
      const text = `${JSON.stringify(line)}\n`;
      if (sizeBytes > 0 && sizeBytes + text.length > maxSizeBytes) {
        renameSync(file, `${file}.1`);
        sizeBytes = 0;
      }
      appendFileSync(file, text);
      sizeBytes += Buffer.byteLength(text);
    },
  };
}
