import { eventTypes } from "../../shared/records/events/event-types.ts";
import type { DomainEvent } from "../../shared/records/events/events.ts";

/** Holds what a test publishes against the schema of its type. @throws ZodError naming the field */
export function assertEvent({ type, changeId, detail }: DomainEvent): void {
  if (changeId === "") throw new Error(`${type} has no change id`);
  eventTypes[type].detail.parse(detail);
}
