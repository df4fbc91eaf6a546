import { closeSource } from "./completion.ts";
import { failedSourceOutcome } from "./run.ts";
import type { RunStore } from "./run-store.ts";
import type { StageQueue } from "./stages.ts";
import { sourcesTallyName } from "./tally-names.ts";

/** The id of the listing under which the reason for a skip is stored. */
const skipListingId = "skipped";

/**
 * Ends a source in a run that waits for it. Articles that are read before the delivery begins are delivered with the
 * run; the next run reads the rest. Repeatable: if the source has already ended, nothing changes.
 * @param source.reason a sentence for the report
 * @returns whether the run was waiting for the source
 */
export async function skipSource(
  { runId, sourceId, title, reason }: { runId: string; sourceId: string; title: string; reason: string },
  { runs, delivery }: { runs: RunStore; delivery: StageQueue },
): Promise<boolean> {
  const open = await runs.openIds(runId, sourcesTallyName);
  if (!open.includes(sourceId)) return false;
  await runs.saveListingOutcome(runId, skipListingId, failedSourceOutcome({ sourceId, title }, reason));
  await closeSource(runId, sourceId, { runs, delivery });
  return true;
}
