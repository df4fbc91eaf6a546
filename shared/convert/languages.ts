import { marcLanguage } from "../sources/language-codes.ts";
import type { ExpectedLanguages } from "../sources/source.ts";
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
  const stated = normaliseLanguage(article.language, warn);
  if (!expected) return stated;
  const { mode, codes } = expected;
  if (mode === "force") return codes;
  if (mode === "translator") {
    const unexpected = stated.find((code) => !codes.includes(code));
    if (unexpected !== undefined) warn(`language ${unexpected} of the item is not expected: none is set`);
    return unexpected === undefined ? stated : [];
  }

  const detected = codes.length === 1 ? codes[0] : detectedCode(article, expected, detections, warn);
  if (detected === undefined) return mode === "detect" ? [] : stated;
  if (mode === "compare" && stated.length > 0) {
    if (stated[0] === detected) return stated;
    const by = codes.length === 1 ? "expected" : "detected";
    warn(`language ${stated[0]} of the item, ${detected} is ${by}: none is set`);
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
