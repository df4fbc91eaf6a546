import { compress, gzipMember, isHeld } from "./gzip-member.ts";
import { warcinfoIdOf } from "./record-ids.ts";
import type { WarcRecord } from "./warc-record.ts";
import { warcinfoRecord } from "./warcinfo.ts";

/** A file to which records are appended. */
export interface WarcFile {
  append(pieces: readonly Uint8Array[]): Promise<void>;
  /** Completes the file. Nothing can be appended afterwards. */
  close(): Promise<void>;
}

/** The place of a record. */
export interface RecordPlace {
  filename: string;
  /** The offset of the first byte of its gzip member. */
  offset: number;
  /** The length of the gzip member. */
  length: number;
}

export interface WarcSettings {
  /** The prefix of file names, such as `Prefix-20260101000000`. */
  prefix: string;
  /** The size at which a file is closed, about 1 GB. */
  maxFileBytes: number;
  /** The fields of the warcinfo record of each file: `software`, `robots`, … */
  info: readonly (readonly [name: string, value: string])[];
  /** The number of the next file: no two of a capture have the same. */
  nextSerial(): number;
  now(): Date;
  open(filename: string): Promise<WarcFile>;
}

/** The maximum size of a single write. */
const maxBatchBytes = 8_388_608;

/**
 * Creates records that refer to the warcinfo record of their file. @param warcinfoId the id of that record
 */
export type RecordGroup = (warcinfoId: string) => Promise<readonly WarcRecord[]>;

/**
 * Writes records into files, each record as a separate gzip member. Calls must not overlap. Each file begins
 * with a warcinfo record; records that belong together are in the same file.
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#annex-d-informative-warc-file-size-and-name-recommendations
 */
export class WarcWriter {
  private readonly settings: WarcSettings;
  private current: { file: WarcFile; filename: string; infoId: string; sizeBytes: number } | undefined;

  constructor(settings: WarcSettings) {
    this.settings = settings;
  }

  /**
   * Appends groups of records that belong together, as many at a time as the file has room for.
   * @returns the places of each group's records
   */
  async write(groups: readonly RecordGroup[]): Promise<RecordPlace[][]> {
    const places: RecordPlace[][] = [];
    let batch: WarcRecord[][] = [];
    let batchBytes = 0;
    const append = async () => {
      places.push(...(await this.append(batch)));
      batch = [];
      batchBytes = 0;
    };
    for (const group of groups) {
      if (this.isFull(batchBytes)) await append();
      if (this.isFull(0)) await this.close();
      const { infoId } = this.current ?? (await this.begin());
      const records = await group(infoId);
      batch.push([...records]);
      for (const { block } of records) batchBytes += block.sizeBytes;
      if (batchBytes > maxBatchBytes) await append();
    }
    await append();
    return places;
  }

  /** @param batchBytes the maximum size of the next write */
  private isFull(batchBytes: number): boolean {
    return this.current !== undefined && this.current.sizeBytes + batchBytes >= this.settings.maxFileBytes;
  }

  async close(): Promise<void> {
    if (this.current === undefined) return;
    const { file } = this.current;
    this.current = undefined;
    await file.close();
  }

  private async begin(): Promise<{ infoId: string }> {
    const filename = `${this.settings.prefix}-${String(this.settings.nextSerial()).padStart(5, "0")}.warc.gz`;
    const infoId = warcinfoIdOf(filename);
    this.current = { file: await this.settings.open(filename), filename, infoId, sizeBytes: 0 };
    const { info, now } = this.settings;
    await this.append([[warcinfoRecord({ id: infoId, date: now(), filename, info })]]);
    return { infoId };
  }

  private async append(groups: readonly (readonly WarcRecord[])[]): Promise<RecordPlace[][]> {
    const { current } = this;
    if (current === undefined) return [];
    const records = groups.flat();
    const small = new Map(
      await Promise.all(
        records.filter(isHeld).map(async (record) => [record, await compress(record)] as const),
      ),
    );
    const lengths = new Map<WarcRecord, number>();
    let held: Uint8Array[] = [];
    const flush = async () => {
      if (held.length > 0) await current.file.append(held);
      held = [];
    };
    for (const record of records) {
      const member = small.get(record);
      if (member !== undefined) held.push(...member);
      else await flush();
      lengths.set(record, member ? lengthOf(member) : await appendStream(current.file, record));
    }
    await flush();
    return groups.map((group) =>
      group.map((record) => {
        const length = lengths.get(record) ?? 0;
        const place = { filename: current.filename, offset: current.sizeBytes, length };
        current.sizeBytes += length;
        return place;
      }),
    );
  }
}

async function appendStream(file: WarcFile, record: WarcRecord): Promise<number> {
  let length = 0;
  for await (const chunk of gzipMember(record)) {
    await file.append([chunk]);
    length += chunk.byteLength;
  }
  return length;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
