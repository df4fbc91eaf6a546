import { addCounts } from "./add-counts.ts";
import type { DivisionOutcome } from "./divide-input.ts";
import type { InputFile } from "./index-plan.ts";

/**
 * Why a job whose files were read adds nothing to an index: none of its lines is one of a crawl log, or nothing says where its
 * captures are. Such a job counts as missing: an index that names it would have its captures stored again. A CDX without a
 * line is not a problem where each capture repeats an earlier one.
 * A crawl log without a CDX, or the reverse, is judged separately.
 * @param outcomes of all divisions of the job
 * @returns undefined when it adds something, or has nothing but text
 */
export function whyNothingCounts(
  files: readonly Pick<InputFile, "kind">[],
  outcomes: readonly DivisionOutcome[],
): string | undefined {
  const sum = { log: 0, withOrigin: 0, withoutOrigin: 0, cdx: 0 };
  const skippedLog: Record<string, number> = {};
  const skippedCdx: Record<string, number> = {};
  for (const outcome of outcomes) {
    if (outcome.type === "unreadable" || outcome.counted === undefined) return undefined;
    for (const name of ["log", "withOrigin", "withoutOrigin", "cdx"] as const)
      sum[name] += outcome.counted[name];
    addCounts(skippedLog, outcome.skippedLogLines);
    addCounts(skippedCdx, outcome.skippedCdxLines);
  }
  const has = (kind: InputFile["kind"]) =>
    files.some((file) => file.kind === kind || file.kind === "metadata");
  if (has("crawl-log") && sum.log === 0) return `no line of its crawl log is usable${reasons(skippedLog)}`;
  const isPlaceless = has("crawl-log") ? sum.withOrigin === 0 && sum.withoutOrigin > 0 : true;
  if (has("cdx") && sum.cdx === 0 && isPlaceless) return `no line of its CDX is usable${reasons(skippedCdx)}`;
  return undefined;
}

function reasons(skipped: Record<string, number>): string {
  const all = Object.entries(skipped).map(([reason, count]) => `${count}: ${reason}`);
  return all.length === 0 ? ": it has none" : ` (${all.join(", ")})`;
}
