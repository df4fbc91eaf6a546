import { randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import type { ReplayedCaptures } from "./replay-server.ts";

/** Shows a single WACZ file, at `/`. */
export function replayedFile(file: string, title: string): ReplayedCaptures {
  const wacz = `/${randomUUID()}.wacz`;
  return {
    page: async ({ pathname }) => (pathname === "/" ? { title, wacz } : undefined),
    package: (path) =>
      path === wacz
        ? {
            sizeBytes: statSync(file).size,
            read: ({ first, last }) => createReadStream(file, { start: first, end: last }),
          }
        : undefined,
  };
}
