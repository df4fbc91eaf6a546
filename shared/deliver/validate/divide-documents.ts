import type { Clock } from "../../core/clock.ts";
import { type DividedStepPorts, divisionOf } from "../../records/runs/divided-step.ts";
import { type Parts, PartWriter } from "../../records/runs/parts.ts";
import type { ConvertedDocument, DocumentOutcome, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";
import type { ValidationRule, ValidationRuleStore } from "../validation/rule.ts";
import { type HarvestLimit, type JoinedHarvests, readLongHarvests } from "./joined-harvests.ts";

/** An article to validate. */
export interface DividedDocument extends ConvertedDocument {
  /** Set when an operator or a corrected rule has released its record since the last run. */
  isReleased?: true;
}

/**
 * The articles that a run validates, in parts. The first division is stored with all data on which the parts must
 * agree, because the parts are validated at different times.
 */
export interface DividedRun extends JoinedHarvests, Pick<ValidateResult, "late"> {
  /** `DividedDocument`s. */
  documents: Parts;
  /** `ConvertedDocument`s: the records released since the last run of the mode. */
  released: Parts;
  rules: ValidationRule[];
}

interface DivideDocumentsPorts extends Pick<DividedStepPorts, "division">, HarvestLimit {
  runs: RunStore;
  rules: Pick<ValidationRuleStore, "rules">;
  refusedRecords: Pick<RefusedStore, "releasedPages">;
  clock: Pick<Clock, "now">;
}

/**
 * Lists the articles of a run and of the long harvests that join it. Only one part, and the ids of the released
 * records, are in memory at a time.
 */
export async function divideDocuments(run: Run, ports: DivideDocumentsPorts): Promise<DividedRun> {
  const { runs, refusedRecords } = ports;
  const { partSize } = divisionOf(ports);
  const rules = await ports.rules.rules();
  const released = new PartWriter<ConvertedDocument>(run.runId, runs, partSize);
  const releasedIds = new Set<string>();
  for await (const page of refusedRecords.releasedPages(run.deliveryMode)) {
    for (const { document } of page) releasedIds.add(document.recordId);
    await released.add(page.map(({ document }) => document));
  }
  const documents = new PartWriter<DividedDocument>(run.runId, runs, partSize);
  const add = (page: DocumentOutcome[]) =>
    documents.add(
      page
        .filter((document) => document.state === "converted")
        .map((document) =>
          releasedIds.has(document.recordId) ? { ...document, isReleased: true } : document,
        ),
    );
  for await (const page of runs.outcomeBatches(run.runId)) await add(page);
  const joined = await readLongHarvests(run, ports, add);
  return { documents: await documents.finish(), released: await released.finish(), rules, ...joined };
}
