/** The ids of the runs that the messages of an event name. */
export function runIdsInEvent(event: unknown): string[] {
  if (typeof event !== "object" || event === null || !("Records" in event)) return [];
  const found = JSON.stringify(event.Records).matchAll(/runId\\*":\\*"((?:live|test)-\d{8}T\d{6}Z)\\*"/g);
  return [...new Set([...found].map(([, runId = ""]) => runId))];
}

/** Why an invocation is unfinished, from the function's response: failed messages, or an HTTP error. `undefined` if it is finished. */
export function unfinishedReason(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { batchItemFailures, statusCode } = answer as { batchItemFailures?: unknown[]; statusCode?: number };
  const failedMessages = batchItemFailures?.length ?? 0;
  if (failedMessages > 0) {
    return `${failedMessages} ${failedMessages === 1 ? "message was" : "messages were"} returned to the queue: the log above says why`;
  }
  return statusCode !== undefined && statusCode >= 400 ? `the response is ${statusCode}` : undefined;
}
