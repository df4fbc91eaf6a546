import { readParts } from "../../records/runs/parts.ts";
import type { ConvertedDocument, DocumentOutcome } from "../../records/runs/run.ts";
import type { HarvestBatch, RunStore } from "../../records/runs/run-store.ts";
import type { DuplicateDocument } from "../claims/claim.ts";
import type { DeliveryPlan } from "../plan/plan.ts";
import type {
  DelinquentDocument,
  UnprocessedDocument,
  ValidateResult,
} from "../stage-results/validate-result.ts";
import { describeFindings } from "../validation/finding.ts";
import { describeDuplicate } from "./source-report.ts";

/**
 * The outcome of an article in a run.
 * - `dropped`: unusable as a record
 * - `failed`: its host did not provide it
 * - `known`: the archive contains it
 * - `refused`: refused by validation
 * - `online_first`: waits for volume and issue
 * - `duplicate`: a duplicate of another record
 * - `valid`: delivered, or to be delivered
 */
export const articleOutcomes = [
  "dropped",
  "failed",
  "known",
  "refused",
  "online_first",
  "duplicate",
  "valid",
] as const;
type ArticleOutcome = (typeof articleOutcomes)[number];

interface RunArticle {
  outcome: ArticleOutcome;
  title?: string;
  /** Absent for an entry of a list that has no URL. */
  url?: string;
  /** The reason why the article was not delivered. */
  reason?: string;
  recordId?: string;
}

export interface RunArticlePorts {
  runs: Pick<
    RunStore,
    "sourceOutcome" | "outcomesOfSource" | "loadHarvestBatch" | "stageResult" | "loadPart"
  >;
}

/**
 * Yields the articles of a source in a run, page by page. Unusable entries of its lists come first. The order is always
 * the same.
 */
export async function* runArticles(
  runId: string,
  sourceId: string,
  { runs }: RunArticlePorts,
): AsyncGenerator<RunArticle[]> {
  const outcome = await runs.sourceOutcome(runId, sourceId);
  yield (outcome?.dropped ?? []).map(({ entry, reason }) => ({ outcome: "dropped", title: entry, reason }));
  const decided = await decisionsOf(runId, sourceId, runs);
  const toArticles = (documents: DocumentOutcome[]) =>
    documents.filter((one) => one.sourceId === sourceId).map((one) => articleOf(one, decided));
  for await (const documents of runs.outcomesOfSource(runId, sourceId)) yield toArticles(documents);
  const validated = await runs.stageResult<ValidateResult>(runId, "validate");
  for await (const part of readParts<HarvestBatch>(validated?.joined, runs)) {
    for (const batch of part) yield toArticles(await runs.loadHarvestBatch(batch));
  }
}

type Decision = Pick<RunArticle, "outcome" | "reason">;

/** Returns the decisions of the run's stages on records of the source that are not delivered, by record id. */
async function decisionsOf(
  runId: string,
  sourceId: string,
  runs: RunArticlePorts["runs"],
): Promise<ReadonlyMap<string, Decision>> {
  const decided = new Map<string, Decision>();
  const validated = await runs.stageResult<ValidateResult>(runId, "validate");
  const plan = await runs.stageResult<DeliveryPlan>(runId, "plan");
  const decide = async <Item extends ConvertedDocument>(
    parts: Parameters<typeof readParts>[0],
    decisionOf: (document: Item) => Decision,
  ) => {
    for await (const part of readParts<Item>(parts, runs)) {
      for (const document of part) {
        if (document.sourceId === sourceId) decided.set(document.recordId, decisionOf(document));
      }
    }
  };
  await decide(validated?.onlineFirst, () => ({
    outcome: "online_first",
    reason: "without volume and issue",
  }));
  await decide<DelinquentDocument>(validated?.delinquent, ({ findings }) => ({
    outcome: "refused",
    reason: describeFindings(findings).join("; "),
  }));
  await decide<UnprocessedDocument>(validated?.unprocessed, ({ reason }) => ({ outcome: "dropped", reason }));
  await decide<DuplicateDocument>(plan?.duplicates ?? validated?.duplicates, (document) => ({
    outcome: "duplicate",
    reason: describeDuplicate(document),
  }));
  return decided;
}

function articleOf(document: DocumentOutcome, decided: ReadonlyMap<string, Decision>): RunArticle {
  const { url, title } = document;
  const article = { url, ...(title !== undefined && { title }) };
  if (document.state === "known")
    return { outcome: "known", ...article, reason: `the archive has it: ${document.as}` };
  if (document.state !== "converted") return { outcome: document.state, ...article, reason: document.reason };
  const { recordId, warnings } = document;
  const reason = warnings.length > 0 ? { reason: warnings.join("; ") } : {};
  return { outcome: "valid", ...article, recordId, ...reason, ...decided.get(recordId) };
}
