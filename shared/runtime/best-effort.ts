import { errorFields, log } from "./log.ts";

/** Does what an answer does not depend on. When it fails, that is logged, and the answer given all the same. */
export async function bestEffort(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", what, errorFields(error));
  }
}
