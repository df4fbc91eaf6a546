import type { AddressPolicy } from "../address/admit-url.ts";
import { followRedirect } from "../chain/redirects.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import type { RobotsFetch } from "../robots/robots-state.ts";
import { isSuccess } from "./retry-policy.ts";

/** The result of a request for a robots.txt. */
export type RobotsAnswer =
  | { type: "retry" }
  | { type: "moved"; url: string }
  | { type: "found"; body: Uint8Array }
  /** The host has no robots.txt, so everything is allowed. */
  | { type: "none" }
  /** The file cannot be fetched, so nothing is allowed for now. */
  | { type: "unreachable"; reason: string };

/** @see https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.2 */
const maxRobotsHops = 5;

export function robotsUrl(origin: string): string {
  return `${origin}/robots.txt`;
}

/**
 * Evaluates the response to a request for a robots.txt. After a redirect to a refused URL, or after too many redirects,
 * the host counts as having no robots.txt. 429 counts as a server error, as it does for Google.
 * @param given.isLast whether no further attempt is made
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
 */
export function readRobotsAnswer(
  fetch: RobotsFetch,
  outcome: ExchangeOutcome,
  { isLast, addresses, now }: { isLast: boolean; addresses: AddressPolicy; now: Date },
): RobotsAnswer {
  if (!isLast) return { type: "retry" };
  if (outcome.type === "refused") return { type: "none" };
  if (outcome.type === "failed") return { type: "unreachable", reason: `${fetch.url}: ${outcome.detail}` };
  const { status, body, bodyProblem } = outcome;
  const next = followRedirect({ url: fetch.url, hops: [], cookies: [] }, outcome, { addresses, now });
  if (next.type === "follow" && fetch.hops < maxRobotsHops) return { type: "moved", url: next.url };
  if (status === 429 || status >= 500) {
    return { type: "unreachable", reason: `${fetch.url} answered ${status}` };
  }
  if (!isSuccess(status)) return { type: "none" };
  if (bodyProblem === undefined) return { type: "found", body };
  return { type: "unreachable", reason: `${fetch.url}: ${bodyProblem.detail}` };
}
