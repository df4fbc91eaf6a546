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
  /** The URL of the record when the check was drafted, which may be days ago. */
  landingUrl: z.string(),
  /** ISO 8601 in UTC. */
  requestedAt: z.string(),
  /** How often the check was postponed because our own network was down. */
  postponed: z.number().int().default(0),
  /**
   * The rule, and whether the record is suppressed, as read when the check was drafted: this saves thousands of samples a
   * lookup each. Absent where they may change before the response: then they are looked up.
   */
  known: z.object({ rule: linkRule, isSuppressed: z.boolean() }).optional(),
  purpose: z.discriminatedUnion("type", [
    /** For the record's own link status: requested by a reader (0), or the attempt after this number of failures. */
    z.object({ type: z.literal("record"), attempt: z.number().int() }),
    /** A sample of a collection's sweep. */
    z.object({ type: z.literal("collection"), sweepId: z.string() }),
    /** A random sample that estimates the share of dead links. */
    z.object({ type: z.literal("estimate"), day: z.string() }),
  ]),
});
export type LinkCheck = z.output<typeof linkCheck>;
type NewLinkCheck = Omit<LinkCheck, "postponed" | "landingUrl">;

/** How long a check may wait for its turn, and a sweep for its last result. */
export const checkMaxWaitMs = dayMs;

/** When a check that is requested at this time ends: it is not made afterwards. ISO 8601 in UTC. */
export function checkEndsAt(requestedAt: string): string {
  return new Date(Date.parse(requestedAt) + checkMaxWaitMs).toISOString();
}

/**
 * Drafts the request of a check. The page is kept where the rule has an XPath, or may have one by the time of the
 * response. robots.txt does not apply: a page that a record points to is visited, not crawled.
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
    bodyPolicy: check.known === undefined || xpath.trim() !== "" ? "markup-if-inconclusive" : "discard",
    context: { ...check, landingUrl },
  };
}

/** The same check as a new request; the gate drops a request whose id it has served. */
export function postponedCheck(request: OutboundRequest, check: LinkCheck): NewRequest {
  const postponed = check.postponed + 1;
  const id = digest(check.checkId, "postponed", String(postponed));
  return { ...request, id, context: { ...check, postponed } };
}

/** The check of a request; undefined when its context is not one. */
export function findCheck({ context }: Pick<OutboundRequest, "context">): LinkCheck | undefined {
  return linkCheck.safeParse(context).data;
}

/** @throws InputError when the context of the request is not a check */
export function readCheck({ context }: OutboundRequest): LinkCheck {
  return parseInput(linkCheck, context);
}
