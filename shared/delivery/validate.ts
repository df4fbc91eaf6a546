import { inParallel } from "../core/in-parallel.ts";
import type { ConvertedDocument } from "../harvest/run.ts";
import type { RecordStore, RunStore, StageQueue } from "../ports.ts";
import { validateRecord } from "../validation/validate-record.ts";
import { type Parts, PartWriter, readParts } from "./parts.ts";
import type { StageRequest } from "./stages.ts";

export interface ValidatePorts {
  runs: RunStore;
  records: RecordStore;
  next: StageQueue;
}

/** A document that validation refused. */
export interface DelinquentDocument extends ConvertedDocument {
  findings: string[];
}

/** What a run's validation decided: fixed by its first completion, so that every later stage works on the same records. */
export interface ValidateResult {
  /** Of converted documents. */
  valid: Parts;
  onlineFirst: Parts;
  /** Of delinquent documents. */
  delinquent: Parts;
}

/** Records read, or marked, at once. */
const recordsAtOnce = 32;

/** Ends the harvest of a run and checks its records. Documents that come in after this wait for the next run. */
export async function validateRun({ runId }: StageRequest, ports: ValidatePorts): Promise<void> {
  // A deadline that comes after the end has nothing to say any more.
  if ((await ports.runs.get(runId))?.state === "finished") return;
  await ports.runs.move(runId, ["starting", "harvesting"], { state: "delivering" });
  const result =
    (await ports.runs.stageResult<ValidateResult>(runId, "validate")) ??
    (await ports.runs.finishStage(runId, "validate", await validateAll(runId, ports)));
  await markRecords(result, ports);
  await ports.next.send({ runId });
}

async function validateAll(runId: string, { runs, records }: ValidatePorts): Promise<ValidateResult> {
  const valid = new PartWriter<ConvertedDocument>(runId, runs);
  const onlineFirst = new PartWriter<ConvertedDocument>(runId, runs);
  const delinquent = new PartWriter<DelinquentDocument>(runId, runs);
  for await (const page of runs.documentPages(runId)) {
    const converted = page.filter((document) => document.state === "converted");
    const validated = await inParallel(converted, recordsAtOnce, async (document) => {
      const record = await records.marc(document.recordKey);
      return { document, ...validateRecord(record, { source: document.sourceId }) };
    });
    for (const { document, outcome, findings } of validated) {
      if (outcome === "valid") await valid.add([document]);
      else if (outcome === "online_first") await onlineFirst.add([document]);
      else await delinquent.add([{ ...document, findings: findings.map(({ reason }) => reason) }]);
    }
  }
  return {
    valid: await valid.end(),
    onlineFirst: await onlineFirst.end(),
    delinquent: await delinquent.end(),
  };
}

async function markRecords(result: ValidateResult, { runs, records }: ValidatePorts): Promise<void> {
  for await (const part of readParts<ConvertedDocument>(result.onlineFirst, runs)) {
    await inParallel(part, recordsAtOnce, ({ recordId }) => records.setState(recordId, "online-first"));
  }
  for await (const part of readParts<DelinquentDocument>(result.delinquent, runs)) {
    await inParallel(part, recordsAtOnce, ({ recordId, findings }) =>
      records.setState(recordId, "delinquent", { findings }),
    );
  }
}
