import { MalformedXml } from "../xml/malformed-xml.ts";
import { declaredPrefix } from "../xml/namespaces.ts";
import { XmlParser } from "../xml/xml-parser.ts";
import { MarcXmlNames, marcXmlNamespace } from "./marcxml-names.ts";
import { MarcXmlRecordBuilder } from "./marcxml-record-builder.ts";
import { type PlainTags, plainTags, readPlainRecord } from "./plain-record.ts";
import type { ReadOutcome } from "./read-outcome.ts";

/** Longer records are parsed piece by piece. */
const maxPlainRecordChars = 1_000_000;

/**
 * Parses MARCXML from chunks of text; a record is ready at its end tag. Plain records (`readPlainRecord`) are read without
 * the XML parser, several times as fast; the document without them is as well-formed as with them.
 * @throws {MalformedXml} when the document is not well-formed, or is not MARCXML
 */
export class MarcXmlParser {
  /** Records that were read, until the caller removes them. */
  readonly ready: ReadOutcome[] = [];
  private readonly parser: XmlParser;
  private readonly names = new MarcXmlNames();
  /** The namespaces that the current start tag declares, by prefix. */
  private declared: Map<string, string> | undefined;
  private depth = 0;
  private record: { building: MarcXmlRecordBuilder; depth: number; line: number } | undefined;
  /** Records so far. */
  private count = 0;
  private endsRecord = false;
  /** Whether a collection or a record has begun; a document without either is not MARCXML. */
  private hasMarc = false;

  /** The collection whose children may be plain records, and its depth. */
  private plain: { tags: PlainTags; depth: number } | undefined;
  /** The beginning of a possible plain record. */
  private pendingText = "";
  /** Characters given to the XML parser: in all, and up to the end of the last tag. */
  private parsedChars = 0;
  private tagEndedAt = 0;
  /** Line breaks in plain records, which the XML parser does not see. */
  private skippedLines = 0;

  constructor() {
    this.parser = new XmlParser({
      declaration: (encoding = "UTF-8") => {
        if (!/^(utf-?8|us-ascii)$/i.test(encoding))
          this.parser.fail(`the encoding ${encoding} is not read, only UTF-8`);
      },
      attribute: ({ name, value }) => {
        // Most attributes are those of records' elements, with shorter names.
        const prefix = name.length > 4 ? declaredPrefix(name) : undefined;
        if (prefix !== undefined) this.declared = (this.declared ?? new Map()).set(prefix, value);
      },
      open: ({ name }) => this.startTag(name),
      text: (text) => this.record?.building.addText(text),
      close: ({ name, attributes }) => this.endTag(name, attributes),
    });
  }

  /** The line that is being read, from 1. */
  get line(): number {
    return this.parser.line + this.skippedLines;
  }

  write(text: string): void {
    let rest = this.pendingText + text;
    this.pendingText = "";
    while (rest !== "") rest = this.isBetweenRecords() ? this.takeRecord(rest) : this.parseUpToRecord(rest);
  }

  close(): void {
    this.parse(this.pendingText);
    this.parser.close();
    if (!this.hasMarc) this.parser.fail("there is no collection or record of MARCXML in it");
  }

  /** Whether a plain record may begin here: directly in the collection, right after a tag. */
  private isBetweenRecords(): boolean {
    return this.plain?.depth === this.depth && this.tagEndedAt === this.parsedChars;
  }

  /** Reads a plain record, with the blanks before it, from the beginning of the text; returns the rest. */
  private takeRecord(text: string): string {
    const { tags } = this.plain as { tags: PlainTags };
    const start = skipBlanks(text, 0);
    if (!text.startsWith(tags.record, start)) {
      return tags.record.startsWith(text.slice(start)) ? this.keepPending(text) : this.parseUpToRecord(text);
    }
    const endTag = text.indexOf(tags.recordEnd, start);
    if (endTag === -1) {
      return text.length > maxPlainRecordChars ? this.parseUpTo(text, text.length) : this.keepPending(text);
    }
    const end = endTag + tags.recordEnd.length;
    const record = readPlainRecord(text.slice(start, end), tags);
    if (record === undefined) return this.parseUpTo(text, end);
    this.count++;
    this.endsRecord = false;
    this.ready.push({ type: "record", record });
    this.skippedLines += lineBreaksIn(text, end);
    return text.slice(end);
  }

  /** Parses up to the next place where a plain record may begin; returns the rest. */
  private parseUpToRecord(text: string): string {
    if (this.plain === undefined) {
      const name = text.indexOf("collection");
      const tagEnd = name === -1 ? 0 : text.indexOf(">", name) + 1;
      return this.parseUpTo(text, tagEnd > 0 ? tagEnd : text.length);
    }
    const { record } = this.plain.tags;
    const next = text.indexOf(record);
    if (next === -1) return this.parseUpTo(text, text.length);
    const before = skipBlanksBackwards(text, next);
    return this.parseUpTo(text, before > 0 ? before : next + record.length);
  }

  private keepPending(text: string): string {
    this.pendingText = text;
    return "";
  }

  private parseUpTo(text: string, end: number): string {
    this.parse(text.slice(0, end));
    return text.slice(end);
  }

  private parse(text: string): void {
    this.parsedChars += text.length;
    try {
      this.parser.write(text);
    } catch (error) {
      // At a wrong end tag the parser first closes the open element; that record is incomplete.
      if (this.endsRecord && isWrongEndTag(error)) this.ready.pop();
      throw error;
    }
  }

  private startTag(name: string): void {
    const { names, parser } = this;
    this.depth++;
    this.tagEndedAt = parser.position;
    names.open(this.declared);
    this.declared = undefined;
    if (this.record !== undefined) {
      this.record.building.startTag();
      return;
    }
    const kind = names.kindOf(name);
    this.hasMarc ||= kind === "record" || kind === "collection";
    if (kind === "record") {
      this.count++;
      this.record = { building: new MarcXmlRecordBuilder(), depth: this.depth, line: this.line };
    } else if (kind === "collection") {
      this.plain = { tags: plainTags(name.replace(/collection$/, "")), depth: this.depth };
    } else if (this.depth === 1 && kind === "other" && /^(.*:)?(collection|record)$/.test(name)) {
      parser.fail(`<${name}> is not in the namespace ${marcXmlNamespace}`);
    }
  }

  private endTag(name: string, attributes: Readonly<Record<string, string>>): void {
    const { names, record, depth } = this;
    this.tagEndedAt = this.parser.position;
    this.endsRecord = false;
    if (record !== undefined && depth > record.depth) {
      record.building.endTag(names.kindOf(name), depth - record.depth, attributes);
    } else if (record !== undefined) {
      const result = record.building.finish();
      this.ready.push(
        typeof result === "string"
          ? { type: "malformed", reason: `record ${this.count} at line ${record.line}: ${result}` }
          : { type: "record", record: result },
      );
      this.record = undefined;
      this.endsRecord = true;
    }
    if (depth === this.plain?.depth) this.plain = undefined;
    names.close();
    this.depth--;
  }
}

function isWrongEndTag(error: unknown): boolean {
  return error instanceof MalformedXml && error.message.endsWith("unexpected close tag.");
}

/** The end of the blanks that begin at `from`. */
function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The start of the blanks that end at `end`. */
function skipBlanksBackwards(text: string, end: number): number {
  let at = end;
  while (isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** @see https://www.w3.org/TR/xml/#NT-S */
function isBlank(character: number): boolean {
  return character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09;
}

function lineBreaksIn(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
