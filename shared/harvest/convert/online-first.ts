import { isNotAvailable } from "../../core/not-available.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Article } from "./article.ts";
import type { ArticleKind } from "./article-kind.ts";

/**
 * Returns why an article that has not been assigned to an issue is dropped. `online-first` means that it has no volume
 * and no issue. Such an article is kept if it has a DOI, unless the settings drop all such articles. `early-view` means
 * that its volume or issue is "n/a".
 */
export function findOnlineFirstReason(
  article: Article,
  kind: ArticleKind,
  settings: Settings,
): { reason: "online-first" | "early-view"; detail: string } | undefined {
  const isArticle = article.itemType === "journalArticle" || article.itemType === "magazineArticle";
  if (!isArticle && !kind.isReview && !kind.isNote) return undefined;
  if (!article.volume && !article.issue) {
    if (!article.doi) return { reason: "online-first", detail: "it has no volume, no issue and no DOI" };
    if (settings.skipOnlineFirst) {
      const detail = "it has no volume and no issue, and the settings drop all such articles";
      return { reason: "online-first", detail };
    }
  }
  for (const part of ["volume", "issue"] as const) {
    if (isNotAvailable(article[part]))
      return { reason: "early-view", detail: `its ${part} is "${article[part]}"` };
  }
  return undefined;
}
