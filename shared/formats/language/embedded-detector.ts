import { marcLanguage } from "../../marc/language-codes.ts";
import type { DetectLanguage } from "./detect-language.ts";

/** The smallest difference between scores (0 to 1) that distinguishes two languages. */
const minScoreDistance = 0.05;

/**
 * Detects a language in process with the smallest data set of `eld`: 60 languages by n-grams. The data are loaded with
 * the first text, because most runs need no detection. Among languages with close scores, an expected one is preferred.
 * @see https://github.com/nitotm/efficient-language-detector-js
 */
export const detectEmbedded: DetectLanguage = async (text, expected) => {
  const { eld } = await import("eld/extrasmall");
  const result = eld.detect(text);
  const [best, ...others] = Object.entries(result.getScores()).sort(([, a], [, b]) => b - a);
  if (best === undefined || !result.isReliable()) return { type: "unknown" };
  const candidates = [best, ...others.filter(([, score]) => best[1] - score < minScoreDistance)];
  const [code] = candidates.find(([one]) => expected.includes(marcLanguage(one) ?? one)) ?? best;
  return { type: "detected", code };
};
