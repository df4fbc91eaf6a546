/** The runs of deliveries that the messages of an event are about. */
export function runIdsInEvent(event: unknown): string[] {
  if (typeof event !== "object" || event === null || !("Records" in event)) return [];
  const found = JSON.stringify(event.Records).matchAll(/runId\\*":\\*"((?:live|test)-\d{8}T\d{6}Z)\\*"/g);
  return [...new Set([...found].map(([, runId = ""]) => runId))];
}

/** What a function has left undone, by its answer: messages that go back to their queue, or a request that it refuses. */
export function unfinishedReason(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { batchItemFailures, statusCode } = answer as { batchItemFailures?: unknown[]; statusCode?: number };
  const handedBack = batchItemFailures?.length ?? 0;
  if (handedBack > 0) {
    return `${handedBack} ${handedBack === 1 ? "message was" : "messages were"} handed back to the queue: why stands in the log above`;
  }
  return statusCode !== undefined && statusCode >= 400 ? `the answer is ${statusCode}` : undefined;
}
