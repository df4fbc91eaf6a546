import { errorFields, log } from "./log.ts";

/** Does work on which the response does not depend. An error is logged and not thrown. */
export async function bestEffort(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", what, errorFields(error));
  }
}
