import { MalformedXml } from "../xml/malformed-xml.ts";
import { declaredPrefix } from "../xml/namespaces.ts";
import { XmlParser } from "../xml/xml-parser.ts";
import { type ElementKind, MarcXmlNames, marcXmlNamespace } from "./marcxml-names.ts";
import { finishedRecord, type MarcXmlPlace, type OpenRecord, surroundingTag } from "./marcxml-place.ts";
import { MarcXmlRecordBuilder } from "./marcxml-record-builder.ts";
import { type PlainTags, plainTags, readPlainRecord } from "./plain-record.ts";
import type { ReadOutcome } from "./read-outcome.ts";

/** The length up to which a record may be plain. Longer records are parsed in pieces. */
const maxPlainRecordChars = 1_000_000;

/**
 * The longest record, and the longest text, comment or attribute between two records. ISO 2709 permits 99,999 bytes.
 */
const maxRecordChars = 10_000_000;

/** Elements of an envelope are nested about 10 levels deep. */
const maxDepth = 256;

/** A collection whose children may be plain records. */
interface PlainCollection {
  tags: PlainTags;
  depth: number;
  /** A position: from where the document was read to, up to there, no record ends. */
  noEndTagBefore: number;
}

/**
 * Parses MARCXML from chunks of text. A record is ready after its end tag. Plain records (`readPlainRecord`) are read
 * without the XML parser, several times as fast. If the document is well-formed without its plain records, it is also
 * well-formed with them.
 * @throws {MalformedXml} when the document is not well-formed, or is not MARCXML
 */
export class MarcXmlParser {
  /** The records that were read. The caller removes them. */
  readonly ready: ReadOutcome[] = [];
  private readonly parser: XmlParser;
  private readonly names = new MarcXmlNames();
  /** The namespaces that the current start tag declares, by prefix. */
  private declared: Map<string, string> | undefined;
  private depth = 0;
  private record: OpenRecord | undefined;
  /** The record whose end tag was the last tag. */
  private ended: OpenRecord | undefined;
  /** The number of records so far. */
  private count = 0;
  private surroundings: Pick<MarcXmlPlace, "namespaces" | "collection"> = {
    namespaces: new Map(),
    collection: undefined,
  };
  /** Whether a collection or a record has begun. A document without either is not MARCXML. */
  hasMarc = false;
  /** The name of the outermost element. */
  root: string | undefined;

  private plain: PlainCollection | undefined;
  /** The beginning of a possible plain record. */
  private pendingText = "";
  /**
   * The number of characters passed to the XML parser in total. The next field is the number up to the end of the last
   * tag.
   */
  private parsedChars = 0;
  private tagEndedAt = 0;
  /** The number of line breaks in plain records, which are not passed to the XML parser. */
  private skippedLines = 0;
  /**
   * The difference between a position in the document and the XML parser's position, because plain records are not
   * passed to the XML parser.
   */
  private offset = 0;

  /** @param resumed the place from which records are parsed as if the document began there */
  constructor(resumed?: MarcXmlPlace) {
    this.parser = new XmlParser({
      attribute: ({ name, value }) => {
        // Most attributes belong to the elements of records. Their names are shorter than that of a declaration.
        const prefix = name.length > 4 ? declaredPrefix(name) : undefined;
        if (prefix !== undefined) this.declared = (this.declared ?? new Map()).set(prefix, value);
      },
      open: ({ name }) => this.startTag(name),
      text: (text) => this.record?.building.addText(text),
      close: ({ name, attributes }) => this.endTag(name, attributes),
    });
    if (resumed !== undefined) this.resume(resumed);
  }

  /** The position up to which the document was read. */
  get position(): number {
    return this.parser.position + this.offset;
  }

  /** Whether the outermost element has ended. */
  get isEnded(): boolean {
    return this.root !== undefined && this.depth === 0;
  }

  /** The end of the last tag or plain record. */
  get lastTagAt(): number {
    return this.tagEndedAt + this.offset;
  }

  /** The record that has begun and not ended. */
  get openRecord():
    | (Pick<OpenRecord, "line" | "number" | "contentAt"> & { controlNumber?: string })
    | undefined {
    if (this.record === undefined) return undefined;
    const { building, line, number, contentAt } = this.record;
    const { controlNumber } = building;
    return { line, number, contentAt, ...(controlNumber && { controlNumber }) };
  }

  /** Counts a record that could not be started. @returns the record's number */
  countRecord(): number {
    return ++this.count;
  }

  /** Returns the place for resuming at a position of the document after an error. */
  placeAt(at: number, line: number): MarcXmlPlace {
    return { ...this.surroundings, at, line, count: this.count, isMarc: this.hasMarc };
  }

  /** The current line, from 1. */
  get line(): number {
    return this.parser.line + this.skippedLines;
  }

  write(text: string): void {
    let rest = this.pendingText + text;
    this.pendingText = "";
    while (rest !== "") rest = this.isBetweenRecords() ? this.takeRecord(rest) : this.parseUpToRecord(rest);
  }

  /** Parses the text that was kept back as the beginning of a possible plain record. */
  flush(): void {
    const text = this.pendingText;
    this.pendingText = "";
    this.parse(text);
  }

  close(): void {
    this.flush();
    this.parser.close();
    if (!this.hasMarc) this.parser.fail("there is no collection or record of MARCXML in it");
  }

  /** Opens the collection again, or an element that replaces it. */
  private resume({ namespaces, collection, count, at, line, isMarc }: MarcXmlPlace): void {
    this.count = count;
    this.skippedLines = line - 1;
    this.offset = at;
    if (!isMarc) return;
    const startTag = surroundingTag({ namespaces, collection });
    this.hasMarc = true;
    this.parse(startTag);
    this.surroundings = { namespaces, collection };
    this.offset = at - startTag.length;
  }

  /** Decides whether a plain record may begin here: directly in the collection, immediately after a tag. */
  private isBetweenRecords(): boolean {
    return this.plain?.depth === this.depth && this.tagEndedAt === this.parsedChars;
  }

  /**
   * Reads a plain record and the white space before it from the beginning of the text. @returns the rest of the text
   */
  private takeRecord(text: string): string {
    const plain = this.plain as PlainCollection;
    const { tags } = plain;
    const start = skipBlanks(text, 0);
    if (!text.startsWith(tags.record, start)) {
      return tags.record.startsWith(text.slice(start)) ? this.keepPending(text) : this.parseUpToRecord(text);
    }
    const endTag = this.findEndTag(text, start, plain);
    const end = endTag === -1 ? -1 : endTag + tags.recordEnd.length;
    const record = end === -1 ? undefined : readPlainRecord(text.slice(start, end), tags);
    if (record === undefined) return this.parseBegun(text, tags.record, { start, end });
    this.count++;
    this.ended = undefined;
    this.ready.push({ type: "record", record });
    this.skippedLines += lineBreaksIn(text, end);
    this.offset += end;
    return text.slice(end);
  }

  /** Where the next end tag of a record is in the text; -1: it is not there. No part of a document is searched twice. */
  private findEndTag(text: string, from: number, plain: PlainCollection): number {
    const textAt = this.position;
    const { recordEnd } = plain.tags;
    const endTag = text.indexOf(recordEnd, Math.max(from, plain.noEndTagBefore - textAt));
    plain.noEndTagBefore =
      textAt + (endTag === -1 ? Math.max(from, text.length - recordEnd.length + 1) : endTag);
    return endTag;
  }

  /** Parses a record that is not plain, as far as the next one begins or it ends; returns the rest. */
  private parseBegun(text: string, startTag: string, { start, end }: { start: number; end: number }): string {
    const next = text.indexOf(startTag, start + 1);
    if (next !== -1 && (end === -1 || next < end)) return this.parseUpTo(text, next);
    if (end !== -1) return this.parseUpTo(text, end);
    return text.length > maxPlainRecordChars ? this.parseUpTo(text, text.length) : this.keepPending(text);
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
      // At a wrong end tag, the parser first closes the open element. The record that ended in this way is incomplete.
      if (this.ended !== undefined && isWrongEndTag(error)) {
        this.ready.pop();
        this.record = this.ended;
      }
      throw error;
    }
    const from = this.record?.contentAt ?? this.lastTagAt;
    if (this.position - from <= maxRecordChars) return;
    const what = this.record === undefined ? "there is no tag" : "the record has no end";
    throw new MalformedXml(`${what} within ${maxRecordChars} characters`);
  }

  private startTag(name: string): void {
    const { names, parser } = this;
    if (++this.depth > maxDepth) throw new MalformedXml(`elements are nested more than ${maxDepth} deep`);
    this.root ??= name;
    const namespaces = this.record === undefined && this.plain === undefined ? names.inForce() : undefined;
    names.open(this.declared);
    this.declared = undefined;
    if (this.record !== undefined) {
      if (name.endsWith("record") && names.kindOf(name) === "record")
        throw new MalformedXml("it has no end tag before the next record");
      this.tagEndedAt = parser.position;
      this.record.building.startTag();
      return;
    }
    const kind = names.kindOf(name);
    this.tagEndedAt = parser.position;
    if (namespaces !== undefined) this.noteSurroundings(kind, name, namespaces);
    const isForeign =
      kind === "other" && this.depth === (this.plain?.depth ?? 0) + 1 && /^(.*:)?record$/.test(name);
    if (kind === "record" || (isForeign && this.plain !== undefined)) {
      const building = new MarcXmlRecordBuilder(isForeign ? notInNamespace(name) : undefined);
      const { depth, line, position: contentAt } = this;
      this.record = { building, depth, line, number: ++this.count, contentAt };
    } else if (kind === "collection") {
      this.plain = { tags: plainTags(name.replace(/collection$/, "")), depth: this.depth, noEndTagBefore: 0 };
    } else if (this.depth === 1 && kind === "other" && /^(.*:)?(collection|record)$/.test(name)) {
      parser.fail(notInNamespace(name));
    }
  }

  /** @param outside the namespaces of the enclosing element */
  private noteSurroundings(kind: ElementKind, name: string, outside: ReadonlyMap<string, string>): void {
    if (kind !== "record" && kind !== "collection") return;
    this.hasMarc = true;
    this.surroundings =
      kind === "collection"
        ? { namespaces: this.names.inForce(), collection: name }
        : { namespaces: outside, collection: undefined };
  }

  private endTag(name: string, attributes: Readonly<Record<string, string>>): void {
    const { names, record, depth } = this;
    this.tagEndedAt = this.parser.position;
    this.ended = undefined;
    if (record !== undefined && depth > record.depth) {
      record.building.endTag(names.kindOf(name), depth - record.depth, attributes);
    } else if (record !== undefined) {
      this.ready.push(finishedRecord(record));
      this.record = undefined;
      this.ended = record;
    }
    if (depth === this.plain?.depth) this.plain = undefined;
    names.close();
    this.depth--;
  }
}

function notInNamespace(name: string): string {
  return `<${name}> is not in the namespace ${marcXmlNamespace}`;
}

function isWrongEndTag(error: unknown): boolean {
  return error instanceof MalformedXml && error.message.endsWith("unexpected close tag.");
}

/** Returns the end of the white space that begins at `from`. */
function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the start of the white space that ends at `end`. */
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
