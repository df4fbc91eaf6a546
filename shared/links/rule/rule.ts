import { z } from "zod";
import { shown } from "../../core/errors.ts";
import { parsedInput } from "../../core/problems.ts";
import { compileXPath, type XPath, xpathText } from "../xpath/xpath.ts";
import { statusesNamed, statusPatternsText } from "./status-patterns.ts";

const throttleMaxSeconds = 3600;

/** What makes a link of a collection broken, besides 404 and 410. */
export const linkRule = z.strictObject({
  /** The collection's. */
  title: z.string().max(200).optional(),
  /** A page on which this finds something is broken. Empty: none. */
  xpath: xpathText.optional(),
  /** A status that matches one of these patterns in full, on any hop, is broken. Empty: none. */
  statusCodes: statusPatternsText.optional(),
  /** From the end of one request to a host to the start of the next. */
  throttleSeconds: z.number().min(0).max(throttleMaxSeconds).optional(),
  /** Whether the collection's links are checked at all. */
  active: z.boolean().default(true),
});
export type LinkRule = z.output<typeof linkRule>;
export type NewLinkRule = z.input<typeof linkRule>;

/**
 * Reads a rule as it is saved.
 * @throws InputError that names the first field that is wrong, its value and what is wrong with it
 */
export function readRule(input: unknown): LinkRule {
  return parsedInput(linkRule, input);
}

/** What operators may not mean by a rule: field, what follows from it, and the value, in a line each. */
export function ruleWarnings({ statusCodes = "" }: Pick<LinkRule, "statusCodes">): string[] {
  if (!statusesNamed(statusCodes).has(200)) return [];
  return [`statusCodes: names 200, so that healthy links are broken (got ${shown(statusCodes)})`];
}

/** The throttle of a request by a rule, if it names one. */
export function throttleOf({ throttleSeconds }: Pick<LinkRule, "throttleSeconds">): { throttleMs?: number } {
  return throttleSeconds === undefined ? {} : { throttleMs: Math.round(throttleSeconds * 1000) };
}

/** A rule made ready for many links. */
export interface CompiledRule {
  /** As the rule names them. */
  statusCodes: string;
  brokenStatuses: ReadonlySet<number>;
  xpath?: XPath;
}

/** @throws {SyntaxError} never for a rule that has been read */
export function compileRule({ statusCodes = "", xpath = "" }: Partial<LinkRule>): CompiledRule {
  return {
    statusCodes,
    brokenStatuses: statusesNamed(statusCodes),
    ...(xpath.trim() !== "" && { xpath: compileXPath(xpath) }),
  };
}
