import { closeSource } from "./completion.ts";
import { failedSourceOutcome } from "./run.ts";
import type { RunStore } from "./run-store.ts";
import type { StageQueue } from "./stages.ts";
import { sourcesTallyName } from "./tally-names.ts";

/** The listing under which a skip stores its reason. */
const skipListingId = "skipped";

/**
 * Ends a source in a run that waits for it. What has been read of it is delivered with the run, also what is read before the
 * delivery begins; the next run reads the rest. Repeatable: a source that has ended is unchanged.
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
