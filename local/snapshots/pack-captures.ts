import { basename, resolve } from "node:path";
import { InputError } from "../../shared/core/errors.ts";
import { type CdxjLine, unresolvedRevisits, waczIndex } from "../../shared/snapshots/wacz/wacz-index.ts";
import { waczPages } from "../../shared/snapshots/wacz/wacz-pages.ts";
import { readCapture } from "./read-capture.ts";
import { writeWacz } from "./write-wacz.ts";

export interface PackedCaptures {
  captureCount: number;
  warcCount: number;
  /** Captures that refer to content which is not packed. */
  unresolved: CdxjLine[];
}

/**
 * Packs the captures of folders into one WACZ file.
 * @throws InputError for a folder that holds none, or one that is being written
 */
export async function packCaptures(folders: readonly string[], file: string): Promise<PackedCaptures> {
  const stored = [...new Set(folders.map((folder) => resolve(folder)))].map(readCapture);
  const warcs = stored.flatMap((each) => each.warcs);
  const twice = warcs.find((path, at) => warcs.findIndex((other) => basename(other) === basename(path)) < at);
  if (twice !== undefined)
    throw new InputError("DIR", twice, "has the name of a WARC file of another capture");
  const captures = stored.flatMap((each) => each.captures);
  const found = new Map(stored.flatMap((each) => [...each.found]));
  await writeWacz(file, {
    warcs,
    texts: [...waczIndex(captures), waczPages(captures, found)],
    created: new Date(),
    software: "Ingather",
  });
  const originals = new Map(stored.flatMap((each) => [...each.originals]));
  return {
    captureCount: captures.length,
    warcCount: warcs.length,
    unresolved: unresolvedRevisits(captures, originals),
  };
}
