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

/** Returns the settings of a collection without configuration: only 404 and 410 are broken. */
export function defaultCollection(collectionId: string): Collection {
  return collection.parse({ collectionId, title: collectionId });
}

/** An operator's decision about a collection, with the reason. */
export interface OperatorDecision {
  by: string;
  /** Absent if the operator gave none. */
  reason?: string | undefined;
}

/** Words a decision as the reason for a status change. */
export function describeDecision(what: "held" | "released" | "restored", decision: OperatorDecision): string {
  const { by, reason } = decision;
  return reason === undefined ? `${what} by ${by}` : `${what} by ${by}: ${reason}`;
}

/** The hold of a collection: its start (ISO 8601, UTC), operator and reason. */
export interface Hold extends OperatorDecision {
  since: string;
  reason: string;
}

/** A stored collection that is invalid. */
export interface UnusableCollection {
  collectionId: string;
  problem: string;
  hold: boolean;
}

/** A stored collection. An invalid one is reported, and does not block others. */
export type StoredCollection = ({ collection: Collection } | { unusable: UnusableCollection }) & {
  /** The number of times that the collection has been saved; absent before the second time. */
  revision?: number;
  /** Set while the collection is held. */
  held?: Hold;
};

/**
 * Returns the settings that checks use. A collection without configuration is checked without a rule. An invalid
 * collection is not checked, because its rule is unknown.
 */
export function effectiveCollection(stored: StoredCollection | undefined, collectionId: string): Collection {
  if (stored === undefined) return defaultCollection(collectionId);
  if ("collection" in stored) return stored.collection;
  const { rule, ...rest } = defaultCollection(collectionId);
  return { ...rest, hold: stored.unusable.hold, rule: { ...rule, active: false } };
}

/**
 * Returns whether neither the collection nor its records are checked, because the collection is held or its rule is
 * inactive.
 */
export function isExcludedFromChecks({ rule, hold }: Pick<Collection, "rule" | "hold">): boolean {
  return hold || !rule.active;
}

/**
 * Returns the rules for the link status of a record. Inconclusive checks of a single record never count as a failure.
 */
export function recordStatusRules({ recheckDelaysHours }: Collection): LinkStatusRules {
  return { recheckDelaysMs: recheckDelaysHours.map((hours) => hours * hourMs) };
}

export function collectionStatusRules(of: Collection): LinkStatusRules {
  return { ...recordStatusRules(of), inconclusiveLimit: of.inconclusiveLimit };
}

/** Returns the status that searches use: a hold overrides the checks. */
export function collectionStatusOf(
  of: Pick<Collection, "hold"> | undefined,
  linkStatus: { status: LinkStatusValue } | undefined,
): LinkStatusValue {
  const status = linkStatus?.status ?? "active";
  return status === "active" && of?.hold ? "suppressed" : status;
}
