import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { JobMessage } from "../definitions/job-message.ts";
import type { SnapshotStore } from "../definitions/snapshot-store.ts";
import { jobOfWarc } from "../jobs/job-warcs.ts";
import { type DuplicateLine, readCdxj, readCrawlLog } from "./capture-lists.ts";
import { type KeptElsewhere, keptElsewhere } from "./kept-elsewhere.ts";
import { type PackedOriginals, packageContents, type StoredCapture } from "./package-contents.ts";
import type { CdxjLine } from "./wacz-index.ts";
import { type PackedWarc, type WaczContents, waczZip } from "./wacz-zip.ts";

export interface PackCapturePorts {
  snapshots: Pick<SnapshotStore, "job">;
  files: CapturedFiles;
  packages: {
    has(jobId: number): Promise<boolean>;
    /** Writes a package, whole or not at all. */
    write(jobId: number, content: AsyncIterable<Uint8Array>): Promise<void>;
    /** Writes what a package refers to and does not have. */
    writeElsewhere(jobId: number, elsewhere: KeptElsewhere[]): Promise<void>;
    /** Empty of a package that is whole. */
    elsewhere(jobId: number): Promise<KeptElsewhere[]>;
  };
  clock: Clock;
}

/** The files of jobs that have ended, by their names. */
interface CapturedFiles {
  /** Undefined when there is no such file. */
  text(jobId: number, name: string): Promise<string | undefined>;
  size(jobId: number, name: string): Promise<number | undefined>;
  /** @param range absent: the whole file */
  content(jobId: number, name: string, range?: { offset: number; length: number }): AsyncIterable<Uint8Array>;
}

/** A capture of an earlier job whose content a revisit refers to, and where it is. */
interface Original {
  jobId: number;
  line: CdxjLine;
}

const originalsName = "originals.warc.gz";

/** The most captures elsewhere that a package lists. */
const mostElsewhere = 1000;

/**
 * Packs the capture of a job that has ended as WACZ: its WARC files, and of earlier jobs the records that its revisits refer to,
 * so that a viewer needs nothing else. Repeatable: the files of a job that has ended never change.
 */
export async function packCapture({ jobId }: JobMessage, ports: PackCapturePorts): Promise<void> {
  const job = await ports.snapshots.job(jobId);
  if (job === undefined || job.files.length === 0 || (await ports.packages.has(jobId))) return;
  const { contents, elsewhere } = await contentsOf(jobId, job.files, ports);
  // Before the package, which is not packed again.
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
    contents: packageContents([capture], packOriginals(originals, files), clock.now()),
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
    return { name, sizeBytes, content: () => files.content(jobId, name) };
  });
  const captures = await capturesOf(jobId, files);
  return { warcs, captures, ...readCrawlLog(linesOf(await files.text(jobId, "crawl.log"))) };
}

/** Where a record is. */
function placeOf({ fields: { filename, offset } }: CdxjLine): string {
  return `${filename},${offset}`;
}

/** @param origin `file,offset[,date]` */
function placeIn(origin: string): string {
  return origin.split(",", 2).join(",");
}

/** What the lines of a crawl log refer to, as far as Ingather's own jobs have it. */
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

/** The records of the originals one after the other, as each is a gzip member. */
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

/** The lines of the originals, with their places in the file that `warcOf` makes. */
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

/** @param text absent: there is no such file */
function linesOf(text = ""): string[] {
  return text.split("\n");
}
