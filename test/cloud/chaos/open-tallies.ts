import type { RunReport } from "../../../shared/deliver/report/report.ts";
import type { RunStore } from "../../../shared/records/runs/run-store.ts";
import { sourcesTallyName, sourceTallyName } from "../../../shared/records/runs/tally-names.ts";

/** The open ids of a run, by tally; only those with some. */
export async function openTalliesOf(
  runId: string,
  runs: Pick<RunStore, "openIds">,
  sources: RunReport["sources"],
): Promise<Record<string, string[]>> {
  const open: Record<string, string[]> = {};
  for (const tally of [sourcesTallyName, ...sources.map(({ sourceId }) => sourceTallyName(sourceId))]) {
    const ids = await runs.openIds(runId, tally);
    if (ids.length > 0) open[tally] = ids;
  }
  return open;
}
