import middy from "@middy/core";
import * as z from "zod";
import { InputError } from "../core/errors.ts";
import { invocationLog } from "./invocation-log.ts";

/**
 * A function that a schedule or an operator invokes. It reads only the scheduled time of its event, so that a repeated
 * invocation does the same again. Its result is returned and logged.
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
 * The scheduled time of an event; now when the event has none, or one in the future.
 * @throws InputError for an invalid time, as the current time would be the wrong day
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-templated.html
 */
function dueTime(event: unknown): Date {
  const time = typeof event === "object" && event !== null && "time" in event ? event.time : undefined;
  const now = new Date();
  if (time === undefined) return now;
  const { data } = isoTime.safeParse(time);
  if (data === undefined) throw new InputError("time", time, "must be a time as 2026-11-20T06:00:00Z");
  const due = new Date(data);
  return due < now ? due : now;
}
