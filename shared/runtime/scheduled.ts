import middy from "@middy/core";
import { invocationLog } from "./invocation-log.ts";

/**
 * A function that a schedule invokes, or an operator by hand. What it is given does not matter but for the time at which
 * it was due, so that an invocation that is repeated can do the same again; what it yields is shown.
 */
export function scheduledHandler<Services>(options: {
  services: () => Services;
  handle: (services: Services, at: Date) => Promise<object>;
}) {
  let services: Services | undefined;
  return middy<unknown, object>()
    .use(invocationLog())
    .handler(async (event: unknown): Promise<object> => {
      services ??= options.services();
      return options.handle(services, dueTime(event));
    });
}

/** The time in the event of a schedule, else now. @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-templated.html */
function dueTime(event: unknown): Date {
  const time = typeof event === "object" && event !== null && "time" in event ? String(event.time) : "";
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? new Date() : new Date(ms);
}
