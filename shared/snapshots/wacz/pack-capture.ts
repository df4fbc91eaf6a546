import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { JobMessage } from "../definitions/job-message.ts";
import type { SnapshotStore } from "../definitions/snapshot-store.ts";
import { jobOfWarc } from "../jobs/job-warcs.ts";
import { type DuplicateLine, readCdxj, readCrawlLog } from "./capture-lists.ts";
import { type KeptElsewhere, keptElsewhere } from "./kept-elsewhere.ts";
import { type PackedOriginals, packageContents, type StoredCapture } from "./package-contents.ts";
import type { CdxjLine } from "./wacz-index.ts";
import { type ByteRange, type PackedWarc, type WaczContents, waczZip } from "./wacz-zip.ts";

export interface PackCapturePorts {
  snapshots: Pick<SnapshotStore, "job">;
  files: CapturedFiles;
  packages: {
    has(jobId: number): Promise<boolean>;
    /** Writes a package atomically. */
    write(jobId: number, content: AsyncIterable<Uint8Array>): Promise<void>;
    /** Writes the list of content to which a package refers without containing it. */
    writeElsewhere(jobId: number, elsewhere: KeptElsewhere[]): Promise<void>;
    /** Returns this list; empty if the package is complete. */
    elsewhere(jobId: number): Promise<KeptElsewhere[]>;
  };
  clock: Clock;
}

/** The files of ended jobs, by name. */
interface CapturedFiles {
  /** Reads a file. @returns undefined if it does not exist */
  text(jobId: number, name: string): Promise<string | undefined>;
  size(jobId: number, name: string): Promise<number | undefined>;
  /** Reads a file. @param range default: the whole file */
  content(jobId: number, name: string, range?: ByteRange): AsyncIterable<Uint8Array>;
}

/** A capture of an earlier job whose content a revisit refers to, and its place. */
interface Original {
  jobId: number;
  line: CdxjLine;
}

const originalsName = "originals.warc.gz";

/** The maximum number of captures elsewhere that a package lists. */
const mostElsewhere = 1000;

/**
 * Packs the capture of an ended job as WACZ, so that a viewer needs no other files. The package has the WARC
 * files of the job, and the records of earlier jobs that its revisits refer to. Can be repeated, because the
 * files of an ended job never change.
 */
export async function packCapture({ jobId }: JobMessage, ports: PackCapturePorts): Promise<void> {
  const job = await ports.snapshots.job(jobId);
  if (job === undefined || job.files.length === 0 || (await ports.packages.has(jobId))) return;
  const { contents, elsewhere } = await contentsOf(jobId, job.files, ports);
  // The list is written before the package, because an existing package is not packed again.
  await ports.packages.writeElsewhere(jobId, elsewhere.slice(0, mostElsewhere));
  await ports.packages.write(jobId, waczZip(contents));
}

async function contentsOf(
  jobId: number,
  names: readonly string[],
  { files, clock }: PackCapturePorts,
): Promise<{ contents: WaczContents; elsewhere: KeptElsewhere[] }> {
  const capture = await readCapture(jobId, names, files);
  const originals = await findOriginals(capture.duplicates, files);
  const packed = new Set(originals.map(({ line }) => placeOf(line)));
  const elsewhere = capture.duplicates.filter(({ origin }) => !packed.has(placeIn(origin)));
  return {
    contents: await packageContents([capture], packOriginals(originals, files), clock.now()),
    elsewhere: elsewhere.map(keptElsewhere),
  };
}

async function readCapture(
  jobId: number,
  names: readonly string[],
  files: CapturedFiles,
): Promise<StoredCapture> {
  const warcs = await inParallel([...names], 8, async (name): Promise<PackedWarc> => {
    const sizeBytes = (await files.size(jobId, name)) ?? 0;
    return { name, sizeBytes, content: (range) => files.content(jobId, name, range) };
  });
  const captures = await capturesOf(jobId, files);
  return { warcs, captures, ...readCrawlLog(linesOf(await files.text(jobId, "crawl.log"))) };
}

/** Returns the place of a record. */
function placeOf({ fields: { filename, offset } }: CdxjLine): string {
  return `${filename},${offset}`;
}

/** Returns the place in an origin. @param origin `file,offset[,date]` */
function placeIn(origin: string): string {
  return origin.split(",", 2).join(",");
}

/** Finds the originals of the lines of a crawl log among the jobs of Ingather. */
async function findOriginals(
  duplicates: readonly DuplicateLine[],
  files: CapturedFiles,
): Promise<Original[]> {
  const wanted = new Map<number, Set<string>>();
  for (const { origin } of duplicates) {
    const jobId = jobOfWarc(origin.split(",", 1)[0] ?? "");
    if (jobId !== undefined) wanted.set(jobId, (wanted.get(jobId) ?? new Set()).add(placeIn(origin)));
  }
  const found = await inParallel([...wanted], 4, async ([jobId, places]) =>
    (await capturesOf(jobId, files))
      .filter((line) => places.has(placeOf(line)))
      .map((line) => ({ jobId, line })),
  );
  return found.flat();
}

function packOriginals(originals: readonly Original[], files: CapturedFiles): PackedOriginals {
  if (originals.length === 0) return { warcs: [], captures: [] };
  return { warcs: [warcOf(originals, files)], captures: placed(originals) };
}

/** Yields the records of the originals one after the other, because each is a gzip member. */
function warcOf(originals: readonly Original[], files: CapturedFiles): PackedWarc {
  return {
    name: originalsName,
    sizeBytes: originals.reduce((sum, { line }) => sum + Number(line.fields.length), 0),
    async *content() {
      for (const { jobId, line } of originals) {
        const { filename = "", offset, length } = line.fields;
        yield* files.content(jobId, filename, { offset: Number(offset), length: Number(length) });
      }
    },
  };
}

/** Returns the lines of the originals, with their offsets in the file that `warcOf` creates. */
function placed(originals: readonly Original[]): CdxjLine[] {
  let end = 0;
  return originals.map(({ line: { timestamp, fields } }) => {
    const offset = String(end);
    end += Number(fields.length);
    return { timestamp, fields: { ...fields, filename: originalsName, offset } };
  });
}

async function capturesOf(jobId: number, files: CapturedFiles): Promise<CdxjLine[]> {
  return readCdxj(linesOf(await files.text(jobId, "index.cdxj")));
}

/** @param text undefined if the file does not exist */
function linesOf(text = ""): string[] {
  return text.split("\n");
}
