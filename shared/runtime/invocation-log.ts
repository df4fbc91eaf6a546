import type { MiddlewareObj } from "@middy/core";
import { errorFields, log } from "./log.ts";

/**
 * Logs each invocation as one line: how long it took, and what was done, or the error with which it ended. That goes on to
 * Lambda, which counts and repeats it.
 * @param summarize what tells of an invocation that ended well: a few counts or names, never a message's content
 */
export function invocationLog<Event, Answer>(
  summarize: (event: Event, answer: Answer) => Record<string, unknown>,
): MiddlewareObj<Event, Answer> {
  const startedAt = new WeakMap<object, number>();
  const durationMs = ({ internal }: { internal: object }) =>
    Math.round(performance.now() - (startedAt.get(internal) ?? 0));
  return {
    // Several invocations are under way at once in one process of this machine.
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
