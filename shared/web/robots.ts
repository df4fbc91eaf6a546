import parser from "robots-parser";
import { robotsLines } from "./robots-lines.ts";

/** The name by which hosts address us in their robots.txt. */
export const productToken = "Ingather";

// The package is CommonJS and exports the function itself; its types say otherwise.
const parseRobots = parser as unknown as typeof parser.default;

/** What is read of a robots.txt. @see https://www.rfc-editor.org/rfc/rfc9309#section-2.5 */
const robotsBytes = 500 * 1024;

/** What a robots.txt says to us. */
export interface RobotsRules {
  /** The line that forbids a URL of the origin, as in `line 3: "Disallow: /admin"`; `undefined` when none does. */
  forbids(url: URL): string | undefined;
  /** Whether it forbids anybody anything. */
  hasRules: boolean;
  /** In milliseconds, not yet clamped. */
  crawlDelayMs: number | undefined;
}

/** The text of a robots.txt, cut after its last whole line within the limit. */
export function robotsText(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, robotsBytes));
  return body.byteLength <= robotsBytes ? text : text.slice(0, text.lastIndexOf("\n") + 1);
}

/**
 * Reads a robots.txt. Never fails: what is no line of one means nothing.
 * @see https://www.rfc-editor.org/rfc/rfc9309
 */
export function readRobots(origin: string, file: string): RobotsRules {
  const { text, numbers, forbids } = robotsLines(decodeUnreserved(file));
  const robots = parseRobots(`${origin}/robots.txt`, text);
  const delaySeconds = robots.getCrawlDelay(productToken);
  return {
    forbids(url) {
      const path = comparable(url.pathname + url.search);
      const asked = origin + path;
      // The file itself is always allowed.
      if (path === "/robots.txt" || !robots.isDisallowed(asked, productToken)) return undefined;
      const number = numbers[robots.getMatchingLineNumber(asked, productToken) - 1] ?? 0;
      const line = file.split(/\r\n|\r|\n/)[number - 1] ?? "";
      return `line ${number}: "${line.trim().slice(0, 200)}"`;
    },
    hasRules: forbids,
    crawlDelayMs: delaySeconds === undefined ? undefined : Math.max(0, delaySeconds * 1000),
  };
}

/** A path in the spelling that robots-parser gives to the patterns it compares it with. */
function comparable(path: string): string {
  return encodeURI(decodeUnreserved(path)).replaceAll("%25", "%");
}

/**
 * `%62%61%7A` is `baz`, here and there.
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
 */
function decodeUnreserved(text: string): string {
  return text.replaceAll(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F|7E)/gi, (triplet) =>
    decodeURIComponent(triplet),
  );
}
