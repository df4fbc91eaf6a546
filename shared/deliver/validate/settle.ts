import { inParallel } from "../../core/in-parallel.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { DividedStep } from "../../records/runs/divided-step.ts";
import { joinParts, type Parts } from "../../records/runs/parts.ts";
import type { ConvertedDocument, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import type { RefusedDocument, ValidateResult } from "../stage-results/validate-result.ts";
import { describeFindings } from "../validation/finding.ts";

interface SettlePorts {
  runs: Pick<RunStore, "loadPart">;
  records: Pick<RecordStore, "setState">;
  refusedRecords: Pick<RefusedStore, "listedSince" | "save" | "remove">;
}

/** The number of records that are updated at the same time. */
const maxParallelRecords = 32;

/** Returns the steps after a validation, which update the records and the list of refused records, in order. */
export function settleSteps(run: Run, result: ValidateResult, ports: SettlePorts): DividedStep[] {
  const { onlineFirst, delinquent, valid, duplicates } = result;
  return [
    stepOver("settle-refused", [
      [onlineFirst, (part) => markOnlineFirst(run, part, ports)],
      [delinquent, (part) => listRefused(run, part as RefusedDocument[], ports)],
    ]),
    // This step comes after the others, because two articles may turn out to be the same record.
    stepOver("settle-taken", [
      [valid, (part) => removeTakenUp(run, part, { includesReleased: true }, ports)],
      // A record that an operator has released meanwhile joins the next run.
      [onlineFirst, (part) => removeTakenUp(run, part, { includesReleased: false }, ports)],
      // An earlier run may have found the article only at this URL.
      [duplicates, (part) => removeTakenUp(run, part, { includesReleased: false }, ports)],
    ]),
  ];

  function stepOver(
    step: DividedStep["step"],
    lists: [Parts | undefined, (part: ConvertedDocument[]) => Promise<void>][],
  ): DividedStep {
    const works = lists.flatMap(([list, work]) => (list?.keys ?? []).map((key) => ({ key, work })));
    return {
      step,
      ids: works.map((_, index) => String(index)),
      documents: joinParts(lists.map(([list]) => list)).count,
      work: async (id) => {
        const found = works[Number(id)];
        await found?.work(await ports.runs.loadPart<ConvertedDocument>(found.key));
      },
    };
  }
}

async function markOnlineFirst(
  { deliveryMode }: Run,
  part: ConvertedDocument[],
  { records }: SettlePorts,
): Promise<void> {
  await inParallel(part, maxParallelRecords, ({ recordId }) =>
    records.setState({ recordId, deliveryMode }, "online-first"),
  );
}

/** Lists the refused records for operators. */
async function listRefused(
  { deliveryMode, startedAt: refusedAt }: Run,
  part: RefusedDocument[],
  { records, refusedRecords }: SettlePorts,
): Promise<void> {
  await inParallel(part, maxParallelRecords, async ({ findings, refusedSince: _since, ...document }) => {
    const { recordId } = document;
    await records.setState({ recordId, deliveryMode }, "delinquent", {
      findings: describeFindings(findings),
    });
    const findingCount = findings.length;
    await refusedRecords.save({ deliveryMode, document, findings, findingCount, refusedAt });
  });
}

/** Removes records from the list of refused records if this run delivers them or keeps them as online-first. */
async function removeTakenUp(
  { deliveryMode, startedAt: upTo }: Run,
  part: ConvertedDocument[],
  { includesReleased }: { includesReleased: boolean },
  { refusedRecords }: SettlePorts,
): Promise<void> {
  const listed = await refusedRecords.listedSince(deliveryMode, part);
  const documents = part.filter(({ recordId }) => listed.has(recordId));
  await inParallel(documents, maxParallelRecords, (document) =>
    refusedRecords.remove({ deliveryMode, document }, { upTo, includesReleased }),
  );
}
