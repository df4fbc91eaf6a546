import { compilePattern } from "../../core/pattern.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import type { Article } from "./article.ts";

/** The kind of an article. A review is recognised by its title, short title or keywords, and a note by its title. */
export interface ArticleKind {
  isReview: boolean;
  isNote: boolean;
}

export function classifyArticle(article: Article, source: Source, settings: Settings): ArticleKind {
  const reviewTexts = [article.title, article.shortTitle, ...article.keywords];
  return {
    isReview: [settings.reviewRegex, source.reviewRegex].some((pattern) => matchesAny(pattern, reviewTexts)),
    isNote: [settings.notesRegex, source.notesRegex].some((pattern) => matchesAny(pattern, [article.title])),
  };
}

function matchesAny(pattern: string | undefined, texts: string[]): boolean {
  if (pattern === undefined) return false;
  const compiled = compilePattern(pattern);
  return texts.some((text) => compiled.matcher(text).find());
}
