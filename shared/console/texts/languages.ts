import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

export const languages = { en, de } as const satisfies Record<string, Texts>;

export type Language = keyof typeof languages;

export function isLanguage(name: string | undefined): name is Language {
  return name !== undefined && Object.hasOwn(languages, name);
}

/**
 * Returns the first available language of `Accept-Language`, by its weights; English when there is none.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#name-accept-language
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? "").split(",").map((range) => {
    const [tag = "", weight = ""] = range.trim().split(/;\s*q=/);
    return { language: tag.split("-", 1)[0]?.toLowerCase(), weight: weight === "" ? 1 : Number(weight) };
  });
  const best = wanted
    .filter(({ language, weight }) => isLanguage(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]?.language;
  return isLanguage(best) ? best : "en";
}
