import type { NewRequest } from "../../web/request/request.ts";

/** Schedules checks for later. Each request id is scheduled only once. */
export interface Rechecks {
  schedule(time: string, request: NewRequest): Promise<void>;
}
