import type { NewRequest } from "../../web/gate/request.ts";

/** Checks that are asked for at a later time: of the same request there is one. */
export interface Rechecks {
  schedule(time: string, request: NewRequest): Promise<void>;
}
