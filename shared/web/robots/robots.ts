import type { BodyMode } from "../exchange/exchange.ts";
import { comparablePath, matches, type PathPattern, readPattern } from "./path-pattern.ts";
import { findGroup, type RobotsRule } from "./robots-groups.ts";

/** The name by which robots.txt files refer to Ingather. */
const productToken = "Ingather";

/** The number of bytes of a robots.txt that are evaluated. @see https://www.rfc-editor.org/rfc/rfc9309#section-2.5 */
export const maxRobotsBytes = 500 * 1024;

/** The part of the body that is read. One byte more than the limit shows that the file is longer. */
export const robotsBody: BodyMode = { firstBytes: maxRobotsBytes + 1 };

/** The rules of a robots.txt for one product token. */
export interface RobotsRules {
  /**
   * Returns the line that forbids a URL of the origin, such as `line 3: "Disallow: /admin"`; `undefined` when none
   * does.
   */
  disallows(url: URL): string | undefined;
  /** Whether the file forbids anything to the robot. */
  hasRules: boolean;
  /** In milliseconds; at most one day. */
  crawlDelayMs: number | undefined;
}

/** Returns the text of a robots.txt, cut after the last whole line within the limit. */
export function robotsText(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, maxRobotsBytes));
  const lineEnd = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return body.byteLength <= maxRobotsBytes ? text : text.slice(0, lineEnd + 1);
}

/**
 * The largest number of characters that are compared to match one URL, which takes about 20 ms. Real files need a
 * hundredth of that number.
 */
const maxComparedChars = 2_000_000;

/** The longest delay. Longer delays are reduced to this value. */
const maxCrawlDelayMs = 86_400_000;

interface CompiledRule extends RobotsRule {
  pattern: PathPattern;
}

/**
 * Parses a robots.txt. Never fails, because invalid lines are ignored.
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

/** Sorts rules so that the first match applies: longer patterns first and, for the same length, `Allow` first. */
function byPrecedence(a: CompiledRule, b: CompiledRule): number {
  return b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows);
}

/** Returns the line that forbids a URL. If the rules of a file take too long to compare, the file forbids every URL. */
function findDisallowingRule(rules: CompiledRule[], url: URL): string | undefined {
  // The file itself is always allowed.
  if (url.pathname === "/robots.txt" && url.search === "") return undefined;
  const path = comparablePath(url);
  let characters = 0;
  for (const { pattern, allows, number, text } of rules) {
    if (pattern.parts.length > 1) characters += path.length;
    if (characters > maxComparedChars) return "which has too many rules for an address of this length";
    if (matches(pattern, path)) return allows ? undefined : `line ${number}: "${text}"`;
  }
  return undefined;
}

/** Returns the longest of a group's valid delays. Invalid delays are ignored. */
function longestMs(written: string[]): number | undefined {
  let longest: number | undefined;
  for (const text of written) {
    const seconds = text === "" ? Number.NaN : Number(text);
    if (Number.isNaN(seconds)) continue;
    longest = Math.max(longest ?? 0, Math.min(seconds * 1000, maxCrawlDelayMs));
  }
  return longest;
}
