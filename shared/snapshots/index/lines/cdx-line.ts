import { parseJson } from "../../../core/parse-json.ts";
import { ByteView } from "./byte-view.ts";
import { isNumber, LineFields } from "./line-fields.ts";

/** Why a line of a CDX is left out. */
export type CdxSkip =
  | "too long"
  | "too few fields"
  | "bad date"
  | "no length"
  | "no offset"
  | "a revisit"
  | "bad JSON";

const fieldsNeeded = 7;

const dateDigits = 14;

const brace = 0x7b;

/**
 * A line of a CDX of NetarchiveSuite (URL, address, date, mime type, length, file, offset) or of a CDXJ (key, date,
 * JSON): where a capture is stored. A revisit stores no payload, so none can be found there. One reader reads many
 * lines; its places are those of the last line.
 * @see https://specs.webrecorder.net/cdxj/0.1.0/
 */
export class CdxLine {
  /** What the places refer to: the line's own bytes, or those of the fields of its JSON. */
  view = new ByteView(new Uint8Array());
  urlStart = 0;
  urlEnd = 0;
  /** The start of 14 digits. */
  dateStart = 0;
  fileStart = 0;
  fileEnd = 0;
  offsetStart = 0;
  offsetEnd = 0;
  private readonly fields = new LineFields(fieldsNeeded);

  /** @returns why the line is left out; undefined when it has been read */
  read(view: ByteView, start: number, end: number): CdxSkip | undefined {
    const { fields } = this;
    const { bytes } = view;
    fields.read(view, start, end);
    if (fields.count >= 3 && bytes[fields.start(2)] === brace) return this.readJson(bytes, end);
    if (fields.count < fieldsNeeded) return "too few fields";
    if (!isNumber(bytes, fields.start(4), fields.end(4))) return "no length";
    if (!isNumber(bytes, fields.start(6), fields.end(6))) return "no offset";
    const date = fields.start(2);
    if (fields.end(2) - date !== dateDigits || !isNumber(bytes, date, date + dateDigits)) return "bad date";
    this.view = view;
    this.urlStart = fields.start(0);
    this.urlEnd = fields.end(0);
    this.dateStart = date;
    this.fileStart = fields.start(5);
    this.fileEnd = fields.end(5);
    this.offsetStart = fields.start(6);
    this.offsetEnd = fields.end(6);
    return undefined;
  }

  private readJson(bytes: Uint8Array, end: number): CdxSkip | undefined {
    const date = this.fields.start(1);
    const json = parseJson(bytes.subarray(this.fields.start(2), end)) as Record<string, unknown> | undefined;
    const { url, filename, mime, length, offset } = json ?? {};
    // What an entry names may not end its line.
    if (typeof url !== "string" || typeof filename !== "string" || /\s/.test(filename)) return "bad JSON";
    if (mime === "warc/revisit") return "a revisit";
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
