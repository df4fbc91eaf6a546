import { HeldText } from "./held-text.ts";
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

/** What may be searched again in any document, however short. */
const freeChars = 65_536;

/** Replaces a byte that does not belong to a character, because XML forbids U+FFFF. */
const invalidCharacter = "\uffff";

const startOfRecord = /<(?:[\w.-]+:)?record(?=[\s/>])/;
const startOfMarc = /<(?:[\w.-]+:)?(?:collection(?=[\s/>])|record\s)/;
const collectionOrRecord = /^(?:.*:)?(?:collection|record)$/;

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
  private readonly held = new HeldText();
  /** Where a new parser continues at the earliest: position, line, and the parser before. */
  private resume: { at: number; line: number; after: MarcXmlParser } | undefined;
  private readonly invalid: { at: number; problem: string }[] = [];
  private root: string | undefined;
  /** The problem of the text before the collection, and whether it is only white space. */
  private preamble: { problem: string; isBlank: boolean } | undefined;
  private tail = "";
  private searchedChars = 0;
  /** The position of the last error that does not belong to a record. */
  private brokenAt = -1;

  write(text: string): void {
    if (this.isOver) return;
    this.held.add(text);
    this.tail = (this.tail + text.slice(-tagChars)).slice(-tagChars);
    if (this.parser !== undefined) this.parse(text, Number.POSITIVE_INFINITY);
    else this.parse(this.findRecord(), firstChars);
    this.forget();
  }

  /** Makes the current record malformed, because of an invalid byte. */
  writeInvalid(problem: string): void {
    if (this.parser !== undefined) this.invalid.push({ at: this.held.end, problem });
    else if (this.tail.endsWith(invalidCharacter)) return;
    this.write(invalidCharacter);
  }

  close(): void {
    let lastLine = 1;
    for (let parser = this.parser; parser !== undefined && !this.isOver; parser = this.parser) {
      try {
        parser.flush();
        // A closed parser has no lines.
        lastLine = parser.line;
        parser.close();
        break;
      } catch (error) {
        this.fail(parser, error as Error);
        this.parse(this.findRecord(), firstChars);
      }
    }
    this.takeReady();
    if (this.preamble !== undefined) this.break(this.held.end, this.preamble.problem);
    const isWhole = this.root === undefined || new RegExp(`</${this.root}\\s*>`).test(this.tail);
    const { end } = this.held;
    if (this.resume === undefined || isWhole || this.brokenAt === end || this.isOver) return;
    const line = this.parser ? lastLine : this.resume.line + lineBreaksIn(this.held.slice(this.resume.at));
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
    const problem = this.problemOf(error, begin, position);
    // Before it is clear that the document is MARCXML, its collection may follow.
    const isPreamble = !hasMarc && !collectionOrRecord.test(parser.root ?? "");
    if (hasMarc) this.root ??= parser.root;
    if (record !== undefined) this.ready.push(malformedRecord(record, problem));
    else if (isPreamble) this.preamble ??= this.preambleOf(parser, problem);
    else if (!this.isResumed || this.isAfterCollection(parser, problem))
      this.break(position, `line ${line}: ${problem}`);
    this.isOver = !hasMarc && !isPreamble;
    this.searchedChars += position - begin;
    const isTooMuch = this.searchedChars > 2 * position + freeChars;
    if (isTooMuch)
      this.break(
        position,
        `line ${line}: no more records are searched for in ${position - begin} characters`,
      );
    const at = isTooMuch ? position : begin;
    const lines = lineBreaksIn(this.held.slice(at, position));
    this.resume = { at, line: line - lines, after: parser };
    this.parser = undefined;
    this.isResumed = hasMarc;
  }

  private preambleOf({ lastTagAt, position, line }: MarcXmlParser, problem: string) {
    const text = this.held.slice(lastTagAt, position);
    const isBlank = /^\s+<\?xml\b/.test(this.held.slice(lastTagAt)) && lastTagAt === 0;
    const at = line - lineBreaksIn(text);
    return { problem: `line ${at}: ${problem}`, isBlank };
  }

  /** Decides whether an error is in the text after a document that is a collection. An envelope continues. */
  private isAfterCollection(parser: MarcXmlParser, problem: string): boolean {
    // Such an end tag belongs to the record that had an error.
    return parser.isEnded && parser.root === this.root && problem !== "unexpected close tag.";
  }

  private break(at: number, reason: string): void {
    this.ready.push({ type: "broken", reason });
    this.brokenAt = at;
  }

  /** Returns the record whose start tag has the error. */
  private beginningRecord(parser: MarcXmlParser): FailedRecord | undefined {
    const { lastTagAt, position, line } = parser;
    const found = /^[^<]*<(?:[\w.-]+:)?record(?![\w.:-])/.exec(this.held.slice(lastTagAt, position));
    if (found === null || !parser.hasMarc) return undefined;
    return { number: parser.countRecord(), line, contentAt: lastTagAt + found[0].length };
  }

  private problemOf({ message }: Error, begin: number, position: number): string {
    while (this.invalid.length > 0 && (this.invalid[0]?.at ?? 0) < begin) this.invalid.shift();
    const [invalid] = this.invalid;
    if (invalid !== undefined && message.endsWith("disallowed character.")) return invalid.problem;
    const ampersand = readsOn.test(message) ? findAmpersand(this.held.slice(begin, position)) : undefined;
    if (ampersand !== undefined) return `"${ampersand}" has an & that begins no reference: write &amp;`;
    return message.replace(/^\d+:\d+: /, "");
  }

  /**
   * Searches for the next start tag of a record. @returns the text from that tag, for the new parser; empty when there
   * is none yet
   */
  private findRecord(): string {
    if (this.resume === undefined || this.isOver) return "";
    const { at, line, after } = this.resume;
    const text = this.held.slice(at);
    // In any namespace: the parser decides.
    const found = text.search(after.hasMarc ? startOfRecord : startOfMarc);
    const next = found === -1 ? Math.max(0, text.length - tagChars) : found;
    const place = { at: at + next, line: line + lineBreaksIn(text.slice(0, next)) };
    this.resume = { ...place, after };
    if (found === -1) return "";
    this.parser = new MarcXmlParser(after.placeAt(place.at, place.line));
    return text.slice(next);
  }

  private takeReady(): void {
    if (this.parser === undefined) return;
    if (this.parser.hasMarc && this.preamble !== undefined) {
      const { problem, isBlank } = this.preamble;
      if (!isBlank) this.break(-1, `${problem.replace(/\.$/, "")}; reading resumes at the collection`);
      this.preamble = undefined;
    }
    this.ready.push(...this.parser.ready.splice(0));
  }

  /** Cuts the text before the record that is being read or searched for. */
  private forget(): void {
    const { parser } = this;
    if (parser !== undefined) this.held.forgetBefore(parser.openRecord?.contentAt ?? parser.lastTagAt);
    else if (this.resume !== undefined) this.held.cutBefore(this.resume.at);
  }
}

/** The problems that a bare & causes, after which the parser reads on to the next semicolon. */
const readsOn = /unclosed tag|has no end within|entity|unexpected end/;

/** Returns the first & of a text that begins no reference, with the characters around it. */
function findAmpersand(text: string): string | undefined {
  const plain = text.replaceAll(/<!\[CDATA\[.*?\]\]>|<!--.*?-->/gs, "");
  return /[^\s<>&]{0,20}&(?!#\d+;|#x[\da-f]+;|[\w:.-]+;)[^\s<>&]{0,20}/i.exec(plain)?.[0];
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
