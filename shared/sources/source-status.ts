export interface SourceStatus {
  sourceId: string;
  /** ISO 8601; the first live run that saw the source. */
  addedAt: string;
  /** ISO 8601; absent before the first delivery. */
  lastDeliveredAt?: string;
}

export interface SourceStatusStore {
  statusOf(sourceId: string): Promise<SourceStatus | undefined>;
  /** Stores the first time that a source was seen; later calls change nothing. */
  markAdded(sourceId: string, at: string): Promise<void>;
  /** Moves the last delivery forward, never back. */
  markDelivered(sourceId: string, at: string): Promise<void>;
}
