import { marcLanguage } from "../../sources/language-codes.ts";
import type { ExpectedLanguages } from "../../sources/source.ts";
import type { Article } from "./article.ts";

/**
 * Tells the language of a text, preferring the expected ones (MARC codes) where it can. Its failures are values: no record
 * depends on it.
 */
export type DetectLanguage = (text: string, expected: readonly string[]) => Promise<Detection>;

export type Detection =
  /** Any ISO 639 code. */
  | { type: "detected"; code: string }
  /** The text does not tell. */
  | { type: "unknown" }
  | { type: "failed"; reason: string };

/** What was found out about texts, by the text. */
export type Detections = ReadonlyMap<string, Detection>;

/** The text whose language decides that of the article; undefined when no detection can change anything. */
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
 * The MARC codes of 041: the item's own language, checked against what the source expects. Without an expectation the
 * item's language stands. When nothing was detected, it stands too, unless the source lets the detected one alone count.
 */
export function resolveLanguages(
  article: Pick<Article, "language" | "title" | "abstract">,
  expected: ExpectedLanguages | undefined,
  detections: Detections,
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

  const detected = codes.length === 1 ? codes[0] : detectedCode(article, expected, detections, warn);
  if (detected === undefined) return mode === "detect" ? [] : given;
  if (mode === "compare" && given.length > 0) {
    if (given[0] === detected) return given;
    const by = codes.length === 1 ? "expected" : "detected";
    warn(`language ${given[0]} of the item, ${detected} is ${by}: none is set`);
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

/** `EN_gb` → eng. What is no language code is told of and left out. */
function normaliseLanguage(language: string, warn: (warning: string) => void): string[] {
  if (!language) return [];
  const code = languageCode(language);
  if (code === undefined) warn(`"${language}" is no known language: left out`);
  return code === undefined ? [] : [code];
}

function languageCode(written: string): string | undefined {
  return marcLanguage(written.toLowerCase().replace(/[-_].*$/, ""));
}
