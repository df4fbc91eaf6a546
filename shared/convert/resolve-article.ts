import type { Settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";
import { type Detections, resolveLanguages } from "./languages.ts";
import type { Person } from "./people.ts";
import { invertedName, normaliseName } from "./person-names.ts";
import type { PreparedArticle } from "./prepare-item.ts";
import { relatorCode } from "./relators.ts";

/** An article whose language is settled, and with it the names of its people, which are divided by language. */
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
    // As the original delivers it; receivers know such records.
    if (!name.lastName)
      warn(`"${name.firstName}" is a name of one word: it is delivered as "${invertedName(name)}"`);
    return { ...name, ...(relator && { relator }) };
  });
  return { ...prepared, type: "resolved", languages, people, warnings };
}
