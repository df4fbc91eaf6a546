import type { Settings } from "../../sources/settings.ts";
import type { Article } from "./article.ts";
import type { Kind } from "./kind.ts";

/**
 * Whether an article is dropped because it has no place in an issue yet: `online-first` without volume and issue (kept
 * with a DOI, unless the settings drop all), `early-view` when one of them is said to be missing.
 */
export function prematureReason(
  article: Article,
  kind: Kind,
  settings: Settings,
): "online-first" | "early-view" | undefined {
  const isArticle = article.itemType === "journalArticle" || article.itemType === "magazineArticle";
  if (!isArticle && !kind.isReview && !kind.isNote) return undefined;
  if (!article.volume && !article.issue && (settings.skipOnlineFirst || !article.doi)) return "online-first";
  if (article.volume === "n/a" || article.issue === "n/a") return "early-view";
  return undefined;
}
