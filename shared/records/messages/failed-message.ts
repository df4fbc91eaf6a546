/** A message that a function could not process, quarantined with its content: an operator retries or discards it. */
export interface FailedMessage {
  /** Sorts by the time at which the message was sent; the same in every repeat. */
  id: string;
  messageId: string;
  /** The name of the queue that it was in: the stage at which it failed. */
  queue: string;
  /** Why it failed the last time. */
  reason: string;
  /** How often it was received. */
  receives: number;
  /** ISO 8601, UTC. */
  failedAt: string;
  /** What it is about: ids such as `runId` and `sourceId`, and the host. */
  subject: Record<string, string | number>;
  /** Why whatever waits for it could not be ended, if so: it waits until its deadline. */
  unsettled?: string;
  /** The message as it was sent. */
  body: string;
}

/** As a list has it. */
export type FailedMessageSummary = Omit<FailedMessage, "body">;

/** The part of the store that functions use. Each call may be repeated. */
export interface FailedMessages {
  save(message: FailedMessage): Promise<void>;
  /** Notes that a try begins. @returns how many of the noted ones have not ended, this one included */
  beginTry(id: string): Promise<number>;
  endTry(id: string): Promise<void>;
}

/** The part of the store that operators use. */
export interface FailedMessageList {
  /** Those after the one with the id `after`; the last ones that were sent come first. */
  list(page: { limit: number; after?: string | undefined }): Promise<FailedMessageSummary[]>;
  get(id: string): Promise<FailedMessage | undefined>;
  /** @returns whether it was there */
  remove(id: string): Promise<boolean>;
}
