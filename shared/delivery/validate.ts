import { inParallel } from "../core/in-parallel.ts";
import type { ConvertedDocument } from "../harvest/run.ts";
import type { RecordStore, RunStore, StageQueue } from "../ports.ts";
import { validateRecord } from "../validation/validate-record.ts";
import type { StageRequest } from "./stages.ts";

export interface ValidatePorts {
  runs: RunStore;
  records: RecordStore;
  next: StageQueue;
}

/** What a run's validation decided: fixed by its first completion, so that every later stage works on the same records. */
export interface ValidateResult {
  valid: ConvertedDocument[];
  onlineFirst: ConvertedDocument[];
  delinquent: { document: ConvertedDocument; findings: string[] }[];
}

/** Records read at once from the store. */
const readAtOnce = 16;

/** Ends the harvest of a run and checks its records. Documents that come in after this wait for the next run. */
export async function validateRun({ runId }: StageRequest, ports: ValidatePorts): Promise<void> {
  // A deadline that comes after the end has nothing to say any more.
  if ((await ports.runs.get(runId))?.state === "finished") return;
  await ports.runs.move(runId, ["starting", "harvesting"], { state: "delivering" });
  let result = await ports.runs.stageResult<ValidateResult>(runId, "validate");
  if (result === undefined) {
    const documents = await ports.runs.documents(runId);
    const converted = documents.filter((document) => document.state === "converted");
    result = await ports.runs.finishStage(runId, "validate", await validateAll(converted, ports.records));
  }
  for (const { recordId } of result.onlineFirst) await ports.records.setState(recordId, "online-first");
  for (const { document, findings } of result.delinquent) {
    await ports.records.setState(document.recordId, "delinquent", { findings });
  }
  await ports.next.send({ runId });
}

async function validateAll(documents: ConvertedDocument[], records: RecordStore): Promise<ValidateResult> {
  const result: ValidateResult = { valid: [], onlineFirst: [], delinquent: [] };
  const validated = await inParallel(documents, readAtOnce, async (document) => {
    const record = await records.marc(document.recordKey);
    return { document, ...validateRecord(record, { source: document.sourceId }) };
  });
  for (const { document, outcome, findings } of validated) {
    if (outcome === "valid") result.valid.push(document);
    else if (outcome === "online_first") result.onlineFirst.push(document);
    else result.delinquent.push({ document, findings: findings.map(({ reason }) => reason) });
  }
  return result;
}
