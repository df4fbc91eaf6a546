import type { Detection } from "../../formats/language/detect-language.ts";
import { marcLanguage } from "../../marc/language-codes.ts";
import type { ExpectedLanguages } from "../../records/sources/expected-languages.ts";
import type { Article } from "./article.ts";
/** The detected languages, by text. */
export type Detections = ReadonlyMap<string, Detection>;

/**
 * Returns the text from which the language of the article is detected.
 * @returns undefined when no detection is needed
 */
export function textToDetect(
  article: Pick<Article, "title" | "abstract">,
  expected: ExpectedLanguages | undefined,
): string | undefined {
  if (!expected || expected.codes.length === 1) return undefined;
  if (expected.mode === "force" || expected.mode === "translator") return undefined;
  const texts = {
    title: article.title,
    abstract: article.abstract,
    "title+abstract": `${article.title} ${article.abstract}`.trim(),
  };
  return texts[expected.detectFrom] || undefined;
}

/**
 * Determines the MARC codes of 041 from the item's language, the detected language and the languages that the source
 * expects. Without expected languages, or without a detection, the item's language is used. The mode `detect` uses only
 * the detected language.
 */
export function resolveLanguages(
  article: Pick<Article, "language" | "title" | "abstract">,
  expected: ExpectedLanguages | undefined,
  detections: Detections,
  warn: (warning: string) => void,
): string[] {
  const stated = normaliseLanguage(article.language, warn);
  if (!expected) return stated;
  const { mode, codes } = expected;
  if (mode === "force") return codes;
  if (mode === "translator") {
    const unexpected = stated.find((code) => !codes.includes(code));
    if (unexpected !== undefined)
      warn(`language ${unexpected} of the item is not expected: no language is set`);
    return unexpected === undefined ? stated : [];
  }

  const detected = codes.length === 1 ? codes[0] : detectedCode(article, expected, detections, warn);
  if (detected === undefined) return mode === "detect" ? [] : stated;
  if (mode === "compare" && stated.length > 0) {
    if (stated[0] === detected) return stated;
    const by = codes.length === 1 ? "expected" : "detected";
    warn(`language ${stated[0]} of the item, but ${detected} is ${by}: no language is set`);
    return [];
  }
  return codes.includes(detected) ? [detected] : [];
}

function detectedCode(
  article: Pick<Article, "title" | "abstract">,
  expected: ExpectedLanguages,
  detections: Detections,
  warn: (warning: string) => void,
): string | undefined {
  const detection = detections.get(textToDetect(article, expected) ?? "");
  if (detection?.type === "failed") warn(`the language could not be detected: ${detection.reason}`);
  return detection?.type === "detected" ? languageCode(detection.code) : undefined;
}

/** Returns a MARC code: `EN_gb` becomes `eng`. An unknown code is left out with a warning. */
function normaliseLanguage(language: string, warn: (warning: string) => void): string[] {
  if (!language) return [];
  const code = languageCode(language);
  if (code === undefined) warn(`unknown language "${language}" was left out`);
  return code === undefined ? [] : [code];
}

function languageCode(language: string): string | undefined {
  return marcLanguage(language.toLowerCase().replace(/[-_].*$/, ""));
}
