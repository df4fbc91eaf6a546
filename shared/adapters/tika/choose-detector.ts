import { detectEmbedded } from "../../convert/language/embedded-detector.ts";
import type { DetectLanguage } from "../../convert/languages.ts";
import { createTikaDetector } from "./tika-detector.ts";

/** The detector of a deployment: the Tika server that it names, else the embedded one. */
export function chooseLanguageDetector(tikaServer: URL | undefined): DetectLanguage {
  return tikaServer === undefined ? detectEmbedded : createTikaDetector(tikaServer).detect;
}
