import { z } from "zod";
import { digest } from "../../core/digest.ts";
import { parseInput } from "../../core/schema-problems.ts";
import type { NewRequest, OutboundRequest } from "../../web/gate/request.ts";
import { linkRule, throttleOf } from "../rule/rule.ts";
import type { Collection } from "../status/collection.ts";

/** A check on its way through the gate: the context of a request of the kind `link`. */
const linkCheck = z.object({
  checkId: z.string(),
  recordId: z.string(),
  collectionId: z.string(),
  /** What the record pointed to when the check was drafted, which may be days ago. */
  landingUrl: z.string(),
  /** ISO 8601 in UTC. */
  askedAt: z.string(),
  /** How often it was put back because our own network was down. */
  postponed: z.number().int().default(0),
  /**
   * What whoever asked knew, so that thousands of samples need not look it up again: the rule, and whether the record is
   * suppressed. Absent where it may have changed by the time of the answer: then it is looked up.
   */
  known: z.object({ rule: linkRule, isSuppressed: z.boolean() }).optional(),
  purpose: z.discriminatedUnion("type", [
    /** For the record's own link status: asked for by a reader, or an attempt that follows so many failures. */
    z.object({ type: z.literal("record"), attempt: z.number().int() }),
    /** One of a collection's samples. */
    z.object({ type: z.literal("collection"), sweepId: z.string() }),
    /** One of the random samples by which the share of dead links is estimated. */
    z.object({ type: z.literal("estimate"), day: z.string() }),
  ]),
});
export type LinkCheck = z.output<typeof linkCheck>;
export type NewLinkCheck = Omit<LinkCheck, "postponed" | "landingUrl">;

/**
 * Drafts the request of a check. The page is kept where the rule looks into it, or may do so by the time of the
 * answer. robots.txt forbids nothing here: a page that a record points to is visited, not crawled.
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
    bodyPolicy: check.known === undefined || xpath.trim() !== "" ? "markup-if-inconclusive" : false,
    context: { ...check, landingUrl },
  };
}

/** The same check as a new request: what was asked before is settled for the gate. */
export function postponedCheck(request: OutboundRequest, check: LinkCheck): NewRequest {
  const postponed = check.postponed + 1;
  const id = digest(check.checkId, "postponed", String(postponed));
  return { ...request, id, context: { ...check, postponed } };
}

/** The check of a request; undefined when it is none. */
export function findCheck({ context }: Pick<OutboundRequest, "context">): LinkCheck | undefined {
  return linkCheck.safeParse(context).data;
}

/** @throws InputError for a request that is no check */
export function readCheck({ context }: OutboundRequest): LinkCheck {
  return parseInput(linkCheck, context);
}
