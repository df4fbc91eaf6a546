import * as z from "zod";
import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { parseInput } from "../../core/schema-problems.ts";
import type { NewRequest, OutboundRequest } from "../../web/request/request.ts";
import { linkRule, throttleOf } from "../rule/rule.ts";
import type { Collection } from "../status/collection.ts";

/** A check of a link: the context of a request of the kind `link`. */
const linkCheck = z.object({
  checkId: z.string(),
  recordId: z.string(),
  collectionId: z.string(),
  /** The URL that the record had when the check was drafted, which may be days ago. */
  landingUrl: z.string(),
  /** ISO 8601 in UTC. */
  requestedAt: z.string(),
  /** The number of times that the check was postponed because our own network was down. */
  postponed: z.number().int().default(0),
  /**
   * The rule, and whether the record is suppressed, both as read when the check was drafted. For thousands of samples,
   * this avoids a lookup each. Absent where these values may change before the response arrives; they are then looked
   * up.
   */
  known: z.object({ rule: linkRule, isSuppressed: z.boolean() }).optional(),
  purpose: z.discriminatedUnion("type", [
    /**
     * For the record's own link status. The attempt is 0 for a check that a reader requested, else the number of
     * failures before it.
     */
    z.object({ type: z.literal("record"), attempt: z.number().int() }),
    /** A sample of a collection's sweep. */
    z.object({ type: z.literal("collection"), sweepId: z.string() }),
    /** A random sample that estimates the share of dead links. */
    z.object({ type: z.literal("estimate"), day: z.string() }),
  ]),
});
export type LinkCheck = z.output<typeof linkCheck>;
type NewLinkCheck = Omit<LinkCheck, "postponed" | "landingUrl">;

/** The longest time that a check waits for its turn, and that a sweep waits for its last result. */
export const checkMaxWaitMs = dayMs;

/** Returns the time after which a check that was requested at this time is no longer made. ISO 8601 in UTC. */
export function checkEndsAt(requestedAt: string): string {
  return new Date(Date.parse(requestedAt) + checkMaxWaitMs).toISOString();
}

/**
 * Drafts the request of a check. The whole page is kept when the rule has an XPath, or may have one by the time of the
 * response; otherwise, signs are looked for in the beginning of the page. robots.txt does not apply, because a page that
 * a record points to is visited, not crawled.
 */
export function draftCheck(
  landingUrl: string,
  check: NewLinkCheck,
  { rule }: Pick<Collection, "rule">,
): NewRequest {
  const { xpath = "" } = rule;
  return {
    id: check.checkId,
    kind: "link",
    url: landingUrl,
    ...throttleOf(rule),
    obeyRobots: false,
    notAfter: checkEndsAt(check.requestedAt),
    bodyPolicy: check.known === undefined || xpath.trim() !== "" ? "markup-if-inconclusive" : "markup-start",
    context: { ...check, landingUrl },
  };
}

/** Returns the same check as a new request with a new id, because the gate drops a request whose id it has served. */
export function postponedCheck(request: OutboundRequest, check: LinkCheck): NewRequest {
  const postponed = check.postponed + 1;
  const id = digest(check.checkId, "postponed", String(postponed));
  return { ...request, id, context: { ...check, postponed } };
}

/**
 * Reads the check from a request's context.
 * @returns undefined when the context is not a check
 */
export function findCheck({ context }: Pick<OutboundRequest, "context">): LinkCheck | undefined {
  return linkCheck.safeParse(context).data;
}

/**
 * Reads the check from a request's context.
 * @throws InputError when the context is not a check
 */
export function readCheck({ context }: OutboundRequest): LinkCheck {
  return parseInput(linkCheck, context);
}
