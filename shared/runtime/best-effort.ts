import { errorFields, log } from "./log.ts";

/** Does work that the answer does not depend on. It logs an error, and does not throw it. */
export async function bestEffort(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", what, errorFields(error));
  }
}
