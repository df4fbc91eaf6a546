import type { RunStore, StageQueue } from "../ports.ts";

/** The tally of a run's sources. */
export const sourcesTally = "sources";

/** The tally of the requests of one source in a run. */
export function sourceTally(sourceId: string): string {
  return `source#${sourceId}`;
}

interface CompletionPorts {
  runs: RunStore;
  delivery: StageQueue;
}

/**
 * Notes in one repeatable update that a request is read and which requests it has led to. The last one of the last
 * source asks for the delivery. To be called after the children are known and before they are sent: a reader that breaks
 * off in between does both again.
 */
export async function closeRequest(
  request: { id: string; runId: string; sourceId: string; opened?: string[] },
  ports: CompletionPorts,
): Promise<void> {
  const { runId, sourceId, id, opened = [] } = request;
  const tally = await ports.runs.count(runId, sourceTally(sourceId), { opened, closed: [id] });
  if (tally.opened === tally.closed) await closeSource(runId, sourceId, ports);
}

export async function closeSource(runId: string, sourceId: string, ports: CompletionPorts): Promise<void> {
  const tally = await ports.runs.count(runId, sourcesTally, { closed: [sourceId] });
  if (tally.opened === tally.closed) await ports.delivery.send({ runId });
}
