import { closeRequest, closeSource } from "./completion.ts";
import type { RunStore } from "./run-store.ts";
import type { StageQueue } from "./stages.ts";
import { partTallyName, sourcesTallyName, sourceTallyName } from "./tally-names.ts";

interface ReconcilePorts {
  runs: RunStore;
  delivery: StageQueue;
}

/**
 * Closes requests and articles that are open in the tallies of a harvesting run although their outcomes are stored,
 * because the update of a tally was lost. As always, the last request of the last source starts the delivery.
 * Repeatable. Listings need no repair, because a listing opens its requests and closes itself in the same update.
 */
export async function reconcileTallies(runId: string, ports: ReconcilePorts): Promise<void> {
  const { runs } = ports;
  const openSources = await runs.openIds(runId, sourcesTallyName);
  if (openSources.length === 0) return;
  const answered = await answeredIds(runId, new Set(openSources), runs);
  for (const sourceId of openSources) {
    const ids = answered.get(sourceId);
    // Without any outcome, the source may not have been read yet.
    if (ids !== undefined) await reconcileSource({ runId, sourceId, answered: ids }, ports);
  }
}

async function reconcileSource(
  { runId, sourceId, answered }: { runId: string; sourceId: string; answered: ReadonlySet<string> },
  ports: ReconcilePorts,
): Promise<void> {
  const { runs } = ports;
  for (const id of await runs.openIds(runId, sourceTallyName(sourceId))) {
    if (answered.has(id)) await closeRequest({ runId, sourceId, id }, ports);
    if (!isPart(id)) continue;
    const open = await runs.openIds(runId, partTallyName(sourceId, id));
    for (const articleId of open.filter((each) => answered.has(each)))
      await closeRequest({ runId, sourceId, part: id, id: articleId }, ports);
    // All of its articles are closed, so the update of the source's tally was lost.
    if (open.length === 0) await closeRequest({ runId, sourceId, id }, ports);
  }
  const isWhole = (await runs.openIds(runId, sourceTallyName(sourceId))).length === 0;
  const isOpen = (await runs.openIds(runId, sourcesTallyName)).includes(sourceId);
  if (isWhole && isOpen) await closeSource(runId, sourceId, ports);
}

/**
 * Returns whether an id is that of a part. The id of a part ends in its number: see `tallyPartId`. A part is opened
 * before it is listed.
 */
function isPart(id: string): boolean {
  return /\.\d+$/.test(id);
}

/** Returns the ids of the documents that have an outcome, by source. */
async function answeredIds(
  runId: string,
  sourceIds: ReadonlySet<string>,
  runs: Pick<RunStore, "outcomeBatches">,
): Promise<Map<string, Set<string>>> {
  const answered = new Map<string, Set<string>>();
  for await (const batch of runs.outcomeBatches(runId)) {
    for (const { sourceId, requestId } of batch) {
      if (!sourceIds.has(sourceId)) continue;
      const ids = answered.get(sourceId) ?? new Set();
      answered.set(sourceId, ids.add(requestId));
    }
  }
  return answered;
}
