import type { MiddlewareObj } from "@middy/core";
import { errorFields, log } from "./log.ts";

/**
 * Logs each invocation as one line: how long it took, and what was done, or the error with which it ended. That goes on to
 * Lambda, which counts and repeats it.
 * @param done what tells of an invocation that ended well: a few counts or names, never a message's content
 */
export function invocationLog<Event, Answer>(
  done: (event: Event, answer: Answer) => Record<string, unknown>,
): MiddlewareObj<Event, Answer> {
  const begun = new WeakMap<object, number>();
  const durationMs = ({ internal }: { internal: object }) =>
    Math.round(performance.now() - (begun.get(internal) ?? 0));
  return {
    // Several invocations are under way at once in one process of this machine.
    before: ({ internal }) => void begun.set(internal, performance.now()),
    after: (request) =>
      log("info", "the invocation is done", {
        durationMs: durationMs(request),
        ...done(request.event, request.response as Answer),
      }),
    onError: (request) =>
      log("error", "the invocation failed", {
        durationMs: durationMs(request),
        ...errorFields(request.error),
      }),
  };
}
