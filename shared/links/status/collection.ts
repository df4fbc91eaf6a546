import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { collectionFields } from "./collection-fields.ts";
import type { LinkStatusRules, LinkStatusValue } from "./link-status.ts";

const hourMs = 3_600_000;

/** Records that share a link rule and a link status. */
export const collection = z.strictObject(shapeOf(collectionFields));
export type Collection = z.output<typeof collection>;
export type NewCollection = z.input<typeof collection>;

/**
 * Parses a collection.
 * @throws InputError that names the first invalid field, its value and the problem
 */
export function readCollection(input: unknown): Collection {
  return parseInput(collection, input);
}

/** A collection without configuration: only 404 and 410 are broken. */
export function defaultCollection(collectionId: string): Collection {
  return collection.parse({ collectionId, title: collectionId });
}

/** What an operator has decided of a collection, and why. */
export interface OperatorDecision {
  by: string;
  reason: string;
}

/** A decision in the words of a status change. */
export function describeDecision(what: "held" | "released" | "restored", decision: OperatorDecision): string {
  return `${what} by ${decision.by}: ${decision.reason}`;
}

/** The hold of a collection: its start (ISO 8601, UTC), operator and reason. */
export interface Hold extends OperatorDecision {
  since: string;
}

/** A stored collection that is invalid. */
export interface UnusableCollection {
  collectionId: string;
  problem: string;
  hold: boolean;
}

/** A stored collection: an invalid one is reported and stops nothing. */
export type StoredCollection = ({ collection: Collection } | { unusable: UnusableCollection }) & {
  /** How often it was saved; absent before the second time. */
  revision?: number;
  /** Set while it is held. */
  held?: Hold;
};

/**
 * The collection that checks use. A collection without configuration is checked without a rule; an invalid one is not
 * checked, because its rule is unknown.
 */
export function effectiveCollection(stored: StoredCollection | undefined, collectionId: string): Collection {
  if (stored === undefined) return defaultCollection(collectionId);
  if ("collection" in stored) return stored.collection;
  const { rule, ...rest } = defaultCollection(collectionId);
  return { ...rest, hold: stored.unusable.hold, rule: { ...rule, active: false } };
}

/** Whether neither the collection nor its records are checked: it is held, or its rule is inactive. */
export function isExcludedFromChecks({ rule, hold }: Pick<Collection, "rule" | "hold">): boolean {
  return hold || !rule.active;
}

/** For the link status of a record: inconclusive checks of a single record never count as a failure. */
export function recordStatusRules({ recheckDelaysHours }: Collection): LinkStatusRules {
  return { recheckDelaysMs: recheckDelaysHours.map((hours) => hours * hourMs) };
}

export function collectionStatusRules(of: Collection): LinkStatusRules {
  return { ...recordStatusRules(of), inconclusiveLimit: of.inconclusiveLimit };
}

/** The status that searches use: a hold overrides the checks. */
export function collectionStatusOf(
  of: Pick<Collection, "hold"> | undefined,
  linkStatus: { status: LinkStatusValue } | undefined,
): LinkStatusValue {
  const status = linkStatus?.status ?? "active";
  return status === "active" && of?.hold ? "suppressed" : status;
}
