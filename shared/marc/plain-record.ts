import type { ControlField, DataField, MarcRecord, Subfield } from "./record.ts";
import { findStructureProblem } from "./record-structure.ts";

/** The tags of plain records, with the namespace prefix of a document. */
export interface PlainTags {
  record: string;
  recordEnd: string;
  leader: string;
  leaderEnd: string;
  controlfield: string;
  controlfieldEnd: string;
  datafield: string;
  datafieldEnd: string;
  subfield: string;
  subfieldEnd: string;
}

/** @param prefix with its colon; empty for the default namespace */
export function plainTags(prefix: string): PlainTags {
  return {
    record: `<${prefix}record>`,
    recordEnd: `</${prefix}record>`,
    leader: `<${prefix}leader>`,
    leaderEnd: `</${prefix}leader>`,
    controlfield: `<${prefix}controlfield tag="`,
    controlfieldEnd: `</${prefix}controlfield>`,
    datafield: `<${prefix}datafield tag="`,
    datafieldEnd: `</${prefix}datafield>`,
    subfield: `<${prefix}subfield code="`,
    subfieldEnd: `</${prefix}subfield>`,
  };
}

/** Line breaks other than a line feed, characters that XML forbids, and the end of a CDATA section. */
const unplain = /[^\t\n -\ufffd]|\]\]>/;

/**
 * Reads a record in the form that nearly all programs write: attributes in the usual order and in double quotes, no
 * comments, no CDATA and no numeric references. The result equals that of the XML parser.
 * @param text the whole record, from its start tag to its end tag
 * @returns undefined for a record in any other form, valid or not, which the XML parser must read
 */
export function readPlainRecord(text: string, tags: PlainTags): MarcRecord | undefined {
  return unplain.test(text) ? undefined : new PlainRecordReader(text, tags).read();
}

/** Reads one record. Unexpected text sets `failed`, and the result is then undefined. */
class PlainRecordReader {
  private readonly text: string;
  private readonly tags: PlainTags;
  private at = 0;
  private failed = false;

  constructor(text: string, tags: PlainTags) {
    this.text = text;
    this.tags = tags;
  }

  read(): MarcRecord | undefined {
    const { tags } = this;
    this.expect(tags.record);
    this.skipBlank();
    this.expect(tags.leader);
    const record: MarcRecord = { leader: this.value(tags.leaderEnd), control: [], fields: [] };
    this.skipBlank();
    while (this.sees(tags.controlfield)) record.control.push(this.controlField());
    while (this.sees(tags.datafield)) record.fields.push(this.dataField());
    this.expect(tags.recordEnd);
    const isWhole = !this.failed && this.at === this.text.length;
    return isWhole && findStructureProblem(record) === undefined ? record : undefined;
  }

  private controlField(): ControlField {
    const tag = this.attribute(3);
    this.expect('">');
    const value = this.value(this.tags.controlfieldEnd);
    this.skipBlank();
    return [tag, value];
  }

  private dataField(): DataField {
    const tag = this.attribute(3);
    this.expect('" ind1="');
    const first = this.attribute(1);
    this.expect('" ind2="');
    const indicators = first + this.attribute(1);
    this.expect('">');
    this.skipBlank();
    const subfields: Subfield[] = [];
    while (this.sees(this.tags.subfield)) {
      const code = this.attribute(1);
      this.expect('">');
      subfields.push([code, this.value(this.tags.subfieldEnd)]);
      this.skipBlank();
    }
    this.expect(this.tags.datafieldEnd);
    this.skipBlank();
    return [tag, indicators, subfields];
  }

  /**
   * Reads an attribute's value of the given length, which must not contain characters that would end it or begin
   * markup.
   */
  private attribute(length: number): string {
    const from = this.at;
    this.at += length;
    for (let at = from; at < this.at; at++) {
      const character = this.text.charCodeAt(at);
      if (character === quote || character === lessThan || character === ampersand) this.failed = true;
    }
    return this.text.slice(from, this.at);
  }

  /** Reads the text up to the next tag, which must be the given end tag. */
  private value(endTag: string): string {
    const end = this.text.indexOf("<", this.at);
    const value = this.text.slice(this.at, end);
    this.at = end;
    this.expect(endTag);
    return value.includes("&") ? this.withoutReferences(value) : value;
  }

  private withoutReferences(value: string): string {
    return value.replace(/&(?:([a-z]+);)?/g, (_reference, name = "") => {
      const character = references.get(name);
      if (character === undefined) this.failed = true;
      return character ?? "";
    });
  }

  private sees(tag: string): boolean {
    if (this.failed || !this.text.startsWith(tag, this.at)) return false;
    this.at += tag.length;
    return true;
  }

  private expect(piece: string): void {
    if (this.text.startsWith(piece, this.at)) this.at += piece.length;
    else this.failed = true;
  }

  private skipBlank(): void {
    for (;;) {
      const character = this.text.charCodeAt(this.at);
      if (character !== lineFeed && character !== space && character !== tab) return;
      this.at++;
    }
  }
}

const tab = 0x09;
const lineFeed = 0x0a;
const space = 0x20;
const quote = 0x22;
const ampersand = 0x26;
const lessThan = 0x3c;

const references: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);
