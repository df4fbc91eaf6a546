import { robotsUrl } from "../../web/gate/robots-answer.ts";
import type { WantedUrl } from "./wanted-url.ts";

/**
 * Returns the wanted URLs, with the robots.txt of each origin before its first URL. The robots.txt has
 * Heritrix's hop `P`.
 */
export function withRobots(wanted: readonly WantedUrl[]): WantedUrl[] {
  const known = new Set<string>();
  return wanted.flatMap((each) => {
    const origin = URL.parse(each.url)?.origin;
    if (origin === undefined || known.has(origin) || isRobots(each.url)) return each;
    known.add(origin);
    return [{ url: robotsUrl(origin), hops: `${each.hops}P`, via: each.url }, each];
  });
}

/** Returns whether a URL is that of a robots.txt, which does not count towards the limits. */
export function isRobots(url: string): boolean {
  return url.endsWith("/robots.txt") && url === robotsUrl(URL.parse(url)?.origin ?? "");
}
