import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { InputError } from "../../../core/errors.ts";
import { archiveRecords } from "../../warc/archive-records.ts";
import { ByteView } from "../lines/byte-view.ts";
import { CdxLine, type CdxSkip } from "../lines/cdx-line.ts";
import { CrawlLogLine, type CrawlLogSkip } from "../lines/crawl-log-line.ts";
import { eachLine, type LineRange, type LineSink } from "../lines/each-line.ts";
import { CaptureRecords } from "../lines/gather-records.ts";
import type { BuildPorts } from "./build-ports.ts";
import { openCompressedRange } from "./compressed-range.ts";
import { type Division, type IndexPlan, type InputFile, isCompressed } from "./index-plan.ts";

/** The number of lines that were read, and of those that were left out, by reason. */
export interface LineCounts {
  lines: number;
  /** The number of lines that were left out because of their MIME type. */
  text: number;
  skippedLogLines: Partial<Record<CrawlLogSkip, number>>;
  skippedCdxLines: Partial<Record<CdxSkip, number>>;
}

/** The number of lines that were read and not left out because of their content. */
interface CountedLines {
  /** The lines of the crawl log, including those of texts. */
  log: number;
  /** The lines without texts, with and without the origin of the capture that they repeat. */
  withOrigin: number;
  withoutOrigin: number;
  cdx: number;
}

export type DivisionOutcome =
  /**
   * `runs`: the number of files with its records. `counted`: absent if an earlier version divided the input.
   */
  | ({ type: "divided"; runs: number; counted?: CountedLines } & LineCounts)
  | { type: "unreadable"; file: string; reason: string };

export const runName = (division: number, run: number) => `run-${division}-${run}`;

/**
 * Reads the lines of a division and writes their records by shard. A repetition writes the same files.
 * @returns the reason if the file cannot be read
 */
export async function divideInput(
  plan: IndexPlan,
  number: number,
  ports: BuildPorts,
): Promise<DivisionOutcome> {
  const division = plan.divisions[number] as Division;
  let runs = 0;
  const lines = new DividedLines(plan, async (records) => {
    await ports.work.write(runName(number, runs), records.takeRun());
    runs += 1;
  });
  try {
    for await (const { kind, header, bytes, range } of linesOf(division, ports)) {
      if (kind === "cdx") lines.beginCdx(header);
      await eachLine(bytes, lines.sinks[kind], range);
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { type: "unreadable", file: division.file.name, reason: error.message };
  }
  await lines.writeRest();
  return { type: "divided", runs, counted: lines.counted, ...lines.counts };
}

type WriteRun = (records: CaptureRecords) => Promise<void>;

/** The records of lines, and the counts of the lines that are left out. */
class DividedLines {
  readonly counts: LineCounts = { lines: 0, text: 0, skippedLogLines: {}, skippedCdxLines: {} };
  readonly counted: CountedLines = { log: 0, withOrigin: 0, withoutOrigin: 0, cdx: 0 };
  readonly sinks: Record<"crawl-log" | "cdx", LineSink>;

  private readonly cdxLine = new CdxLine();
  private readonly records: CaptureRecords;
  private readonly runBytes: number;
  private readonly writeRun: WriteRun;

  constructor({ shards, includesText, runBytes }: IndexPlan, writeRun: WriteRun) {
    this.records = new CaptureRecords(shards);
    this.runBytes = runBytes;
    this.writeRun = writeRun;
    this.sinks = { "crawl-log": this.crawlLog(includesText), cdx: this.cdx() };
  }

  /** Begins a CDX. @param header the first line of the file whose range follows */
  beginCdx(header: Uint8Array = new Uint8Array()): void {
    this.cdxLine.begin();
    this.cdxLine.readHeader(new ByteView(header), 0, header.length);
  }

  async writeRest(): Promise<void> {
    if (this.records.sizeBytes > 0) await this.writeRun(this.records);
  }

  private writeIfFull(): Promise<void> | undefined {
    return this.records.sizeBytes >= this.runBytes ? this.writeRun(this.records) : undefined;
  }

  private crawlLog(includesText: boolean): LineSink {
    const { counts, counted, records } = this;
    const read = new CrawlLogLine();
    const skip = (reason: CrawlLogSkip) => {
      counts.skippedLogLines[reason] = (counts.skippedLogLines[reason] ?? 0) + 1;
    };
    return {
      line: (view, start, end) => {
        counts.lines += 1;
        const reason = read.read(view, start, end);
        if (reason === undefined) counted.log += 1;
        if (reason !== undefined) skip(reason);
        else if (read.isText && !includesText) counts.text += 1;
        else {
          counted[read.originEnd > read.originStart ? "withOrigin" : "withoutOrigin"] += 1;
          records.addFetched(view, read);
        }
        return this.writeIfFull();
      },
      tooLong() {
        counts.lines += 1;
        skip("too long");
      },
    };
  }

  private cdx(): LineSink {
    const { counts, counted, records, cdxLine: read } = this;
    const skip = (reason: CdxSkip) => {
      counts.skippedCdxLines[reason] = (counts.skippedCdxLines[reason] ?? 0) + 1;
    };
    return {
      line: (view, start, end) => {
        if (read.readHeader(view, start, end)) return undefined;
        counts.lines += 1;
        const reason = read.read(view, start, end);
        if (reason !== undefined) skip(reason);
        else {
          counted.cdx += 1;
          records.addStored(read);
        }
        return this.writeIfFull();
      },
      tooLong() {
        counts.lines += 1;
        skip("too long");
      },
    };
  }
}

interface LineBytes {
  kind: "crawl-log" | "cdx";
  /** The first line of the CDX, if this is not its first range. */
  header?: Uint8Array;
  bytes: AsyncIterable<Uint8Array>;
  range?: LineRange;
}

/** Yields the parts of a file that contain lines. */
async function* linesOf(division: Division, ports: BuildPorts): AsyncGenerator<LineBytes> {
  const { file, start, end } = division;
  const header = file.kind === "cdx" && start > 0 ? { header: await firstLine(file, ports) } : {};
  if (file.kind === "metadata") {
    for await (const { uri, content } of archiveRecords(decompressed(file, copies(ports.input(file, 0))))) {
      if (/\/crawl\/logs\/crawl\.log\b/.test(uri)) yield { kind: "crawl-log", bytes: content };
      if (/\/crawl\/index\/cdx\b/.test(uri)) yield { kind: "cdx", bytes: content };
    }
  } else if (end === undefined) {
    yield { kind: file.kind, bytes: decompressed(file, ports.input(file, 0)) };
  } else if (isCompressed(file.name)) {
    const { sizeBytes } = file;
    const opened = await openCompressedRange(ports.input(file, 0), { start, end, sizeBytes });
    yield { kind: file.kind, ...header, ...opened };
  } else {
    const isContinued = start > 0;
    const bytes = ports.input(file, isContinued ? start - 1 : 0);
    yield { kind: file.kind, ...header, bytes, range: { isContinued, lengthBytes: end - start } };
  }
}

/** The maximum size of a header. Real headers are much shorter. */
const maxHeaderBytes = 1024;

/** Returns the first line of a file, or the beginning of a long first line. */
async function firstLine(file: InputFile, ports: BuildPorts): Promise<Uint8Array> {
  let read = Buffer.alloc(0);
  for await (const chunk of decompressed(file, ports.input(file, 0))) {
    read = Buffer.concat([read, chunk.subarray(0, maxHeaderBytes)]);
    const end = read.indexOf("\n");
    if (end >= 0) return read.subarray(0, end);
    if (read.length >= maxHeaderBytes) break;
  }
  return read;
}

function decompressed({ name }: InputFile, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!isCompressed(name)) return bytes;
  const content = createGunzip();
  // The error is passed to the reader of the content.
  pipeline(Readable.from(copies(bytes)), content, () => {});
  return content;
}

/** Copies chunks, for readers that request the next chunk before they have processed the last one. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk);
}

/**
 * Returns whether the error is due to the content. Errors of zlib have a code; the readers of archives throw
 * plain errors.
 */
function isUnreadable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof InputError) return true;
  const { code } = error as { code?: unknown };
  return code === undefined ? error.constructor === Error : String(code).startsWith("Z_");
}
