export interface MailReadingQueue {
  /** Queues the reading of a source's received messages. */
  send(message: { id: string; runId: string; sourceId: string }): Promise<void>;
}

/** The stored part of a received message. */
export interface ReadMessage {
  subject: string;
  links: string[];
}

/** The bucket of received messages, and which of them each source has read. */
export interface ReceivedMail {
  /** The unread messages of a source, oldest first. */
  unread(sourceId: string): Promise<{ key: string; sizeBytes: number }[]>;
  message(key: string): Promise<Uint8Array>;
  /** Stores that a source has read a message, with its contents; the first call wins. */
  markRead(sourceId: string, key: string, message: ReadMessage): Promise<void>;
  /** The messages that a source read since a time (ISO 8601). */
  readSince(sourceId: string, since: string): Promise<ReadMessage[]>;
}
