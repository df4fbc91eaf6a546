export interface MailReadingQueue {
  /** Queues the reading of a source's received messages. */
  send(message: { id: string; runId: string; sourceId: string }): Promise<void>;
}

/** The stored part of a received message. */
export interface ReadMessage {
  subject: string;
  links: string[];
}

/** Provides the bucket of received messages, and stores which messages each source has read. */
export interface ReceivedMail {
  /** Lists the unread messages of a source, oldest first. */
  unread(sourceId: string): Promise<{ key: string; sizeBytes: number }[]>;
  message(key: string): Promise<Uint8Array>;
  /** Stores that a source has read a message, with the contents of the message. Only the first call has an effect. */
  markRead(sourceId: string, key: string, message: ReadMessage): Promise<void>;
  /** Returns the messages that a source has read since a time (ISO 8601). */
  readSince(sourceId: string, since: string): Promise<ReadMessage[]>;
}
