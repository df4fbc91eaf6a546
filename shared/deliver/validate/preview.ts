import { inParallel } from "../../core/in-parallel.ts";
import type { PageText } from "../../formats/page/page-text.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Provenance } from "../../records/origin/provenance.ts";
import { readParts } from "../../records/runs/parts.ts";
import type {
  ConvertedDocument,
  DocumentOutcome,
  RunFailure,
  RunState,
  SourceOutcome,
} from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { RefusedDocument, ValidateResult } from "../stage-results/validate-result.ts";
import { describeFindings } from "../validation/finding.ts";
import type { ValidationResult } from "../validation/validate-record.ts";

/** A record of a preview, with the outcome of its validation. */
export interface PreviewedRecord {
  outcome: ValidationResult["outcome"];
  /** The reasons why validation refused the record. */
  findings: string[];
  title: string;
  url: string;
  hash: string;
  /** Notes on what an operator should check. */
  warnings: string[];
  record: MarcRecord;
  /** The origin of each field; empty for records that the source itself listed. */
  provenance: Provenance;
  /** The text of the page; absent when the source itself listed the record. */
  page?: PageText;
}

/**
 * The result of a preview run. It is complete when the preview is `finished`, and partial before, or when the preview
 * has failed.
 */
export interface Preview {
  state: RunState;
  /** The reason why the preview stopped. */
  failure?: RunFailure;
  /** The outcome of the source's listings; absent before the first outcome. */
  source?: SourceOutcome;
  records: PreviewedRecord[];
  /** The articles that are unusable as records, duplicates, or not provided by their hosts, with the reason. */
  missed: { url: string; title?: string; state: "dropped" | "failed"; reason: string; page?: PageText }[];
}

/** The number of records that are read at the same time. */
const maxParallelRecords = 16;

export interface PreviewPorts {
  runs: Pick<RunStore, "get" | "sourceOutcomes" | "outcomeBatches" | "stageResult" | "loadPart">;
  records: Pick<RecordStore, "loadMarc">;
}

/**
 * Returns the current result of a preview run.
 * @returns undefined when the run does not exist
 */
export async function readPreview(
  runId: string,
  { runs, records }: PreviewPorts,
): Promise<Preview | undefined> {
  const run = await runs.get(runId);
  if (run?.deliveryMode !== "NONE") return undefined;
  const [source] = await runs.sourceOutcomes(runId);
  const validated = await runs.stageResult<ValidateResult>(runId, "validate");
  const documents: {
    document: ConvertedDocument;
    outcome: ValidationResult["outcome"];
    findings: string[];
  }[] = [];
  const firstByKey = new Map<string, ConvertedDocument>();
  const duplicates: Preview["missed"] = [];
  const outcomes = [
    ["valid", validated?.valid],
    ["online_first", validated?.onlineFirst],
    ["delinquent", validated?.delinquent],
  ] as const;
  for (const [outcome, parts] of outcomes) {
    for await (const part of readParts<ConvertedDocument & Partial<RefusedDocument>>(parts, runs)) {
      for (const { findings = [], ...document } of part) {
        const duplicate = outcome === "delinquent" ? undefined : duplicateOf(document, firstByKey);
        if (duplicate !== undefined) duplicates.push(duplicate);
        else documents.push({ document, outcome, findings: describeFindings(findings) });
      }
    }
  }
  return {
    state: run.state,
    ...(run.failure !== undefined && { failure: run.failure }),
    ...(source !== undefined && { source }),
    records: await inParallel(documents, maxParallelRecords, async ({ document, outcome, findings }) => {
      const { title = "", url, hash, warnings, recordKey, provenance = [], page } = document;
      const record = await records.loadMarc(recordKey);
      return { outcome, findings, title, url, hash, warnings, record, provenance, ...(page && { page }) };
    }),
    missed: [...(await missedOf(runId, runs)), ...duplicates],
  };
}

/**
 * Returns why a delivery would omit an article as a duplicate: an earlier article of the run has one of its keys. A
 * delivery finds duplicates by its claims in the archive, but a preview makes no claims.
 * @param firstByKey the articles before this one; this article is added
 */
function duplicateOf(
  document: ConvertedDocument,
  firstByKey: Map<string, ConvertedDocument>,
): Preview["missed"][number] | undefined {
  const { url, title, archiveKeys, page } = document;
  const key = archiveKeys.find((each) => firstByKey.has(each));
  const first = key === undefined ? undefined : firstByKey.get(key);
  if (key === undefined || first === undefined) {
    for (const each of archiveKeys) firstByKey.set(each, document);
    return undefined;
  }
  // The title is included, because two articles of one response may have the same URL.
  const other = first.title === undefined ? first.url : `"${first.title}" <${first.url}>`;
  const reason = `duplicate of ${other}: both have ${key.replace(/^none:/, "")}`;
  return { url, ...(title !== undefined && { title }), state: "dropped", reason, ...(page && { page }) };
}

async function missedOf(runId: string, runs: PreviewPorts["runs"]): Promise<Preview["missed"]> {
  const missed: Preview["missed"] = [];
  for await (const page of runs.outcomeBatches(runId)) missed.push(...page.flatMap(missOf));
  return missed;
}

function missOf(document: DocumentOutcome): Preview["missed"] {
  if (document.state !== "dropped" && document.state !== "failed") return [];
  const { url, title, state, reason, page } = document;
  return [{ url, ...(title !== undefined && { title }), state, reason, ...(page && { page }) }];
}
