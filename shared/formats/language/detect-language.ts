/** Detects the language of a text; may prefer the expected ones (MARC codes). Never throws: no record depends on it. */
export type DetectLanguage = (text: string, expected: readonly string[]) => Promise<Detection>;

export type Detection =
  /** Any ISO 639 code. */
  | { type: "detected"; code: string }
  /** The text does not suffice. */
  | { type: "unknown" }
  | { type: "failed"; reason: string };
