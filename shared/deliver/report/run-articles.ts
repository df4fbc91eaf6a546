import type { OriginFinding } from "../../records/origin/origin-finding.ts";
import type { OriginSummary } from "../../records/origin/origin-summary.ts";
import { readParts } from "../../records/runs/parts.ts";
import type { ConvertedDocument, DocumentOutcome } from "../../records/runs/run.ts";
import type { HarvestBatch, RunStore } from "../../records/runs/run-store.ts";
import type { ArticleOutcome } from "../../records/runs/source-outcomes.ts";
import type { DuplicateDocument } from "../claims/claim.ts";
import type { DeliveryPlan } from "../plan/plan.ts";
import type {
  RefusedDocument,
  UnprocessedDocument,
  ValidateResult,
} from "../stage-results/validate-result.ts";
import { uploadedFiles } from "../upload/uploaded-files.ts";
import { describeFindings } from "../validation/finding.ts";
import { describeDuplicate } from "./source-report.ts";

interface RunArticle {
  outcome: ArticleOutcome;
  title?: string;
  /** Absent for an entry of a list that has no URL. */
  url?: string;
  /** The reason why the article was not delivered. */
  reason?: string;
  recordId?: string;
  /** What is remarkable about the origin of its record. */
  originFindings?: OriginFinding[];
  /** Absent when all fields were taken from the page. */
  origin?: OriginSummary;
  /** The number of entries that it stands for, after the first ones of a list; absent: itself. */
  count?: number;
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
  yield (outcome?.dropped ?? []).map(({ entry, ...rest }) => ({
    outcome: "unusable",
    title: entry,
    ...rest,
  }));
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

interface Decisions {
  decided: ReadonlyMap<string, Decision>;
  /** The outcome of all other records. */
  otherwise: "delivered" | "undelivered";
}

/** Returns the decisions of the run's stages on records of the source that are not delivered, by record id. */
async function decisionsOf(
  runId: string,
  sourceId: string,
  runs: RunArticlePorts["runs"],
): Promise<Decisions> {
  const decided = new Map<string, Decision>();
  const validated = await runs.stageResult<ValidateResult>(runId, "validate");
  const plan = await runs.stageResult<DeliveryPlan>(runId, "plan");
  const { waiting } = await uploadedFiles(runId, runs);
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
  for (const { documents } of waiting) await decide(documents, () => ({ outcome: "undelivered" }));
  await decide(validated?.onlineFirst, () => ({
    outcome: "onlineFirst",
    reason: "without volume and issue",
  }));
  await decide<RefusedDocument>(validated?.delinquent, ({ findings }) => ({
    outcome: "refused",
    reason: describeFindings(findings).join("; "),
  }));
  await decide<UnprocessedDocument>(validated?.unprocessed, ({ reason }) => ({
    outcome: "unusable",
    reason,
  }));
  await decide<DuplicateDocument>(plan?.duplicates ?? validated?.duplicates, (document) => ({
    outcome: "duplicates",
    reason: describeDuplicate(document),
  }));
  return { decided, otherwise: plan === undefined ? "undelivered" : "delivered" };
}

function articleOf(document: DocumentOutcome, { decided, otherwise }: Decisions): RunArticle {
  const { url, title } = document;
  const article = { url, ...(title !== undefined && { title }) };
  if (document.state === "known")
    return { outcome: "known", ...article, reason: `the archive has it: ${document.as}` };
  if (document.state === "dropped") return { outcome: "unusable", ...article, reason: document.reason };
  if (document.state === "failed") return { outcome: "unreachable", ...article, reason: document.reason };
  const { recordId, warnings, origin, originFindings } = document;
  const reason = warnings.length > 0 ? { reason: warnings.join("; ") } : {};
  const from = { ...(originFindings && { originFindings }), ...(origin && { origin }) };
  return { outcome: otherwise, ...article, recordId, ...from, ...reason, ...decided.get(recordId) };
}
