import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

export interface JsonLinesLog {
  append(line: unknown): void;
}

const maxSizeBytes = 10_000_000;

/**
 * A file with one JSON value per line. Above 10 MB it is renamed to `.1`, which replaces the previous one: a log takes at
 * most twice the limit.
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
