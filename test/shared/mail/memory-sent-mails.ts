import type { SentMails } from "../../../shared/mail/mailer.ts";

/** Who has had which mail, in memory. */
export function memorySentMails(): SentMails {
  const recipients = new Map<string, Set<string>>();
  return {
    recipients: async (mailId) => new Set(recipients.get(mailId)),
    markSent: async (mailId, to) =>
      void recipients.set(mailId, new Set([...(recipients.get(mailId) ?? []), ...to])),
  };
}
