import { z } from "zod";
import { compilePattern } from "../../sources/pattern.ts";

const firstStatus = 100;
const lastStatus = 999;

/** Comma-separated regular expressions of statuses, e.g. `301,4..,50.`, as text that is known to be right. */
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

/** Texts that were worked out: a rule is read and compiled again with each check that carries it. */
const parsedPatterns = new Map<string, ReadonlySet<number>>();
const maxParsedPatterns = 1000;

/**
 * The statuses that match one of the patterns in full. Whatever a host may send has three digits, so a rule can be
 * worked out beforehand, and costs nothing per link.
 * @throws {SyntaxError} that names the pattern that is empty, cannot be compiled or matches no status
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
    const named = statusesMatching(part.trim());
    if (named.length === 0) throw new SyntaxError(`"${part.trim()}" matches no status of three digits`);
    for (const status of named) statuses.add(status);
  }
  return statuses;
}

function statusesMatching(text: string): number[] {
  if (text === "") throw new SyntaxError("there is nothing between two commas");
  const pattern = compilePattern(text);
  const statuses: number[] = [];
  for (let status = firstStatus; status <= lastStatus; status++) {
    if (pattern.matches(String(status))) statuses.push(status);
  }
  return statuses;
}
