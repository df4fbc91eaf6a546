export interface SourceStatus {
  sourceId: string;
  /** ISO 8601; the first live run that saw the source. */
  addedAt: string;
  /** ISO 8601; absent when nothing of the source was ever delivered. */
  lastDeliveredAt?: string;
}

export interface SourceStatusStore {
  statusOf(sourceId: string): Promise<SourceStatus | undefined>;
  /** Notes the first time that a source was seen; later times change nothing. */
  markAdded(sourceId: string, at: string): Promise<void>;
  /** Moves the last delivery forward; never back. */
  markDelivered(sourceId: string, at: string): Promise<void>;
}
