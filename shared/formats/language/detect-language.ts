/**
 * Detects the language of a text. It may prefer the expected languages (MARC codes). It never throws, because no record
 * depends on it.
 */
export type DetectLanguage = (text: string, expected: readonly string[]) => Promise<Detection>;

export type Detection =
  /** Any ISO 639 code. */
  | { type: "detected"; code: string }
  /** The text is not sufficient. */
  | { type: "unknown" }
  | { type: "failed"; reason: string };
