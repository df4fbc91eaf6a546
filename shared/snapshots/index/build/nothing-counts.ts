import { addCounts } from "./add-counts.ts";
import type { DivisionOutcome } from "./divide-input.ts";
import type { InputFile } from "./index-plan.ts";
import { noCdx, noCrawlLog } from "./job-input.ts";

/**
 * Returns why a job whose files were read adds nothing to an index: its crawl log has no usable line, or no
 * file has the places of its captures. Such a job counts as missing, because otherwise its captures would be
 * stored again although the index names the job. An empty or missing CDX is not a problem if a capture in the
 * log names the earlier capture that it repeats.
 * @param outcomes of all divisions of the job
 * @returns undefined if the job adds entries, or contains only texts
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
  if (!has("crawl-log")) return noCrawlLog;
  if (sum.log === 0) return `no line of its crawl log is usable${reasons(skippedLog)}`;
  if (sum.withOrigin > 0 || sum.withoutOrigin === 0 || sum.cdx > 0) return undefined;
  return has("cdx") ? `no line of its CDX is usable${reasons(skippedCdx)}` : noCdx;
}

function reasons(skipped: Record<string, number>): string {
  const all = Object.entries(skipped).map(([reason, count]) => `${count}: ${reason}`);
  return all.length === 0 ? ": it has none" : ` (${all.join(", ")})`;
}
