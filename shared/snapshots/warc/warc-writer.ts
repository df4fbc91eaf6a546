import { createGzip, gzipSync } from "node:zlib";
import { blockOf, formatFields, formatHeader, recordEnd, type WarcRecord } from "./warc-record.ts";

/** A file that records are appended to. */
export interface WarcFile {
  append(content: Uint8Array): Promise<void>;
  /** Makes the file complete: nothing is appended any more. */
  close(): Promise<void>;
}

/** Where a record is. */
export interface RecordPlace {
  filename: string;
  /** Of the first byte of its gzip member. */
  offset: number;
  /** Of the gzip member. */
  length: number;
}

export interface WarcSettings {
  /** `Prefix-20260101000000`: names of files begin with it. */
  prefix: string;
  /** A file that has reached this size is closed: about 1 GB. */
  maxFileBytes: number;
  /** What the warcinfo record of each file says: `software`, `robots`, … */
  info: readonly (readonly [name: string, value: string])[];
  newId(): string;
  now(): Date;
  open(filename: string): Promise<WarcFile>;
}

/** Larger blocks are compressed as a stream. */
const maxHeldBytes = 1_048_576;

/**
 * Writes records into files, each record a gzip member of its own. Calls must not overlap. Each file begins with a warcinfo
 * record; records that belong together stay in one file.
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#annex-d-informative-warc-file-size-and-name-recommendations
 */
export class WarcWriter {
  private readonly settings: WarcSettings;
  private readonly closed: string[] = [];
  private serial: number;
  private current: { file: WarcFile; filename: string; infoId: string; sizeBytes: number } | undefined;

  /** @param nextSerial the number of the next file: not 0 when a capture continues */
  constructor(settings: WarcSettings, nextSerial = 0) {
    this.settings = settings;
    this.serial = nextSerial;
  }

  /** The names of the complete files. */
  get filenames(): readonly string[] {
    return this.closed;
  }

  /**
   * Appends records that belong together.
   * @param records made for the id of the warcinfo record that describes their file
   * @returns the place of each
   */
  async write(records: (warcinfoId: string) => Promise<readonly WarcRecord[]>): Promise<RecordPlace[]> {
    if (this.current !== undefined && this.current.sizeBytes >= this.settings.maxFileBytes)
      await this.close();
    const { infoId } = this.current ?? (await this.begin());
    const places: RecordPlace[] = [];
    for (const record of await records(infoId)) places.push(await this.append(record));
    return places;
  }

  async close(): Promise<void> {
    if (this.current === undefined) return;
    const { file, filename } = this.current;
    this.current = undefined;
    await file.close();
    this.closed.push(filename);
  }

  private async begin(): Promise<{ infoId: string }> {
    const filename = `${this.settings.prefix}-${String(this.serial++).padStart(5, "0")}.warc.gz`;
    const infoId = this.settings.newId();
    this.current = { file: await this.settings.open(filename), filename, infoId, sizeBytes: 0 };
    await this.append({
      type: "warcinfo",
      id: infoId,
      date: this.settings.now(),
      contentType: "application/warc-fields",
      fields: [["WARC-Filename", filename]],
      block: blockOf(formatFields([...this.settings.info, ["format", "WARC File Format 1.1"]])),
    });
    return { infoId };
  }

  private async append(record: WarcRecord): Promise<RecordPlace> {
    const { current } = this;
    if (current === undefined) throw new Error("no file is open");
    const offset = current.sizeBytes;
    for await (const chunk of gzipMember(record)) {
      await current.file.append(chunk);
      current.sizeBytes += chunk.byteLength;
    }
    return { filename: current.filename, offset, length: current.sizeBytes - offset };
  }
}

/** A record as a member of a gzip file. @throws Error when its block is not as long as it says */
export async function* gzipMember(record: WarcRecord): AsyncGenerator<Uint8Array> {
  if (record.block.sizeBytes > maxHeldBytes) {
    const gzip = createGzip();
    const feed = (async () => {
      for await (const part of recordBytes(record)) {
        if (!gzip.write(part)) await new Promise((resolve) => gzip.once("drain", resolve));
      }
      gzip.end();
    })();
    feed.catch((error: unknown) => gzip.destroy(error as Error));
    yield* gzip as AsyncIterable<Uint8Array>;
    return;
  }
  const parts: Uint8Array[] = [];
  for await (const part of recordBytes(record)) parts.push(part);
  yield gzipSync(Buffer.concat(parts));
}

async function* recordBytes(record: WarcRecord): AsyncGenerator<Uint8Array> {
  const { block, id } = record;
  yield Buffer.from(formatHeader(record), "utf8");
  let sizeBytes = 0;
  for await (const chunk of block.chunks()) {
    sizeBytes += chunk.byteLength;
    yield chunk;
  }
  // A wrong length would hide the next record.
  if (sizeBytes !== block.sizeBytes) {
    throw new Error(`the block of ${id} has ${sizeBytes} bytes instead of ${block.sizeBytes}`);
  }
  yield Buffer.from(recordEnd);
}
