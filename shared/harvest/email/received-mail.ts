export interface MailReadingQueue {
  /** Asks for the received mails of a source to be read. */
  send(message: { id: string; runId: string; sourceId: string }): Promise<void>;
}

/** What is kept of a received message. */
export interface ReadMessage {
  subject: string;
  links: string[];
}

/** The bucket of received mails, and what the sources have read of it. */
export interface ReceivedMail {
  /** The messages that a source has not read, oldest first. */
  unread(sourceId: string): Promise<{ key: string; sizeBytes: number }[]>;
  message(key: string): Promise<Uint8Array>;
  /** Notes that a source has read a message, and what it said; the first note stands. */
  markRead(sourceId: string, key: string, message: ReadMessage): Promise<void>;
  /** The messages that a source has read since a time (ISO 8601). */
  readSince(sourceId: string, since: string): Promise<ReadMessage[]>;
}
