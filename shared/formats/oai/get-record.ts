import { budgets } from "../../core/budgets.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import type { OaiAnswer } from "./answer.ts";
import { describeErrors } from "./completeness.ts";
import type { OaiRecord } from "./page.ts";

/**
 * The evidence that a response to GetRecord gives about a record.
 * - `gone`: the record does not exist, or only its tombstone exists, or it has left the set
 * - `present`: the record exists
 * - `unknown`: the repository does not say. The reason may be the repository's own text, which is truncated because it
 *   is stored. `mayPass`: the same request may succeed later
 */
export type RecordEvidence =
  | { type: "gone" }
  | { type: "present"; record: OaiRecord }
  | { type: "unknown"; reason: string; mayPass?: true };

/**
 * Decides whether a record exists. Only an explicit statement of the repository shows that a record is gone.
 * @param wanted.sets the record was in one of these sets; if a repository does not return the sets of a record, its
 * membership remains open
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#GetRecord
 */
export function judgeGetRecord(
  answer: OaiAnswer,
  wanted: { identifier: string; sets?: readonly string[] },
): RecordEvidence {
  if (answer.type === "unusable")
    return { ...unknown(answer.reason), ...(answer.mayPass && { mayPass: true }) };
  const { page } = answer;
  const record = page.records.find(({ identifier }) => identifier === wanted.identifier);
  if (record !== undefined) {
    const isGone = record.isDeleted || hasLeft(record, wanted.sets);
    return isGone ? { type: "gone" } : { type: "present", record };
  }
  if (page.errors.length === 0) return unknown("the response has another record, or none");
  const isDenied = page.errors.every(({ code }) => code === "idDoesNotExist");
  return isDenied && page.records.length === 0 ? { type: "gone" } : unknown(describeErrors(page));
}

function unknown(reason: string): Extract<RecordEvidence, { type: "unknown" }> {
  return { type: "unknown", reason: truncateToBytes(reason, budgets.reasonBytes) };
}

/** Decides whether a setSpec is the given set or one of its subsets. A record of a subset is also in the set. */
export function isInSet(spec: string, set: string): boolean {
  return spec === set || spec.startsWith(`${set}:`);
}

/** Decides whether the setSpecs of a header name one of these sets. */
export function isInSets(specs: readonly string[], sets: readonly string[]): boolean {
  return sets.some((set) => specs.some((spec) => isInSet(spec, set)));
}

function hasLeft({ sets: specs }: OaiRecord, sets: readonly string[] = []): boolean {
  return sets.length > 0 && specs.length > 0 && !isInSets(specs, sets);
}
