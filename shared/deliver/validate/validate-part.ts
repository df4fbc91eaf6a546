import { isOutage } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import { type Parts, PartWriter } from "../../records/runs/parts.ts";
import type { ConvertedDocument, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { measurePart, type PartQuality } from "../quality/figures.ts";
import { type PossibleDuplicate, separatePossibleDuplicates } from "../refused/possible-duplicate.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import type {
  RefusedDocument,
  UnprocessedDocument,
  ValidateResult,
} from "../stage-results/validate-result.ts";
import { compileRules } from "../validation/rule-set.ts";
import { refusedResult, type ValidationResult, validateRecord } from "../validation/validate-record.ts";
import type { DividedDocument, DividedRun } from "./divide-documents.ts";

/** The result of validating one part. Decisions that depend on other parts are made when all parts are done. */
export interface ValidatedPart
  extends Pick<ValidateResult, "valid" | "onlineFirst" | "delinquent" | "unprocessed"> {
  /** `PossibleDuplicate`s, which are not included in `valid` yet. */
  alike: Parts;
  /** The number of possible duplicates of each source. */
  alikeCounts: Record<string, number>;
  /** The ids of the released records that were harvested again and are valid. */
  releasedIds: string[];
}

interface ValidatePartPorts {
  runs: Pick<RunStore, "loadPart" | "storePart">;
  records: Pick<RecordStore, "loadMarc">;
  archive: Pick<ArchiveStore, "knownReasons" | "entry">;
  refusedRecords: Pick<RefusedStore, "listedSince">;
  /** Whether this is the last try. A record whose validation then fails does not block the others. */
  isLastTry?: boolean;
}

/**
 * The maximum number of records of a part that may fail separately. If more records fail, the cause is not in the
 * records.
 */
const maxUnprocessed = 20;

/** The number of records that are read at the same time. */
const maxParallelRecords = 32;

/**
 * Validates a part, and measures the quality of its records by source. Records that an earlier run refused are not
 * measured again: they would count every day.
 * @param partKey the key of a part of `DividedDocument`s
 */
export async function validatePart(
  { runId, deliveryMode, startedAt }: Pick<Run, "runId" | "deliveryMode" | "startedAt">,
  { partKey, rules: given }: { partKey: string } & Pick<DividedRun, "rules">,
  { runs, records, archive, refusedRecords, isLastTry = false }: ValidatePartPorts,
): Promise<{ part: ValidatedPart; quality: PartQuality }> {
  const rules = compileRules(given);
  const documents = await runs.loadPart<DividedDocument>(partKey);
  const unprocessed: UnprocessedDocument[] = [];
  const all = await inParallel(documents, maxParallelRecords, async (document) => {
    try {
      const record = await records.loadMarc(document.recordKey);
      const validation = validateRecord(record, { source: document.sourceId, rules });
      return [{ document, record, ...holdIfRequired(document, record, validation) }];
    } catch (error) {
      if (isOutage(error)) throw error;
      const { isReleased: _released, ...article } = document;
      const reason = error instanceof Error ? error.message : String(error);
      unprocessed.push({ ...article, reason: `it could not be validated: ${reason}` });
      return [];
    }
  });
  const [failed] = unprocessed;
  if (failed !== undefined && !(isLastTry && unprocessed.length <= maxUnprocessed))
    throw new Error(`record ${failed.recordId} of source ${failed.sourceId}: ${failed.reason}`);
  const validated = all.flat();
  const valid: ConvertedDocument[] = [];
  const fresh: ConvertedDocument[] = [];
  const onlineFirst: ConvertedDocument[] = [];
  const delinquent: RefusedDocument[] = [];
  const releasedIds: string[] = [];
  for (const { document, outcome, findings } of validated) {
    const { isReleased = false, ...article } = document;
    if (isReleased) {
      // If a released record was harvested again and is not valid, it is delivered as it was released.
      if (outcome !== "valid") continue;
      // An operator has released the record for delivery.
      valid.push(article);
      releasedIds.push(article.recordId);
    } else if (outcome === "valid") fresh.push(article);
    else if (outcome === "online_first") onlineFirst.push(article);
    else delinquent.push({ ...article, findings });
  }
  // A preview does not query the archive.
  const { alike, others } =
    deliveryMode === "NONE" ? { alike: [], others: fresh } : await separatePossibleDuplicates(fresh, archive);
  const refusedBefore = await refusedRecords.listedSince(deliveryMode, [...delinquent, ...alike]);
  const measured = validated.flatMap(({ document: { sourceId, recordId, isReleased = false }, record }) =>
    isReleased || refusedBefore.has(recordId) ? [] : [{ sourceId, record }],
  );
  return {
    part: {
      valid: await store([...valid, ...others]),
      onlineFirst: await store(onlineFirst),
      delinquent: await store(delinquent),
      alike: await store<PossibleDuplicate>(alike),
      alikeCounts: countBySource(alike),
      ...(unprocessed.length > 0 && { unprocessed: await store(unprocessed) }),
      releasedIds,
    },
    quality: measurePart(measured, Number(startedAt.slice(0, 4))),
  };

  async function store<Item extends object>(items: Item[]): Promise<Parts> {
    const writer = new PartWriter<Item>(runId, runs);
    await writer.add(items);
    return writer.finish();
  }
}

/**
 * Refuses a record that would be delivered if a finding about its origin holds it. These findings come first, because
 * the store lists the first ones.
 */
function holdIfRequired(
  { originFindings = [] }: ConvertedDocument,
  record: MarcRecord,
  validation: ValidationResult,
): ValidationResult {
  const held = originFindings.filter(({ isHeld }) => isHeld);
  if (held.length === 0 || validation.outcome === "online_first") return validation;
  const violations = held.map(({ ruleId, tag, reason }) => ({ ruleId, tag, reason }));
  return refusedResult(record, [...violations, ...validation.findings]);
}

function countBySource(documents: ConvertedDocument[]): Record<string, number> {
  const bySource = Map.groupBy(documents, ({ sourceId }) => sourceId);
  return Object.fromEntries([...bySource].map(([sourceId, own]) => [sourceId, own.length]));
}
