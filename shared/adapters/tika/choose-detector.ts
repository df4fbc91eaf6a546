import type { DetectLanguage } from "../../formats/language/detect-language.ts";
import { detectEmbedded } from "../../formats/language/embedded-detector.ts";

/** Returns the language detector of a deployment: its Tika server if configured, otherwise the embedded detector. */
export function chooseLanguageDetector(tikaServer: URL | undefined): DetectLanguage {
  if (tikaServer === undefined) return detectEmbedded;
  // The HTTP client takes 30 ms to load.
  const loading = import("./tika-detector.ts").then(({ createTikaDetector }) =>
    createTikaDetector(tikaServer),
  );
  return async (text, expected) => (await loading).detect(text, expected);
}
