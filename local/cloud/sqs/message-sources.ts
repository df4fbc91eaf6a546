import type { DatabaseSync } from "node:sqlite";

/** Records which queue moved a message to its dead-letter queue. */
export interface MessageSources {
  /** Returns the name of the queue; undefined if the message was sent directly to the dead-letter queue. */
  of(messageId: string): string | undefined;
  note(messageId: string, queueName: string): void;
}

/** Opens the sources, which are stored in the database of the messages. */
export function openMessageSources(db: DatabaseSync): MessageSources {
  db.exec(`
    CREATE TABLE IF NOT EXISTS message_sources (message_id TEXT PRIMARY KEY, queue_name TEXT NOT NULL);
    DELETE FROM message_sources WHERE message_id NOT IN (SELECT message_id FROM sqs_messages);
  `);
  const get = db.prepare("SELECT queue_name FROM message_sources WHERE message_id = ?");
  const put = db.prepare("INSERT OR REPLACE INTO message_sources VALUES (?, ?)");
  return {
    of: (messageId) => (get.get(messageId) as { queue_name: string } | undefined)?.queue_name,
    note: (messageId, queueName) => void put.run(messageId, queueName),
  };
}

/** The part of a fauxqs queue that this module uses. */
interface Queue {
  readonly name: string;
  readonly persistence?: { readonly sources?: MessageSources };
  dequeue(maxCount: number, visibility: number | undefined, resolve?: Resolve): unknown;
}

interface DeadLetterQueue {
  enqueue(message: { readonly messageId: string }): void;
}

type Resolve = (arn: string) => DeadLetterQueue | undefined;

const adapted = new WeakSet<object>();

/**
 * Makes queues record the messages that they move to their dead-letter queues. @param prototype the prototype
 * of the queues
 */
export function noteMessageSources(prototype: Queue): void {
  // Already adapted if this process started another cloud before.
  if (adapted.has(prototype)) return;
  adapted.add(prototype);
  const { dequeue } = prototype;
  prototype.dequeue = function (maxCount, visibility, resolve) {
    const noting: Resolve = (arn) => {
      const deadLetters = resolve?.(arn);
      if (deadLetters === undefined) return undefined;
      return {
        enqueue: (message) => {
          deadLetters.enqueue(message);
          this.persistence?.sources?.note(message.messageId, this.name);
        },
      };
    };
    return dequeue.call(this, maxCount, visibility, resolve && noting);
  };
}
