import middy from "@middy/core";
import { z } from "zod";
import { InputError } from "../core/errors.ts";
import { invocationLog } from "./invocation-log.ts";

/**
 * A function that a schedule invokes, or an operator by hand. What it is given does not matter but for the time at which
 * it was due, so that an invocation that is repeated can do the same again; what it yields is shown and logged.
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
 * The time in the event of a schedule, else now; now, too, in place of a time to come, as nothing is done ahead of time.
 * @throws InputError when an operator has written one that is none: done for now instead, it would be for the wrong day
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
