import { digest } from "../../core/digest.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";

/**
 * Claims the articles that a listing may request. The polls of a source request an article only once a day, even if
 * they find it several times, because the archive contains the article only after its delivery. Other runs request all
 * articles.
 * @param listing.claimant the name of the listing, so that a repeated reader gets the same articles
 */
export async function claimPolledArticles<Article extends { url: string }>(
  articles: Article[],
  { run, sourceId, claimant }: { run: Run; sourceId: string; claimant: string },
  runs: Pick<RunStore, "claimRequests">,
): Promise<Article[]> {
  if (run.harvestOf === undefined || articles.length === 0) return articles;
  // Each source and day has a separate key in the table, because a single key would be written too often.
  const polls = `polls-${sourceId}-${run.deliveryMode.toLowerCase()}-${run.startedAt.slice(0, 10)}`;
  const named = articles.map((article) => ({ article, id: digest(sourceId, article.url) }));
  const claimed = await runs.claimRequests(polls, sourceId, { ids: named.map(({ id }) => id), claimant });
  return named.flatMap(({ article, id }) => (claimed.has(id) ? [article] : []));
}
