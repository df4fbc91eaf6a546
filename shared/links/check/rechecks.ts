import type { NewRequest } from "../../web/request/request.ts";

/** Checks scheduled for later. A request id is scheduled once. */
export interface Rechecks {
  schedule(time: string, request: NewRequest): Promise<void>;
}
