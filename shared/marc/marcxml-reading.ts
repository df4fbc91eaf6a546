import { MarcXmlParser } from "./marcxml-parser.ts";
import { malformedRecord } from "./marcxml-place.ts";
import type { ReadOutcome } from "./read-outcome.ts";

/**
 * The number of characters that a new parser gets at first. The next constant is the number for later calls. The first
 * number is small, because each parser scans all of its characters, and a faulty file may need many parsers.
 */
const firstChars = 4096;
const laterChars = 65_536;

/** Longer than an end tag, or than the part of a start tag up to the end of its name. */
const tagChars = 200;

/** The number of unneeded characters after which the held text is cut. */
const heldChars = 65_536;

/** Replaces a byte that does not belong to a character, because XML forbids U+FFFF. */
const invalidCharacter = "\uffff";

interface FailedRecord {
  number: number;
  line: number;
  /** The position after the record's start tag or, if that tag has the error, after its name. */
  contentAt: number;
  controlNumber?: string;
}

/**
 * Reads the records of a MARCXML document. After an error, it continues with a new parser at the next start tag of a
 * record. The text from the beginning of the current record is held. After an error, it is searched for records that an
 * unclosed comment or CDATA section has hidden. In total, at most twice the length of the document is searched.
 */
export class MarcXmlReading {
  /** The outcomes that are ready. The caller removes them. */
  readonly ready: ReadOutcome[] = [];
  /** Whether reading has stopped, because the document is not MARCXML. */
  isOver = false;
  /** Undefined while the next start tag of a record is searched for. */
  private parser: MarcXmlParser | undefined = new MarcXmlParser();
  private isResumed = false;
  /** The text of the document from position `heldAt`. */
  private held = "";
  private heldAt = 0;
  /** The earliest place at which a new parser may continue: position, line, and the previous parser. */
  private resume: { at: number; line: number; after: MarcXmlParser } | undefined;
  private readonly invalid: { at: number; problem: string }[] = [];
  private root: string | undefined;
  private tail = "";
  private searchedChars = 0;
  /** The position of the last error that does not belong to a record. */
  private brokenAt = -1;

  write(text: string): void {
    if (this.isOver) return;
    this.held += text;
    this.tail = (this.tail + text.slice(-tagChars)).slice(-tagChars);
    if (this.parser !== undefined) this.parse(text, Number.POSITIVE_INFINITY);
    else this.parse(this.findRecord(), firstChars);
    this.forget();
  }

  /** Makes the current record malformed, because of an invalid byte. */
  writeInvalid(problem: string): void {
    if (this.parser !== undefined) this.invalid.push({ at: this.heldAt + this.held.length, problem });
    else if (this.held.endsWith(invalidCharacter)) return;
    this.write(invalidCharacter);
  }

  close(): void {
    for (let parser = this.parser; parser !== undefined && !this.isOver; parser = this.parser) {
      try {
        parser.close();
        break;
      } catch (error) {
        this.fail(parser, error as Error);
        this.parse(this.findRecord(), firstChars);
      }
    }
    this.takeReady();
    const isWhole = this.root === undefined || new RegExp(`</${this.root}\\s*>`).test(this.tail);
    const end = this.heldAt + this.held.length;
    if (this.resume === undefined || isWhole || this.brokenAt === end || this.isOver) return;
    const line = this.resume.line + lineBreaksIn(this.held.slice(this.resume.at - this.heldAt));
    this.break(end, `line ${line}: the document ends before the end tag of <${this.root}>`);
  }

  /** Parses a text. After an error, parsing continues with the next record. @param chars the size of the first piece */
  private parse(text: string, chars: number): void {
    let rest = text;
    let most = chars;
    while (rest !== "" && this.parser !== undefined && !this.isOver) {
      const { parser } = this;
      try {
        parser.write(rest.slice(0, most));
        if (rest === invalidCharacter) parser.flush();
        rest = rest.slice(most);
        most = Math.max(most, laterChars);
        this.takeReady();
      } catch (error) {
        this.fail(parser, error as Error);
        rest = this.findRecord();
        most = firstChars;
      }
    }
  }

  /** Reports an error. If a record has begun, the error is reported for that record. */
  private fail(parser: MarcXmlParser, error: Error): void {
    this.takeReady();
    const { position, line, hasMarc } = parser;
    const record: FailedRecord | undefined = parser.openRecord ?? this.beginningRecord(parser);
    const begin = record?.contentAt ?? parser.lastTagAt;
    const problem = this.problemOf(error, begin);
    this.root ??= parser.root;
    if (record !== undefined) this.ready.push(malformedRecord(record, problem));
    else if (!this.isResumed || !hasMarc) this.break(position, `line ${line}: ${problem}`);
    this.isOver = !hasMarc;
    this.searchedChars += position - begin;
    const isTooMuch = this.searchedChars > 2 * position + heldChars;
    if (isTooMuch)
      this.break(
        position,
        `line ${line}: no more records are searched for in ${position - begin} characters`,
      );
    const at = isTooMuch ? position : begin;
    const lines = lineBreaksIn(this.held.slice(at - this.heldAt, position - this.heldAt));
    this.resume = { at, line: line - lines, after: parser };
    this.parser = undefined;
    this.isResumed = true;
  }

  private break(at: number, reason: string): void {
    this.ready.push({ type: "broken", reason });
    this.brokenAt = at;
  }

  /** Returns the record whose start tag has the error. */
  private beginningRecord(parser: MarcXmlParser): FailedRecord | undefined {
    const { lastTagAt, position, line } = parser;
    const text = this.held.slice(lastTagAt - this.heldAt, position - this.heldAt);
    const found = /^[^<]*<(?:[\w.-]+:)?record(?![\w.:-])/.exec(text);
    if (found === null || !parser.hasMarc) return undefined;
    return { number: parser.countRecord(), line, contentAt: lastTagAt + found[0].length };
  }

  private problemOf({ message }: Error, begin: number): string {
    while (this.invalid.length > 0 && (this.invalid[0]?.at ?? 0) < begin) this.invalid.shift();
    const [invalid] = this.invalid;
    if (invalid !== undefined && message.endsWith("disallowed character.")) return invalid.problem;
    return message.replace(/^\d+:\d+: /, "");
  }

  /**
   * Searches for the next start tag of a record. @returns the text from that tag, for the new parser; empty when there
   * is none yet
   */
  private findRecord(): string {
    if (this.resume === undefined || this.isOver) return "";
    const { at, line, after } = this.resume;
    const from = at - this.heldAt;
    // The prefix may be any, because the parser decides about the namespace.
    const tags = /<(?:[\w.-]+:)?record(?=[\s/>])/g;
    tags.lastIndex = from;
    const found = tags.exec(this.held)?.index;
    const next = found ?? Math.max(from, this.held.length - tagChars);
    const place = { at: this.heldAt + next, line: line + lineBreaksIn(this.held.slice(from, next)) };
    this.resume = { ...place, after };
    if (found === undefined) return "";
    this.parser = new MarcXmlParser(after.placeAt(place.at, place.line));
    return this.held.slice(next);
  }

  private takeReady(): void {
    if (this.parser !== undefined) this.ready.push(...this.parser.ready.splice(0));
  }

  /** Cuts the text before the record that is being read or searched for. */
  private forget(): void {
    const needed =
      this.parser === undefined
        ? (this.resume?.at ?? 0)
        : (this.parser.openRecord?.contentAt ?? this.parser.lastTagAt);
    if (needed - this.heldAt < (this.parser === undefined ? tagChars : heldChars)) return;
    this.held = this.held.slice(needed - this.heldAt);
    this.heldAt = needed;
  }
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
