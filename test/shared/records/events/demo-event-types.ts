import type { EventType } from "../../../../shared/records/events/event-type.ts";

/** What a whole run of the demo publishes; `test/cloud/start-once.long.test.ts` holds its log against the published schemas. */
export const demoEventTypes = [
  "document.new",
  "document.corrected",
  "record.delivered",
  "record.refused",
  "delivery.new",
  "run.finished",
] as const satisfies EventType[];
