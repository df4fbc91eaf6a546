import middy from "@middy/core";
import * as z from "zod";
import { InputError } from "../core/errors.ts";
import { invocationLog } from "./invocation-log.ts";

/**
 * Creates a function that a schedule or an operator invokes. The function reads only the scheduled time of its event,
 * so a repeated invocation does the same work. Its result is returned and logged.
 */
export function scheduledHandler<Services>(options: {
  services: () => Services;
  handle: (services: Services, at: Date) => Promise<object>;
}) {
  let services: Services | undefined;
  return middy<unknown, object>()
    .use(invocationLog((_event, done) => ({ done })))
    .handler(async (event: unknown): Promise<object> => {
      services ??= options.services();
      return options.handle(services, dueTime(event));
    });
}

const isoTime = z.iso.datetime({ offset: true });

/**
 * Returns the scheduled time of an event, or the current time if the event has no time or a time in the future.
 * @throws InputError for an invalid time, because the current time could be on the wrong day
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-templated.html
 */
function dueTime(event: unknown): Date {
  const time = typeof event === "object" && event !== null && "time" in event ? event.time : undefined;
  const now = new Date();
  if (time === undefined) return now;
  const { data } = isoTime.safeParse(time);
  if (data === undefined) throw new InputError("time", time, "must be a time such as 2026-11-20T06:00:00Z");
  const due = new Date(data);
  return due < now ? due : now;
}
