/**
 * A record of an ARC or WARC file. Its content is a stream, which must be read before the next record is
 * requested.
 */
export interface ArchiveRecord {
  uri: string;
  /** The named fields of a WARC record, by name in lower case; empty for an ARC record. */
  fields: ReadonlyMap<string, string>;
  content: AsyncIterable<Uint8Array>;
}

/** The maximum length of a line. Real header lines and URLs are much shorter. */
const maxLineBytes = 1_000_000;

/**
 * Yields the records of a decompressed ARC or WARC file, one at a time, whatever their size.
 * @throws Error if the file is neither ARC nor WARC
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
 * @see https://archive.org/web/researcher/ArcFileFormat.php
 */
export async function* archiveRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveRecord> {
  const bytes = new ByteReader(chunks);
  for (;;) {
    const line = await bytes.nextLine();
    if (line === undefined) return;
    // Records end with empty lines.
    if (line === "") continue;
    const { uri, fields, length } = line.startsWith("WARC/")
      ? await readWarcHeader(bytes)
      : readArcHeader(line);
    let left = length;
    const content = (async function* () {
      while (left > 0) {
        const chunk = await bytes.next(left);
        if (chunk === undefined) throw new Error(`the record ${uri} is cut off`);
        left -= chunk.byteLength;
        yield chunk;
      }
    })();
    yield { uri, fields, content };
    // Skips the content that was not read.
    for await (const _rest of content);
  }
}

interface RecordHeader extends Pick<ArchiveRecord, "uri" | "fields"> {
  /** The length of the content, in bytes. */
  length: number;
}

async function readWarcHeader(bytes: ByteReader): Promise<RecordHeader> {
  const fields = new Map<string, string>();
  for (let line = await bytes.nextLine(); line !== undefined && line !== ""; line = await bytes.nextLine()) {
    const colon = line.indexOf(":");
    fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const length = Number(fields.get("content-length") ?? Number.NaN);
  if (!Number.isInteger(length)) throw new Error("a WARC record has no Content-Length");
  return { uri: (fields.get("warc-target-uri") ?? "").replace(/^<(.*)>$/, "$1"), fields, length };
}

/** Parses `URL address date type [fields] length`. */
function readArcHeader(line: string): RecordHeader {
  const fields = line.split(" ");
  const length = Number(fields.at(-1));
  if (fields.length < 5 || !Number.isInteger(length)) {
    throw new Error(`it is neither ARC nor WARC: ${line.slice(0, 60)}`);
  }
  return { uri: fields[0] ?? "", fields: new Map(), length };
}

class ByteReader {
  private readonly source: AsyncIterator<Uint8Array>;
  private pending: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.source = chunks[Symbol.asyncIterator]();
  }

  /** Returns up to `most` bytes; undefined at the end. */
  async next(most: number): Promise<Uint8Array | undefined> {
    if (this.pending.byteLength === 0 && !(await this.fill())) return undefined;
    const chunk = this.pending.subarray(0, most);
    this.pending = this.pending.subarray(chunk.byteLength);
    return chunk;
  }

  /** Returns the next line without its line end; undefined at the end of the file. */
  async nextLine(): Promise<string | undefined> {
    for (;;) {
      const end = this.pending.indexOf(0x0a);
      if (end >= 0) {
        const line = Buffer.from(this.pending.subarray(0, end)).toString("utf8");
        this.pending = this.pending.subarray(end + 1);
        return line.replace(/\r$/, "");
      }
      if (this.pending.byteLength > maxLineBytes) throw new Error("a line of a header is too long");
      const before = this.pending;
      this.pending = new Uint8Array();
      if (!(await this.fill()))
        return before.byteLength === 0 ? undefined : Buffer.from(before).toString("utf8");
      this.pending = Buffer.concat([before, this.pending]);
    }
  }

  private async fill(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.source.next();
      if (done) return false;
      if (value.byteLength > 0) {
        this.pending = value;
        return true;
      }
    }
  }
}
