import { hash } from "node:crypto";
import { readIso2709 } from "../../marc/iso2709-reader.ts";
import { readMarcXml } from "../../marc/marcxml-reader.ts";
import type { RandomAccessFile } from "../uploads/zip/random-access.ts";
import { keepUploaded } from "./keep-uploaded.ts";
import { type ListedUpload, listMarc, refusal } from "./listed-uploads.ts";
import type { ReadBatch, UploadContents, UploadReading } from "./upload-reading.ts";

/** Documents that are kept, and converted, together, and the characters of their metadata at most. */
const batchSize = 500;
const batchChars = 10_000_000;

/**
 * The records of a MARC file, in batches. A record that cannot be read is refused, by its number and 001; of records with one
 * 001 the first is kept, and the others are refused. What is wrong with the file beside its records, such as that it ends too
 * early, is the upload's problem, with the last record that was read.
 */
export function openMarcFile(
  content: "marcxml" | "iso2709",
  file: RandomAccessFile,
  { batch, ports }: UploadReading,
): UploadContents {
  const readMarc = content === "marcxml" ? readMarcXml : readIso2709;
  const problems: string[] = [];
  const batchOf = (listed: ListedUpload[], place: number): ReadBatch => {
    return () => keepUploaded(listed, batch(place), ports);
  };
  async function* batches(): AsyncGenerator<ReadBatch> {
    const firsts = new FirstRecords();
    let some: ListedUpload[] = [];
    let chars = 0;
    let number = 0;
    let records = 0;
    let last = "no record was read";
    for await (const outcome of readMarc(file.read(0, file.sizeBytes))) {
      if (outcome.type === "broken") {
        problems.push(outcome.reason);
        continue;
      }
      const listed = firsts.refuseRepeated(listMarc(outcome, ++records), records);
      some.push(listed);
      chars += charsOf(listed);
      if (outcome.type === "record")
        last = `the last record that was read is record ${records}${idOf(listed)}`;
      if (some.length < batchSize && chars < batchChars) continue;
      yield batchOf(some, number++);
      some = [];
      chars = 0;
    }
    if (some.length > 0) yield batchOf(some, number);
    if (records === 0 && problems.length === 0) problems.push("it has no record");
    else if (problems.length > 0) problems.push(last);
  }
  return {
    batches: batches(),
    foundProblem: () => (problems.length === 0 ? undefined : problems.join("; ")),
  };
}

function idOf(listed: ListedUpload): string {
  return "listed" in listed ? `, ${listed.listed.identifier[0]}` : "";
}

function charsOf(listed: ListedUpload): number {
  return "listed" in listed ? (listed.listed.content?.raw.length ?? 0) : 0;
}

/** Which record of a file was the first with its identifier. */
class FirstRecords {
  /**
   * By 52 bits of the identifier's hash: a file of 5 GB has some two million records, and their identifiers would keep the text
   * of the file in memory. Two of two million share one in one file of two thousand.
   */
  private readonly numbers = new Map<number, number>();

  /** @param number the record's place in the file, from 1 */
  refuseRepeated(record: ListedUpload, number: number): ListedUpload {
    if (!("listed" in record)) return record;
    const [identifier] = record.listed.identifier;
    const key = Number.parseInt(hash("sha256", identifier, "hex").slice(0, 13), 16);
    const first = this.numbers.get(key);
    if (first !== undefined)
      return refusal(identifier, `record ${number}: its 001 is that of record ${first}, which was read`);
    this.numbers.set(key, number);
    return record;
  }
}
