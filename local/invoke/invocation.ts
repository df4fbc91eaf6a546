/** Returns the ids of the runs that the messages of an event name. */
export function runIdsInEvent(event: unknown): string[] {
  if (typeof event !== "object" || event === null || !("Records" in event)) return [];
  const found = JSON.stringify(event.Records).matchAll(/runId\\*":\\*"((?:live|test)-\d{8}T\d{6}Z)\\*"/g);
  return [...new Set([...found].map(([, runId = ""]) => runId))];
}

/**
 * Returns why an invocation is unfinished, from the function's response: messages failed, or it has an HTTP
 * error status. `undefined` if it is finished.
 */
export function unfinishedReason(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { batchItemFailures, statusCode } = answer as { batchItemFailures?: unknown[]; statusCode?: number };
  const failedMessages = batchItemFailures?.length ?? 0;
  if (failedMessages > 0) {
    return `${failedMessages} ${failedMessages === 1 ? "message was" : "messages were"} returned to the queue; see the log above for the reason`;
  }
  return statusCode !== undefined && statusCode >= 400 ? `the response is ${statusCode}` : undefined;
}
