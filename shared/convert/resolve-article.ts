import type { Settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";
import { type Detections, resolveLanguages } from "./languages.ts";
import type { Person } from "./people.ts";
import { invertedName, normaliseName } from "./person-names.ts";
import type { PreparedArticle } from "./prepare-item.ts";
import { relatorCode } from "./relators.ts";

/** An article with its language and its people; how names are split depends on the language. */
export interface ResolvedArticle extends Omit<PreparedArticle, "type"> {
  type: "resolved";
  languages: string[];
  people: Person[];
}

export function resolveArticle(
  prepared: PreparedArticle,
  { source, settings }: { source: Source; settings: Settings },
  detections: Detections,
): ResolvedArticle {
  const { article } = prepared;
  const warnings = [...prepared.warnings];
  const warn = (warning: string) => warnings.push(warning);
  const languages = resolveLanguages(article, source.expectedLanguages, detections, warn);
  const people = article.creators.map((creator): Person => {
    const relator = relatorCode(creator.type);
    if (relator === undefined && creator.type) warn(`creator type "${creator.type}" has no relator code`);
    const name = normaliseName(creator, languages, settings.nameBlacklist);
    // The original delivers such names so; an unchanged record must keep its hash.
    if (!name.lastName)
      warn(`the name "${name.firstName}" has one word: it is delivered as "${invertedName(name)}"`);
    return { ...name, ...(relator && { relator }) };
  });
  return { ...prepared, type: "resolved", languages, people, warnings };
}
