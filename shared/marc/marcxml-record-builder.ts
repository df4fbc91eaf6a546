import { controlFieldValue } from "./fields.ts";
import type { ElementKind } from "./marcxml-names.ts";
import type { MarcRecord, Subfield } from "./record.ts";
import { findStructureProblem } from "./record-structure.ts";

/**
 * Builds one record from its tags and texts. The record is malformed if anything violates the schema; the first
 * violation is reported.
 */
export class MarcXmlRecordBuilder {
  private readonly record: MarcRecord = { leader: "", control: [], fields: [] };
  /** The subfields of the open data field. */
  private subfields: Subfield[] = [];
  /** The text since the last tag. */
  private text = "";
  private hasLeader = false;
  private problem: string | undefined;

  /** @param problem why the record is malformed from the beginning */
  constructor(problem: string | undefined) {
    this.problem = problem;
  }

  /** The value of field 001, as soon as it was read. */
  get controlNumber(): string | undefined {
    return controlFieldValue(this.record, "001")?.trim();
  }

  addText(text: string): void {
    this.text += text;
  }

  startTag(): void {
    if (this.text !== "") this.expectBlank();
  }

  /** @param level 1 for a child of `<record>`, 2 for a grandchild */
  endTag(kind: ElementKind, level: number, attributes: Readonly<Record<string, string>>): void {
    switch (kind) {
      case "subfield":
        if (level !== 2) this.problem ??= "a subfield is outside of a data field";
        this.subfields.push([attributes.code ?? "", this.text]);
        this.text = "";
        return;
      case "datafield":
        if (this.text !== "") this.expectBlank();
        this.record.fields.push([
          attributes.tag ?? "",
          `${attributes.ind1 ?? ""}${attributes.ind2 ?? ""}`,
          this.subfields,
        ]);
        this.subfields = [];
        break;
      case "controlfield":
        this.record.control.push([attributes.tag ?? "", this.text]);
        break;
      case "leader":
        if (level === 1 && this.hasLeader) this.problem ??= "it holds a second leader";
        this.hasLeader = true;
        this.record.leader = this.text;
        break;
      default:
        this.problem ??= "it holds an element that does not belong to a record";
    }
    if (level !== 1 || this.subfields.length > 0) this.problem ??= `a ${kind} is at a wrong place`;
    this.text = "";
  }

  /** Returns the record, or the reason why it is malformed. */
  finish(): MarcRecord | string {
    this.expectBlank();
    return this.problem ?? findStructureProblem(this.record) ?? this.record;
  }

  /** Permits only white space between elements. */
  private expectBlank(): void {
    const text = this.text.trim();
    if (text !== "") this.problem ??= `there is text between the fields: "${text.slice(0, 40)}"`;
    this.text = "";
  }
}
