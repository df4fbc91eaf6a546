import type { ReceivedMail } from "../../../shared/harvest/listing/received-mail.ts";

/** A received message (RFC 5322) with its file name. */
export interface MailFile {
  name: string;
  content: Uint8Array;
}

/** The given messages, all unread. */
export function memoryMail(messages: readonly MailFile[]): ReceivedMail {
  const byName = new Map(messages.map(({ name, content }) => [name, content]));
  return {
    unread: async () => [...byName].map(([key, { byteLength: sizeBytes }]) => ({ key, sizeBytes })),
    message: async (key) => byName.get(key) ?? new Uint8Array(),
    markRead: async () => undefined,
    readSince: async () => [],
  };
}
