import type { MiddlewareObj } from "@middy/core";
import { errorFields, log } from "./log.ts";

/**
 * Logs one line per invocation: its duration, and its summary or its error. The error is also passed to Lambda, which
 * counts it and retries the invocation.
 * @param summarize returns a few counts or names of a successful invocation, never the content of a message
 */
export function invocationLog<Event, Answer>(
  summarize: (event: Event, answer: Answer) => Record<string, unknown>,
): MiddlewareObj<Event, Answer> {
  const startedAt = new WeakMap<object, number>();
  const durationMs = ({ internal }: { internal: object }) =>
    Math.round(performance.now() - (startedAt.get(internal) ?? 0));
  return {
    // On a single machine, one process runs several invocations at the same time.
    before: ({ internal }) => void startedAt.set(internal, performance.now()),
    after: (request) =>
      log("info", "the invocation is done", {
        durationMs: durationMs(request),
        ...summarize(request.event, request.response as Answer),
      }),
    onError: (request) =>
      log("error", "the invocation failed", {
        durationMs: durationMs(request),
        ...errorFields(request.error),
      }),
  };
}
