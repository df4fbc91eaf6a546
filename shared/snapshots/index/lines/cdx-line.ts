import { parseJson } from "../../../core/parse-json.ts";
import { ByteView } from "./byte-view.ts";
import { type CdxColumns, cdxColumns, maxCdxColumns, netarchiveColumns } from "./cdx-columns.ts";
import { holdsText, isNumber, LineFields } from "./line-fields.ts";

/** Why a line of a CDX is left out. */
export type CdxSkip =
  | "too long"
  | "too few fields"
  | "bad date"
  | "no length"
  | "no offset"
  | "a revisit"
  | "bad JSON"
  | "unknown columns";

/** A header begins with its field separator, followed by these letters. */
const headerStart = Buffer.from("cdx ");
const blank = 0x20;

const revisit = "warc/revisit";
const revisitBytes = Buffer.from(revisit);

const dateDigits = 14;

const brace = 0x7b;

/**
 * A line of a CDX or CDXJ, which describes the place of a stored capture. The columns of a CDX are those of
 * its header or, without one, those of NetarchiveSuite. A line of a CDXJ has a key, a date and JSON. Revisits
 * are left out, because they store no payload. One object reads many lines; its offsets are those of the last
 * line.
 * @see https://specs.webrecorder.net/cdxj/0.1.0/
 */
export class CdxLine {
  /** The bytes to which the offsets refer: those of the line, or those of the fields of its JSON. */
  view = new ByteView(new Uint8Array());
  urlStart = 0;
  urlEnd = 0;
  /** The offset of the 14 digits. */
  dateStart = 0;
  fileStart = 0;
  fileEnd = 0;
  offsetStart = 0;
  offsetEnd = 0;
  private fields = new LineFields(netarchiveColumns.count);
  /** Undefined after a header that lacks a required column. */
  private columns: CdxColumns | undefined = netarchiveColumns;

  /** Begins a file. A file without a header has the columns of NetarchiveSuite. */
  begin(): void {
    this.columns = netarchiveColumns;
  }

  /** Reads the columns of a header. @returns whether the line is a header */
  readHeader({ bytes }: ByteView, start: number, end: number): boolean {
    const from = bytes[start] === blank ? start + 1 : start;
    if (end - from < headerStart.length || !holdsText(bytes, from, headerStart)) return false;
    this.columns = cdxColumns(Buffer.from(bytes.subarray(start, end)).toString("latin1"));
    this.fields = new LineFields(maxCdxColumns);
    return true;
  }

  /** Reads a line. @returns why it is left out; undefined if it was read */
  read(view: ByteView, start: number, end: number): CdxSkip | undefined {
    const { fields, columns } = this;
    const { bytes } = view;
    if (columns === undefined) return "unknown columns";
    fields.read(view, start, end);
    if (fields.count >= 3 && bytes[fields.start(2)] === brace) return this.readJson(bytes, end);
    if (fields.count < columns.count) return "too few fields";
    if (this.isRevisit(bytes, columns)) return "a revisit";
    const { length, offset } = columns;
    if (length !== undefined && !isNumber(bytes, fields.start(length), fields.end(length)))
      return "no length";
    if (!isNumber(bytes, fields.start(offset), fields.end(offset))) return "no offset";
    const date = fields.start(columns.date);
    if (fields.end(columns.date) - date !== dateDigits || !isNumber(bytes, date, date + dateDigits))
      return "bad date";
    this.view = view;
    this.urlStart = fields.start(columns.url);
    this.urlEnd = fields.end(columns.url);
    this.dateStart = date;
    this.fileStart = fields.start(columns.file);
    this.fileEnd = fields.end(columns.file);
    this.offsetStart = fields.start(offset);
    this.offsetEnd = fields.end(offset);
    return undefined;
  }

  private isRevisit(bytes: Uint8Array, { mimeType }: CdxColumns): boolean {
    if (mimeType === undefined) return false;
    const [start, end] = [this.fields.start(mimeType), this.fields.end(mimeType)];
    return end - start === revisitBytes.length && holdsText(bytes, start, revisitBytes);
  }

  private readJson(bytes: Uint8Array, end: number): CdxSkip | undefined {
    const date = this.fields.start(1);
    const json = parseJson(bytes.subarray(this.fields.start(2), end)) as Record<string, unknown> | undefined;
    const { url, filename, mime, length, offset } = json ?? {};
    // White space in these values would end the fields of an entry.
    if (typeof url !== "string" || typeof filename !== "string" || /\s/.test(filename)) return "bad JSON";
    if (mime === revisit) return "a revisit";
    if (!/^\d+$/.test(String(length))) return "no length";
    if (!/^\d+$/.test(String(offset))) return "no offset";
    if (this.fields.end(1) - date < dateDigits || !isNumber(bytes, date, date + dateDigits))
      return "bad date";
    this.place(Buffer.from(bytes.subarray(date, date + dateDigits)), {
      url,
      filename,
      offset: String(offset),
    });
    return undefined;
  }

  private place(
    date: Buffer,
    { url, filename, offset }: { url: string; filename: string; offset: string },
  ): void {
    const texts = [Buffer.from(url), Buffer.from(filename), Buffer.from(offset)] as const;
    this.view = new ByteView(Buffer.concat([date, ...texts]));
    this.dateStart = 0;
    this.urlStart = date.length;
    this.urlEnd = this.fileStart = this.urlStart + texts[0].length;
    this.fileEnd = this.offsetStart = this.fileStart + texts[1].length;
    this.offsetEnd = this.offsetStart + texts[2].length;
  }
}
