/** The statuses of a record or collection, as the last part of an event type. */
export const statusChangeTypes = ["activated", "suppressed", "deleted"] as const;
export type StatusChangeType = (typeof statusChangeTypes)[number];

/** A change to publish; `changeId` is the same when it is published twice. */
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
