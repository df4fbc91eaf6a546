import { inParallel } from "../../core/in-parallel.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { ConvertedDocument } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";
import type { Finding } from "../validation/finding.ts";
import { type RuleSubject, ruleKey, type ValidationRule } from "../validation/rule.ts";
import { compileRules, type RuleSet } from "../validation/rule-set.ts";
import { type ValidationResult, validateRecord } from "../validation/validate-record.ts";

export interface TryRulesPorts {
  runs: Pick<RunStore, "listLatest" | "stageResult" | "loadPart">;
  records: Pick<RecordStore, "loadMarc">;
}

/** Changes of rules that have not been saved. */
interface RuleChanges {
  put: ValidationRule[];
  remove: RuleSubject[];
}

/** A record whose outcome by the changed rules differs from its outcome by the stored rules. */
interface ChangedOutcome {
  recordId: string;
  sourceId: string;
  title?: string;
  url: string;
  before: ValidationResult["outcome"];
  after: ValidationResult["outcome"];
  /** The reasons why the record would be refused; empty when it would not be refused. */
  findings: Finding[];
}

interface RuleTrial {
  /** The number of records that were validated by both the stored and the changed rules. */
  tried: number;
  refusedBefore: number;
  refusedAfter: number;
  changed: ChangedOutcome[];
}

/** The maximum number of runs that are searched for records. */
const maxRuns = 30;
const maxParallelRecords = 16;

/** Returns the rules after the changes. */
function changeRules(rules: ValidationRule[], { put, remove }: RuleChanges): ValidationRule[] {
  const byKey = new Map(rules.map((rule) => [ruleKey(rule), rule]));
  for (const subject of remove) byKey.delete(ruleKey(subject));
  for (const rule of put) byKey.set(ruleKey(rule), rule);
  return [...byKey.values()];
}

/** Validates the latest records of live runs by the stored rules and by the changed rules. Nothing is stored. */
export async function tryRules(
  { rules, changes }: { rules: ValidationRule[]; changes: RuleChanges },
  { last, sourceId }: { last: number; sourceId?: string | undefined },
  ports: TryRulesPorts,
): Promise<RuleTrial> {
  const [stored, changed] = [compileRules(rules), compileRules(changeRules(rules, changes))];
  const documents = await lastValidated({ last, sourceId }, ports);
  const judged = await inParallel(documents, maxParallelRecords, async (document) => {
    const record = await ports.records.loadMarc(document.recordKey);
    const judge = (set: RuleSet) => validateRecord(record, { source: document.sourceId, rules: set });
    return { document, before: judge(stored), after: judge(changed) };
  });
  const refused = (when: "before" | "after") =>
    judged.filter((each) => each[when].outcome === "delinquent").length;
  return {
    tried: judged.length,
    refusedBefore: refused("before"),
    refusedAfter: refused("after"),
    changed: judged.filter(({ before, after }) => before.outcome !== after.outcome).map(changedOutcome),
  };
}

function changedOutcome({
  document: { recordId, sourceId, title, url },
  before,
  after,
}: {
  document: ConvertedDocument;
  before: ValidationResult;
  after: ValidationResult;
}): ChangedOutcome {
  const record = { recordId, sourceId, url, ...(title !== undefined && { title }) };
  return { ...record, before: before.outcome, after: after.outcome, findings: after.findings };
}

/**
 * Returns the records that the latest live runs have validated, each once, regardless of their outcome. Records of the
 * last run come first.
 */
async function lastValidated(
  { last, sourceId }: { last: number; sourceId?: string | undefined },
  { runs }: Pick<TryRulesPorts, "runs">,
): Promise<ConvertedDocument[]> {
  const found = new Map<string, ConvertedDocument>();
  for (const { runId } of await runs.listLatest("LIVE", { limit: maxRuns })) {
    const validated = await runs.stageResult<ValidateResult>(runId, "validate");
    if (validated === undefined) continue;
    // Refused records come first, because there are few of them and a changed rule often concerns them.
    for (const parts of [validated.delinquent, validated.valid, validated.onlineFirst]) {
      for (const key of parts.keys) {
        for (const document of await runs.loadPart<ConvertedDocument>(key)) {
          if (sourceId !== undefined && document.sourceId !== sourceId) continue;
          if (!found.has(document.recordId)) found.set(document.recordId, document);
          if (found.size === last) return [...found.values()];
        }
      }
    }
  }
  return [...found.values()];
}
