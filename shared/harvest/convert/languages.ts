import { marcLanguage } from "../../sources/language-codes.ts";
import type { ExpectedLanguages } from "../../sources/source.ts";
import type { Article } from "./article.ts";

/**
 * Tells the language of a text, as any ISO 639 code, preferring the expected ones (MARC codes) where it can; undefined
 * when it cannot tell.
 */
export type DetectLanguage = (text: string, expected: readonly string[]) => string | undefined;

/**
 * The MARC codes of 041: the item's own language, checked against what the source expects. Without an expectation the
 * item's language stands, as it does when no detector has an answer.
 */
export function resolveLanguages(
  article: Pick<Article, "language" | "title" | "abstract">,
  expected: ExpectedLanguages | undefined,
  detect: DetectLanguage | undefined,
  warn: (warning: string) => void,
): string[] {
  const given = normaliseLanguage(article.language, warn);
  if (!expected) return given;
  const { mode, codes } = expected;
  if (mode === "force") return codes;
  if (mode === "translator") {
    const strange = given.find((code) => !codes.includes(code));
    if (strange !== undefined) warn(`language ${strange} of the item is not expected: none is set`);
    return strange === undefined ? given : [];
  }

  const detected = codes.length === 1 ? codes[0] : detectFrom(article, expected, detect);
  if (detected === undefined) return given;
  if (mode === "compare" && given.length > 0) return given[0] === detected ? given : [];
  return codes.includes(detected) ? [detected] : [];
}

function detectFrom(
  article: Pick<Article, "title" | "abstract">,
  { detectFrom: fields, codes }: ExpectedLanguages,
  detect: DetectLanguage | undefined,
): string | undefined {
  const texts = {
    title: article.title,
    abstract: article.abstract,
    "title+abstract": `${article.title} ${article.abstract}`,
  };
  const answer = detect?.(texts[fields], codes);
  return answer === undefined ? undefined : marcLanguage(answer.toLowerCase());
}

/** `EN_gb` → eng. What is no language code is told of and left out. */
function normaliseLanguage(language: string, warn: (warning: string) => void): string[] {
  if (!language) return [];
  const code = marcLanguage(language.toLowerCase().replace(/[-_].*$/, ""));
  if (code === undefined) warn(`"${language}" is no known language: left out`);
  return code === undefined ? [] : [code];
}
