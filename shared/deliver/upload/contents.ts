import { isOutage } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { oneLine } from "../../core/one-line.ts";
import { streamMarcXml } from "../../marc/marcxml-writer.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { findStructureProblem } from "../../marc/record-structure.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import { readParts } from "../../records/runs/parts.ts";
import type { ConvertedDocument } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { maxParallelDocuments } from "../claims/claim.ts";
import type { PlannedFile } from "../stage-results/delivery.ts";
import type { RefusedDocument } from "../stage-results/validate-result.ts";
import { describeFindings } from "../validation/finding.ts";

interface ContentPorts {
  runs: Pick<RunStore, "loadPart">;
  records: Pick<RecordStore, "loadMarc">;
}

/**
 * Returns the records of a file in MARCXML that is valid against the MARC21slim schema. A refused record that the
 * schema does not permit is omitted, and named in the log that belongs to the file.
 */
export function marcXml(file: PlannedFile, ports: ContentPorts): AsyncIterable<Uint8Array> {
  return streamMarcXml(recordsOf(file, ports));
}

async function* recordsOf(
  { kind, documents }: PlannedFile,
  { runs, records }: ContentPorts,
): AsyncGenerator<MarcRecord> {
  for await (const part of readParts<ConvertedDocument>(documents, runs)) {
    const marc = await inParallel(part, maxParallelDocuments, (document) => loadNamed(document, records));
    for (const record of marc) {
      if (kind !== "delinquent" || findStructureProblem(record) === undefined) yield record;
    }
  }
}

async function loadNamed(
  { recordId, sourceId, recordKey }: ConvertedDocument,
  records: ContentPorts["records"],
): Promise<MarcRecord> {
  try {
    return await records.loadMarc(recordKey);
  } catch (error) {
    if (isOutage(error)) throw error;
    throw new Error(`record ${recordId} of source ${sourceId} cannot be read`, { cause: error });
  }
}

/** Yields the reasons why the records of a file were refused, one line for each record. */
export async function* errorLog(
  { documents }: PlannedFile,
  { runs }: Pick<ContentPorts, "runs">,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of readParts<RefusedDocument>(documents, runs)) {
    const lines = part.map(
      ({ recordId, title, url, findings }) =>
        `${oneLine(`${recordId} ${title ?? ""} <${url}>: ${describeFindings(findings).join("; ")}`)}\n`,
    );
    yield encoder.encode(lines.join(""));
  }
}
