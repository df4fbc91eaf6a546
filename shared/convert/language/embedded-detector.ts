import { marcLanguage } from "../../sources/language-codes.ts";
import type { DetectLanguage } from "../languages.ts";

/** Scores that are nearer than this, of 0 to 1, tell two languages apart no better than a coin. */
const minScoreDistance = 0.05;

/**
 * Detects with the smallest data of `eld`: 60 languages by n-grams, without asking anybody. The data are loaded with the
 * first text, as most runs need none. Among languages that are too close to tell, an expected one counts.
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
