import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { InputError } from "../../../../shared/core/errors.ts";
import { type KeptElsewhere, keptElsewhere } from "../../../../shared/snapshots/wacz/kept-elsewhere.ts";
import { packageContents } from "../../../../shared/snapshots/wacz/package-contents.ts";
import {
  type CdxjLine,
  type OriginalRecord,
  unresolvedRevisits,
} from "../../../../shared/snapshots/wacz/wacz-index.ts";
import { type CaptureFolder, readCaptureFolder } from "./read-capture-folder.ts";
import { recordAt } from "./record-at.ts";
import { packedFile, writeWacz } from "./write-wacz.ts";

interface PackedCaptures {
  captureCount: number;
  warcCount: number;
  /** Captures that refer to content which is not packed. */
  unresolved: UnresolvedCapture[];
}

export interface UnresolvedCapture {
  url: string;
  /** The digest of the content. */
  digest?: string;
  /** The capture that has the content; absent if the record does not name it. */
  original?: OriginalRecord;
  /** The place of that capture; absent if the log does not name it. */
  place?: KeptElsewhere;
}

/**
 * Packs the captures of folders into one WACZ file.
 * @param places folders of captures, and WARC files of other crawlers that revisits refer to
 * @throws InputError for a folder without a capture, or with a capture in progress
 */
export async function packCaptures(places: readonly string[], file: string): Promise<PackedCaptures> {
  const paths = [...new Set(places.map((place) => resolve(place)))];
  const others = paths.filter((path) => /\.warc(\.gz)?$/.test(path) && existsSync(path));
  const stored = paths.filter((path) => !others.includes(path)).map(readCaptureFolder);
  const warcs = [
    ...stored.flatMap(({ folder, warcs }) => warcs.map(({ name }) => join(folder, name))),
    ...others,
  ];
  const twice = warcs.find((path, at) => warcs.findIndex((other) => basename(other) === basename(path)) < at);
  if (twice !== undefined)
    throw new InputError(
      "DIR",
      twice,
      "has the same name as a WARC file of another capture; rename one of them",
    );
  const own = stored.flatMap((each) => each.captures);
  const originals = {
    warcs: others.map(packedFile),
    captures: await originalsIn(others, unresolvedOf(own, stored)),
  };
  await writeWacz(file, await packageContents(stored, originals, new Date()));
  const captures = [...own, ...originals.captures];
  return {
    captureCount: captures.length,
    warcCount: warcs.length,
    unresolved: unresolvedOf(captures, stored),
  };
}

/**
 * Returns the captures whose originals are not packed, with the information in their records and the logs.
 */
function unresolvedOf(captures: readonly CdxjLine[], stored: readonly CaptureFolder[]): UnresolvedCapture[] {
  const originals = new Map(stored.flatMap((each) => [...each.originals]));
  const origins = new Map(
    stored.flatMap((each) => each.duplicates).map((each) => [`${each.url} ${each.timestamp}`, each] as const),
  );
  return unresolvedRevisits(captures, originals).map((capture) => {
    const { url, digest } = capture.fields;
    const original = originals.get(capture);
    const origin = origins.get(`${url} ${capture.timestamp}`);
    return {
      url,
      ...(digest !== undefined && { digest }),
      ...(original && { original }),
      ...(origin && { place: keptElsewhere(origin) }),
    };
  });
}

/** Returns the originals that are in WARC files of other crawlers. */
async function originalsIn(
  warcs: readonly string[],
  unresolved: readonly UnresolvedCapture[],
): Promise<CdxjLine[]> {
  const found = new Map<string, CdxjLine>();
  for (const { original, place, digest } of unresolved) {
    const warc = warcs.find((path) => basename(path) === place?.file);
    if (warc === undefined || original === undefined || place === undefined) continue;
    const line = await recordAt(warc, { offset: Number(place.offset), ...original });
    // Some crawlers write no payload digest into the record. The index has it from their crawl log.
    if (line !== undefined)
      found.set(`${original.url} ${original.timestamp}`, {
        ...line,
        fields: { ...(digest !== undefined && { digest }), ...line.fields },
      });
  }
  return [...found.values()];
}
