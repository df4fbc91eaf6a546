import { robotsUrl } from "../../web/gate/robots-answer.ts";
import type { WantedUrl } from "./wanted-url.ts";

/** Wanted URLs, and before the first one of each origin its robots.txt, with the hop `P` of Heritrix. */
export function withRobots(wanted: readonly WantedUrl[]): WantedUrl[] {
  const known = new Set<string>();
  return wanted.flatMap((each) => {
    const origin = URL.parse(each.url)?.origin;
    if (origin === undefined || known.has(origin) || isRobots(each.url)) return each;
    known.add(origin);
    return [{ url: robotsUrl(origin), hops: `${each.hops}P`, via: each.url }, each];
  });
}

/** Whether a URL is that of a robots.txt. It is not an object that a limit counts. */
export function isRobots(url: string): boolean {
  return url.endsWith("/robots.txt") && url === robotsUrl(URL.parse(url)?.origin ?? "");
}
