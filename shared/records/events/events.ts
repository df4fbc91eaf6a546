import type { EventType } from "./event-type.ts";

/** The statuses of a record or collection, as the last part of an event type. */
export const statusChangeTypes = ["activated", "suppressed", "deleted"] as const;
export type StatusChangeType = (typeof statusChangeTypes)[number];

/** What happens to documents and to their files: new, changed, or deleted in their source. */
export type DocumentEventType = `document.${"new" | "opened" | "deleted"}`;
export type ItemEventType = `item.${"new" | "opened" | "deleted"}`;

/** A change to publish. A repeated event has the same `changeId`. */
export interface DomainEvent {
  type: EventType;
  changeId: string;
  detail: Record<string, unknown>;
}

export interface Events {
  publish(event: DomainEvent): Promise<void>;
}
