import middy from "@middy/core";
import { invocationLog } from "./invocation-log.ts";

/** A function that a schedule invokes, or an operator by hand: what it is given does not matter, what it yields is shown. */
export function scheduledHandler<Services>(options: {
  services: () => Services;
  handle: (services: Services) => Promise<object>;
}) {
  let services: Services | undefined;
  return middy<unknown, object>()
    .use(invocationLog())
    .handler(async (): Promise<object> => {
      services ??= options.services();
      return options.handle(services);
    });
}
