import { type RuleId, ruleIds } from "../../records/rule-ids.ts";
import type { Finding } from "../validation/finding.ts";
import type { RefusedRecord } from "./refused-record.ts";

/**
 * The reason for which a record was refused, as one key: the rule and the field of its first finding, such as
 * `missing-title:245a`. Each record has one reason, so that an action on a reason processes each record once.
 */
type RefusalReason = `${RuleId}:${string}`;

/** The records that were refused for one reason. */
export interface RefusalGroup {
  reason: RefusalReason;
  count: number;
  /** The sources of the records, with the number of records. Sources with the most records come first. */
  sources: { sourceId: string; count: number }[];
}

function reasonOf({ findings }: Pick<RefusedRecord, "findings">): RefusalReason {
  const [first] = findings as [Finding, ...Finding[]];
  return `${first.ruleId}:${first.tag}${first.subfield ?? ""}`;
}

export function ruleOf(reason: RefusalReason): RuleId {
  return reason.slice(0, reason.indexOf(":")) as RuleId;
}

/** Returns the tag and subfield, such as `245a`. The result is empty when the record as a whole breaks the rule. */
export function fieldOf(reason: RefusalReason): string {
  return reason.slice(reason.indexOf(":") + 1);
}

/** Returns whether a record was refused for this reason. If only the id of a rule is given, all fields match. */
export function hasReason(record: Pick<RefusedRecord, "findings">, reason: string | undefined): boolean {
  return reason === undefined || `${reasonOf(record)}#`.startsWith(reasonPrefix(reason));
}

/**
 * Returns the common beginning of the queue keys of a reason: `missing-title:245a#`, or `missing-title:` for all
 * fields.
 */
export function reasonPrefix(reason: string): string {
  return reason.includes(":") ? `${reason}#` : `${reason}:`;
}

/** Returns the key of a record in the queue, which is sorted by reason, source and id. */
export function queueKeyOf(record: Pick<RefusedRecord, "findings" | "document">): string {
  return `${reasonOf(record)}#${record.document.sourceId}#${record.document.recordId}`;
}

export const reasonPattern = new RegExp(`^(?:${ruleIds.join("|")})(?::[0-9A-Za-z]{0,8})?$`);

/** Groups the keys of a queue by reason. The largest group is first. */
export function groupByReason(queueKeys: Iterable<string>): RefusalGroup[] {
  const groups = new Map<RefusalReason, Map<string, number>>();
  for (const key of queueKeys) {
    const [reason, sourceId = ""] = key.split("#", 2) as [RefusalReason, string?];
    const sources = groups.get(reason) ?? new Map<string, number>();
    sources.set(sourceId, (sources.get(sourceId) ?? 0) + 1);
    groups.set(reason, sources);
  }
  return [...groups]
    .map(([reason, counts]) => {
      const sources = [...counts]
        .map(([sourceId, count]) => ({ sourceId, count }))
        .sort((a, b) => b.count - a.count || (a.sourceId < b.sourceId ? -1 : 1));
      return { reason, count: sources.reduce((sum, { count }) => sum + count, 0), sources };
    })
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
