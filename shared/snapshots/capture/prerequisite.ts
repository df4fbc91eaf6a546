import { robotsUrl } from "../../web/robots/robots-answer.ts";
import type { WantedUrl } from "./capture-outcome.ts";

/** The robots.txt that is captured before a URL of its origin; undefined for itself. */
export function robotsBefore({ url, hops }: WantedUrl): WantedUrl | undefined {
  const origin = URL.parse(url)?.origin;
  if (origin === undefined || isRobots(url)) return undefined;
  return { url: robotsUrl(origin), hops: `${hops}P`, via: url };
}

/** Whether a URL is that of a robots.txt. It is no object that a limit counts. */
export function isRobots(url: string): boolean {
  return url.endsWith("/robots.txt") && url === robotsUrl(URL.parse(url)?.origin ?? "");
}
