import * as z from "zod";
import { compilePattern } from "../../core/pattern.ts";

const firstStatus = 100;
const lastStatus = 999;

/** Comma-separated regular expressions of statuses, as validated text, such as `301,4..,50.`. */
export const statusPatternsText = z
  .string()
  .max(500)
  .superRefine((text, context) => {
    try {
      parseStatusPatterns(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  });

/** A cache, because each check carries a rule that must be parsed and compiled. */
const parsedPatterns = new Map<string, ReadonlySet<number>>();
const maxParsedPatterns = 1000;

/**
 * Returns the statuses of which a pattern matches all three digits. The set is computed once per rule.
 * @throws {SyntaxError} that names a pattern that is empty, invalid or matches no status
 */
export function parseStatusPatterns(text: string): ReadonlySet<number> {
  const before = parsedPatterns.get(text);
  if (before !== undefined) return before;
  const statuses = expandPatterns(text);
  if (parsedPatterns.size >= maxParsedPatterns) parsedPatterns.clear();
  parsedPatterns.set(text, statuses);
  return statuses;
}

function expandPatterns(text: string): ReadonlySet<number> {
  const statuses = new Set<number>();
  if (text.trim() === "") return statuses;
  for (const part of text.split(",")) {
    const matching = statusesMatching(part.trim());
    if (matching.length === 0) throw new SyntaxError(`"${part.trim()}" matches no status of three digits`);
    for (const status of matching) statuses.add(status);
  }
  return statuses;
}

function statusesMatching(text: string): number[] {
  if (text === "") throw new SyntaxError("a pattern is empty");
  const pattern = compilePattern(text);
  const statuses: number[] = [];
  for (let status = firstStatus; status <= lastStatus; status++) {
    if (pattern.matches(String(status))) statuses.push(status);
  }
  return statuses;
}
