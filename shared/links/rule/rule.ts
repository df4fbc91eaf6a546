import { z } from "zod";
import { formatValue } from "../../core/errors.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { compileXPath, type XPath, xpathText } from "../xpath/xpath.ts";
import { matchPage } from "./match-page.ts";
import { parseStatusPatterns, statusPatternsText } from "./status-patterns.ts";

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
  return parseInput(linkRule, input);
}

/** As little as a page can have that is well: whatever hits here hits nearly everywhere. */
const plainPage = new TextEncoder().encode(
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>An article</title></head>' +
    "<body><h1>An article</h1><p>Its text.</p></body></html>",
);

/** What operators may not mean by a rule: field, what follows from it, and the value, in a line each. */
export function ruleWarnings({
  statusCodes = "",
  xpath = "",
}: Pick<LinkRule, "statusCodes" | "xpath">): string[] {
  const compiled = compileRule({ statusCodes, xpath });
  const warnings: string[] = [];
  if (compiled.brokenStatuses.has(200)) {
    warnings.push(
      `statusCodes: names 200, so that healthy links are broken (got ${formatValue(statusCodes)})`,
    );
  }
  if (compiled.xpath !== undefined && matchPage(compiled.xpath, plainPage, "text/html").type === "hit") {
    warnings.push(
      `xpath: finds something also on a page that has only a title, a heading and a paragraph, so that healthy links may be broken (got ${formatValue(xpath)})`,
    );
  }
  return warnings;
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
    brokenStatuses: parseStatusPatterns(statusCodes),
    ...(xpath.trim() !== "" && { xpath: compileXPath(xpath) }),
  };
}
