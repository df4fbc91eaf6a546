import { formatValue } from "../../core/errors.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import { type Detections, resolveLanguages } from "./languages.ts";
import type { Person } from "./people.ts";
import { normaliseName } from "./person-names.ts";
import type { PreparedArticle } from "./prepare-item.ts";
import { relatorCode } from "./relators.ts";

/**
 * An article with its language and its people. The people come with the language, because the language determines how
 * names are split.
 */
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
  const people = article.creators.flatMap((creator): Person[] => {
    const relator = relatorCode(creator.type);
    if (relator === undefined && creator.type) warn(`creator type "${creator.type}" has no relator code`);
    const name = normaliseName(creator, languages, settings.nameBlacklist);
    if (!name.firstName && !name.lastName) {
      const given = creator.wholeName ?? [creator.firstName, creator.lastName].filter(Boolean).join(" ");
      warn(`the creator ${formatValue(given)} has only signs and words that are not names: left out`);
      return [];
    }
    return [{ ...name, isBody: creator.isBody, ...(relator && { relator }) }];
  });
  return { ...prepared, type: "resolved", languages, people, warnings };
}
