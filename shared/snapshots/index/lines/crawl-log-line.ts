import type { ByteView } from "./byte-view.ts";
import { holdsText, isNumber, LineFields } from "./line-fields.ts";

/** Why a line of a crawl log is left out. */
export type CrawlLogSkip =
  | "too long"
  | "too short"
  | "too few fields"
  | "bad date"
  | "unterminated annotation"
  | "no digest";

/** The minimum length of a valid line. Heritrix writes shorter lines when its disk is full. */
const shortestLine = 43;

const fieldsNeeded = 10;

const dateDigits = 14;

/** This text is also the end of `deduplicate:"`, which older versions write. */
const annotation = Buffer.from('duplicate:"');

const text = Buffer.from("text/");
const dns = Buffer.from("dns:");

const dash = 0x2d;
const colon = 0x3a;
const comma = 0x2c;
const quote = 0x22;
const zero = 0x30;

/** The positions of the 14 digits in `2005-05-06T11:48:24`. */
const writtenDate = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18];
const writtenForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const writtenLength = 19;

/**
 * A line of a Heritrix crawl log, which describes one fetched URL: time, status, size, URL, path of hops,
 * referrer, MIME type, thread, start and duration, digest, source tag, annotations. One object reads many
 * lines; its offsets are those of the last line.
 * @see https://heritrix.readthedocs.io/en/latest/glossary.html#crawl-log
 */
export class CrawlLogLine {
  urlStart = 0;
  urlEnd = 0;
  /** The offset of the digest, without the name of its algorithm. */
  digestStart = 0;
  digestEnd = 0;
  /**
   * The offset of the annotated place of the capture that this capture repeats: `file,offset[,date]`. Empty
   * if it repeats none.
   */
  originStart = 0;
  originEnd = 0;
  /** Whether the MIME type that the host sent is text. */
  isText = false;
  /** When the content was first fetched, if the line has this time: `YYYYMMDDhhmmssSSS`. */
  readonly date = new Uint8Array(17);
  private readonly fields = new LineFields(fieldsNeeded);

  /** Reads a line. @returns why it is left out; undefined if it was read */
  read(view: ByteView, start: number, end: number): CrawlLogSkip | undefined {
    const { fields } = this;
    const { bytes } = view;
    if (end - start < shortestLine) return "too short";
    fields.read(view, start, end);
    if (fields.count < fieldsNeeded) return "too few fields";
    if (!this.readDate(bytes)) return "bad date";
    if (!this.readOrigin(bytes, fields.end(9), end)) return "unterminated annotation";
    this.readDigest(bytes, fields.start(9), fields.end(9));
    this.urlStart = fields.start(3);
    this.urlEnd = fields.end(3);
    if (!this.hasDigest(bytes)) return "no digest";
    this.isText = fields.end(6) - fields.start(6) >= text.length && holdsText(bytes, fields.start(6), text);
    return undefined;
  }

  /** Reads the start of the exchange or, without it, the time at which the line was written. */
  private readDate(bytes: Uint8Array): boolean {
    const started = this.fields.start(8);
    if (this.fields.end(8) - started >= dateDigits && isNumber(bytes, started, started + dateDigits)) {
      for (let digit = 0; digit < dateDigits; digit += 1) this.date[digit] = bytes[started + digit] as number;
      return this.endDate();
    }
    const written = this.fields.start(0);
    const time = Buffer.from(bytes.subarray(written, Math.min(written + writtenLength, this.fields.end(0))));
    if (!writtenForm.test(time.toString("latin1"))) return false;
    for (const [digit, place] of writtenDate.entries()) this.date[digit] = time[place] as number;
    return this.endDate();
  }

  /** Sets the milliseconds to zero. */
  private endDate(): true {
    for (let digit = dateDigits; digit < this.date.length; digit += 1) this.date[digit] = zero;
    return true;
  }

  /**
   * Returns whether the line has a digest. DNS lookups are stored without one; other lines without a digest
   * describe failures.
   */
  private hasDigest(bytes: Uint8Array): boolean {
    if (this.digestEnd - this.digestStart !== 1 || bytes[this.digestStart] !== dash) return true;
    return this.urlEnd - this.urlStart > dns.length && holdsText(bytes, this.urlStart, dns);
  }

  private readDigest(bytes: Uint8Array, start: number, end: number): void {
    let at = end;
    while (at > start && bytes[at - 1] !== colon) at -= 1;
    this.digestStart = at;
    this.digestEnd = end;
  }

  /** Reads the origin. @returns false if the annotation has no end */
  private readOrigin(bytes: Uint8Array, start: number, end: number): boolean {
    this.originStart = 0;
    this.originEnd = 0;
    const open = findAnnotation(bytes, start, end);
    if (open < 0) return true;
    let close = open;
    while (close < end && bytes[close] !== quote) close += 1;
    if (close === end) return false;
    this.originStart = open;
    this.originEnd = close;
    this.takeDate(bytes, close);
    return true;
  }

  /** Reads the date of the original in an annotation: `,` and 17 digits at its end. */
  private takeDate(bytes: Uint8Array, end: number): void {
    const start = end - this.date.length;
    if (start <= this.originStart || bytes[start - 1] !== comma || !isNumber(bytes, start, end)) return;
    for (let digit = 0; digit < this.date.length; digit += 1)
      this.date[digit] = bytes[start + digit] as number;
  }
}

/** Returns the offset after the opening quotation mark; -1 if there is no annotation. */
function findAnnotation(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start + annotation.length - 1; at < end; at += 1) {
    if (bytes[at] === quote && holdsText(bytes, at - annotation.length + 1, annotation)) return at + 1;
  }
  return -1;
}
