/** What a status of a record or collection can change to, as the last part of the event type. */
export const statusChangeTypes = ["activated", "suppressed", "deleted"] as const;
export type StatusChangeType = (typeof statusChangeTypes)[number];

/** A change that others may want to know of; `changeId` is the same when it is told twice. */
export interface DomainEvent {
  type:
    | "document.new"
    | "delivery.new"
    | "run.finished"
    | "run.failed"
    | "network.down"
    | "network.up"
    | `record.${StatusChangeType}`
    | `collection.${StatusChangeType}`;
  changeId: string;
  detail: Record<string, unknown>;
}

export interface Events {
  publish(event: DomainEvent): Promise<void>;
}
