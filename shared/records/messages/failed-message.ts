/**
 * A message that a function could not process. It is quarantined with its content until an operator retries or discards
 * it.
 */
export interface FailedMessage {
  /**
   * The id of the message. Ids are sorted by the time at which the message was sent. A repeated message has the same
   * id.
   */
  id: string;
  messageId: string;
  /** The name of the queue from which the message was read, and thus the stage at which it failed. */
  queue: string;
  /** The reason for the last failure. */
  reason: string;
  /** The number of times that the message was received. */
  receives: number;
  /** ISO 8601, UTC. */
  failedAt: string;
  /** The subjects of the message: ids such as `runId` and `sourceId`, and the host. */
  subject: Record<string, string | number>;
  /**
   * Set when the work that waits for the message could not be ended: the reason. That work then waits until its
   * deadline.
   */
  unsettled?: string;
  /** The message as it was sent. */
  body: string;
}

/** A failed message as it appears in a list. */
export type FailedMessageSummary = Omit<FailedMessage, "body">;

/** The part of the store that functions use. All calls are repeatable. */
export interface FailedMessages {
  save(message: FailedMessage): Promise<void>;
  /**
   * Stores that a try begins.
   * @returns the number of stored tries that have not ended, including this one
   */
  beginTry(id: string): Promise<number>;
  endTry(id: string): Promise<void>;
}

/** The part of the store that operators use. */
export interface FailedMessageList {
  /** Lists the messages after the one with the id `after`. The most recently sent messages come first. */
  list(page: { limit: number; after?: string | undefined }): Promise<FailedMessageSummary[]>;
  get(id: string): Promise<FailedMessage | undefined>;
  /**
   * Removes a message.
   * @returns whether it existed
   */
  remove(id: string): Promise<boolean>;
}
