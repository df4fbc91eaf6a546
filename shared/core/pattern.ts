import { RE2JS, RE2JSSyntaxException } from "re2js";
import * as z from "zod";
import { formatValue } from "./errors.ts";
import { estimateSteps } from "./pattern-complexity.ts";

/**
 * A regular expression of a configuration. It runs in a linear-time engine, so that no pattern can block a run by
 * endless backtracking. Syntax that needs backtracking is refused when a configuration is read, never when a record is
 * converted.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export type Pattern = RE2JS;

const compiled = new Map<string, Pattern>();

/**
 * Compiles a pattern. The same text is compiled once per process, because all sources share the global patterns.
 * @throws {SyntaxError} that names the unsupported syntax, the error or the limit
 */
export function compilePattern(text: string): Pattern {
  const known = compiled.get(text);
  if (known) return known;
  const pattern = compile(text);
  compiled.set(text, pattern);
  return pattern;
}

/**
 * The maximum length of a pattern. A stored item with all its patterns has at most 400 KB, and a run keeps its compiled
 * patterns in memory.
 */
const maxChars = 10_000;

/**
 * The maximum number of steps of a compiled pattern. A program of 20,000 steps takes 20 ms and 10 MB to compile; a
 * program of a million steps takes two seconds and 500 MB.
 */
const maxSteps = 20_000;

/** A regular expression, as text that was compiled successfully. */
export const patternText = z.string().superRefine((text, context) => {
  try {
    compilePattern(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
  }
});

function compile(text: string): Pattern {
  const problem = complexityProblem(text);
  if (problem !== undefined) throw patternError(text, problem);
  try {
    return RE2JS.compile(text);
  } catch (error) {
    const missing = backtrackingSyntax.find(({ syntax }) => syntax.test(text));
    throw patternError(text, missing ? `${missing.name} cannot be used here` : engineMessage(error), error);
  }
}

/** Returns why a pattern is too large to compile. */
function complexityProblem(text: string): string | undefined {
  if (text.length > maxChars) return `must have at most ${maxChars} characters, and has ${text.length}`;
  const steps = estimateSteps(text);
  if (steps <= maxSteps) return undefined;
  return `its repetitions ({n,m}) come to about ${steps} steps, more than ${maxSteps}`;
}

function patternError(text: string, problem: string, cause?: unknown): SyntaxError {
  return new SyntaxError(`failed to compile pattern: ${formatValue(text)}: ${problem}`, { cause });
}

/** Returns only the engine's description of an error, because its message repeats the whole pattern. */
function engineMessage(error: unknown): string {
  return error instanceof RE2JSSyntaxException ? error.getDescription() : String(error);
}

const backtrackingSyntax = [
  { syntax: /\(\?<?[=!]/, name: "a lookaround, (?=…) (?!…) (?<=…) (?<!…)," },
  { syntax: /\(\?>/, name: "an atomic group, (?>…)," },
  { syntax: /\(\?(?:R|\d|&|P>)/, name: "a recursive pattern" },
  { syntax: /\(\?\(/, name: "a conditional, (?(…)…)," },
  { syntax: /\\[1-9]|\\k[<{']|\(\?P=/, name: "a back-reference inside the pattern" },
  { syntax: /[*+?}]\+/, name: "a possessive quantifier, *+ ++ ?+," },
];
