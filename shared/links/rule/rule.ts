import * as z from "zod";
import { parseInput } from "../../core/schema-problems.ts";
import { compilePattern, type Pattern, patternText } from "../../records/sources/pattern.ts";
import { compileXPath, type XPath, xpathText } from "../xpath/xpath.ts";
import { parseStatusPatterns, statusPatternsText } from "./status-patterns.ts";

const throttleMaxSeconds = 3600;

/** Decides which links of a collection are broken, besides those that respond 404 or 410. */
export const linkRule = z.strictObject({
  title: z.string().max(200).optional().describe("The title of the collection"),
  xpath: xpathText.optional().describe("XPath 1.0: a link is broken when it matches its page"),
  statusCodes: statusPatternsText
    .optional()
    .describe(
      "Regular expressions, separated by commas: a link is broken when one matches the whole status of a hop",
    ),
  finalUrl: patternText
    .max(500)
    .optional()
    .describe(
      "A regular expression: a link is broken when it matches the whole address that its redirects lead to, without fragment",
    ),
  throttleSeconds: z
    .number()
    .min(0)
    .max(throttleMaxSeconds)
    .optional()
    .describe("Shortest wait between the end of a request to a host and the start of the next"),
  active: z.boolean().default(true).describe("`false`: links are not checked"),
});
export type LinkRule = z.output<typeof linkRule>;
export type NewLinkRule = z.input<typeof linkRule>;

/**
 * Parses a rule.
 * @throws InputError that names the first invalid field, its value and the problem
 */
export function readRule(input: unknown): LinkRule {
  return parseInput(linkRule, input);
}

/** The throttle of a request, if the rule has one. */
export function throttleOf({ throttleSeconds }: Pick<LinkRule, "throttleSeconds">): { throttleMs?: number } {
  return throttleSeconds === undefined ? {} : { throttleMs: Math.round(throttleSeconds * 1000) };
}

/** A rule prepared for many links. */
export interface CompiledRule {
  /** The patterns, as text. */
  statusCodes: string;
  brokenStatuses: ReadonlySet<number>;
  finalUrl?: Pattern;
  xpath?: XPath;
}

/** @throws {SyntaxError} for a rule that `readRule` would reject */
export function compileRule({
  statusCodes = "",
  xpath = "",
  finalUrl = "",
}: Partial<LinkRule>): CompiledRule {
  return {
    statusCodes,
    brokenStatuses: parseStatusPatterns(statusCodes),
    ...(finalUrl.trim() !== "" && { finalUrl: compilePattern(finalUrl.trim()) }),
    ...(xpath.trim() !== "" && { xpath: compileXPath(xpath) }),
  };
}

/** The rule that was compiled, which can be sent to a thread. Only active rules are compiled. */
export function ruleOf({ statusCodes, finalUrl, xpath }: CompiledRule): LinkRule {
  return {
    active: true,
    statusCodes,
    ...(finalUrl !== undefined && { finalUrl: finalUrl.pattern() }),
    ...(xpath !== undefined && { xpath: xpath.text }),
  };
}
