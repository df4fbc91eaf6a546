import type { Converted } from "../../../shared/harvest/convert/conversion.ts";
import { writeIso2709 } from "../../../shared/marc/iso2709-writer.ts";
import { MarcXmlCollection } from "../../../shared/marc/marcxml-writer.ts";
import { findStructureProblem } from "../../../shared/marc/record-structure.ts";

export const recordFormats = ["marcxml", "iso2709", "json"] as const;
export type RecordFormat = (typeof recordFormats)[number];

export type WritableRecord = Pick<Converted, "record" | "hash">;

/** Formats converted records. What it returns are whole records. */
export class RecordWriter {
  private readonly format: RecordFormat;
  private readonly collection: MarcXmlCollection;
  private parts: Uint8Array[] = [];

  /** @param options.isContinued whether the output has begun already */
  constructor(format: RecordFormat, { isContinued = false } = {}) {
    this.format = format;
    this.collection = new MarcXmlCollection();
    if (isContinued) this.collection.take();
  }

  /** Adds a record. @returns the reason why the format cannot represent it, if it cannot */
  add({ record, hash }: WritableRecord): string | undefined {
    if (this.format === "json") {
      this.parts.push(Buffer.from(`${JSON.stringify({ ...record, hash })}\n`));
      return undefined;
    }
    const problem = findStructureProblem(record);
    if (problem !== undefined) return `no-marc: ${problem}`;
    if (this.format === "iso2709") {
      const written = writeIso2709(record);
      if (written.type === "too-long") return `too-long: ${written.reason}`;
      this.parts.push(Buffer.from(written.bytes));
      return undefined;
    }
    const chunk = this.collection.add(record);
    if (chunk !== undefined) this.parts.push(chunk);
    return undefined;
  }

  /** Returns the records that were added since the last call. */
  take(): Uint8Array {
    const parts = this.parts;
    this.parts = [];
    if (this.format === "marcxml") parts.push(this.collection.take());
    return Buffer.concat(parts);
  }

  /** Returns the end of the output, which `take` does not return. */
  end(): Uint8Array {
    return this.format === "marcxml" ? this.collection.end() : Buffer.alloc(0);
  }
}
