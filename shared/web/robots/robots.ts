import type { BodyMode } from "../exchange/exchange.ts";
import { comparablePath, matches, type PathPattern, readPattern } from "./path-pattern.ts";
import { findGroup, type RobotsRule } from "./robots-groups.ts";

/** The name by which hosts address us in their robots.txt. */
const productToken = "Ingather";

/** How much of a robots.txt is evaluated. @see https://www.rfc-editor.org/rfc/rfc9309#section-2.5 */
export const maxRobotsBytes = 500 * 1024;

/** How much of the body is read. One byte more than the limit shows that the file is longer. */
export const robotsBody: BodyMode = { firstBytes: maxRobotsBytes + 1 };

/** The rules of a robots.txt for one product token. */
export interface RobotsRules {
  /** The line that forbids a URL of the origin, as in `line 3: "Disallow: /admin"`; `undefined` when none does. */
  disallows(url: URL): string | undefined;
  /** Whether it forbids the robot anything. */
  hasRules: boolean;
  /** In milliseconds, a day at most. */
  crawlDelayMs: number | undefined;
}

/** The text of a robots.txt, cut after its last whole line within the limit. */
export function robotsText(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, maxRobotsBytes));
  const lineEnd = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return body.byteLength <= maxRobotsBytes ? text : text.slice(0, lineEnd + 1);
}

/** The most characters that are compared to match one URL, which takes some 20 ms. Real files need a hundredth of it. */
const maxComparedChars = 2_000_000;

/** Longer delays are shortened to this. */
const maxCrawlDelayMs = 86_400_000;

interface CompiledRule extends RobotsRule {
  pattern: PathPattern;
}

/**
 * Reads a robots.txt. Never fails: invalid lines are ignored.
 * @param product the robot's name without its version, in any case
 * @see https://www.rfc-editor.org/rfc/rfc9309
 */
export function readRobots(file: string, product = productToken): RobotsRules {
  const { rules: lines, crawlDelays } = findGroup(product.toLowerCase(), file);
  const rules = lines.map((line) => ({ ...line, pattern: readPattern(line.path) })).sort(byPrecedence);
  return {
    disallows: (url) => findDisallowingRule(rules, url),
    hasRules: rules.some(({ allows }) => !allows),
    crawlDelayMs: longestMs(crawlDelays),
  };
}

/** The longest pattern applies; of two equally long ones, the one that allows. */
function byPrecedence(a: CompiledRule, b: CompiledRule): number {
  return b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows);
}

/** The line that forbids a URL. A file whose rules take too long to compare forbids every URL. */
function findDisallowingRule(rules: CompiledRule[], url: URL): string | undefined {
  // The file itself is always allowed.
  if (url.pathname === "/robots.txt" && url.search === "") return undefined;
  const path = comparablePath(url);
  let characters = 0;
  for (const { pattern, allows, number, text } of rules) {
    if (pattern.parts.length > 1) characters += path.length;
    if (characters > maxComparedChars) return "whose rules are too many for so long an address";
    if (matches(pattern, path)) return allows ? undefined : `line ${number}: "${text}"`;
  }
  return undefined;
}

/** The longest of a group's valid delays. Invalid ones are ignored. */
function longestMs(written: string[]): number | undefined {
  let longest: number | undefined;
  for (const text of written) {
    const seconds = text === "" ? Number.NaN : Number(text);
    if (Number.isNaN(seconds)) continue;
    longest = Math.max(longest ?? 0, Math.min(seconds * 1000, maxCrawlDelayMs));
  }
  return longest;
}
