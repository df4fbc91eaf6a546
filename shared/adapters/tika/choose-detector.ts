import type { DetectLanguage } from "../../formats/language/detect-language.ts";
import { detectEmbedded } from "../../formats/language/embedded-detector.ts";

/** The language detector of a deployment: the Tika server that it names, else the embedded one. */
export function chooseLanguageDetector(tikaServer: URL | undefined): DetectLanguage {
  if (tikaServer === undefined) return detectEmbedded;
  // The HTTP client takes 30 ms to load.
  const loading = import("./tika-detector.ts").then(({ createTikaDetector }) =>
    createTikaDetector(tikaServer),
  );
  return async (text, expected) => (await loading).detect(text, expected);
}
