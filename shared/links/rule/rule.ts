import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { compilePattern, type Pattern } from "../../core/pattern.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { compileXPath, type XPath } from "../../formats/xpath/xpath.ts";
import { linkRuleFields } from "./rule-fields.ts";
import { parseStatusPatterns } from "./status-patterns.ts";

/** The rule by which a link of a collection is broken even if its status is not 404 or 410. */
export const linkRule = z.strictObject(shapeOf(linkRuleFields));
export type LinkRule = z.output<typeof linkRule>;
export type NewLinkRule = z.input<typeof linkRule>;

/**
 * Parses a rule.
 * @throws InputError that names the first invalid field, its value and the problem
 */
export function readRule(input: unknown): LinkRule {
  return parseInput(linkRule, input);
}

/** Returns the throttle of a request, if the rule has one. */
export function throttleOf({ throttleSeconds }: Pick<LinkRule, "throttleSeconds">): { throttleMs?: number } {
  return throttleSeconds === undefined ? {} : { throttleMs: Math.round(throttleSeconds * 1000) };
}

/** A rule, compiled for checking many links. */
export interface CompiledRule {
  /** The source of the compiled rule. It is sent to threads, which compile it again. */
  rule: LinkRule;
  /** The status patterns as text. */
  statusCodes: string;
  brokenStatuses: ReadonlySet<number>;
  finalUrl?: Pattern;
  xpath?: XPath;
}

/**
 * Compiles a rule.
 * @throws {SyntaxError} for a rule that `readRule` would reject
 */
export function compileRule(rule: NewLinkRule): CompiledRule {
  const { statusCodes = "", xpath = "", finalUrl = "" } = rule;
  return {
    rule: { ...rule, active: rule.active ?? true },
    statusCodes,
    brokenStatuses: parseStatusPatterns(statusCodes),
    ...(finalUrl.trim() !== "" && { finalUrl: compilePattern(finalUrl.trim()) }),
    ...(xpath.trim() !== "" && { xpath: compileXPath(xpath) }),
  };
}
