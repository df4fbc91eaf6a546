import { basename, resolve } from "node:path";
import { InputError } from "../../shared/core/errors.ts";
import { type KeptElsewhere, keptElsewhere } from "../../shared/snapshots/wacz/kept-elsewhere.ts";
import {
  type OriginalRecord,
  unresolvedRevisits,
  waczIndex,
} from "../../shared/snapshots/wacz/wacz-index.ts";
import { waczPages } from "../../shared/snapshots/wacz/wacz-pages.ts";
import { readCapture } from "./read-capture.ts";
import { writeWacz } from "./write-wacz.ts";

export interface PackedCaptures {
  captureCount: number;
  warcCount: number;
  /** Captures that refer to content which is not packed. */
  unresolved: UnresolvedCapture[];
}

export interface UnresolvedCapture {
  url: string;
  /** The capture that has the content; absent when its record does not say. */
  original?: OriginalRecord;
  /** Where that is; absent when the log does not say. */
  place?: KeptElsewhere;
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
  const origins = new Map(
    stored.flatMap((each) => each.origins).map((each) => [`${each.url} ${each.timestamp}`, each] as const),
  );
  return {
    captureCount: captures.length,
    warcCount: warcs.length,
    unresolved: unresolvedRevisits(captures, originals).map((capture) => {
      const { url } = capture.fields;
      const original = originals.get(capture);
      const origin = origins.get(`${url} ${capture.timestamp}`);
      return { url, ...(original && { original }), ...(origin && { place: keptElsewhere(origin) }) };
    }),
  };
}
