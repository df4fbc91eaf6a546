import { digest } from "../../core/digest.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";

/**
 * The articles that a listing may request. Polls of a source request an article once a day, however often they find it: the
 * archive knows it only when it has been delivered. Other runs request all.
 * @param listing.claimant names the listing: a repeated reader gets the same articles
 */
export async function claimPolledArticles<Article extends { url: string }>(
  articles: Article[],
  { run, sourceId, claimant }: { run: Run; sourceId: string; claimant: string },
  runs: Pick<RunStore, "claimRequests">,
): Promise<Article[]> {
  if (run.harvestOf === undefined || articles.length === 0) return articles;
  // A key of the table for each source and day: one for all would be written too often.
  const polls = `polls-${sourceId}-${run.deliveryMode.toLowerCase()}-${run.startedAt.slice(0, 10)}`;
  const named = articles.map((article) => ({ article, id: digest(sourceId, article.url) }));
  const claimed = await runs.claimRequests(polls, sourceId, { ids: named.map(({ id }) => id), claimant });
  return named.flatMap(({ article, id }) => (claimed.has(id) ? [article] : []));
}
