import type { Mail, SentMails } from "../../../../shared/records/mail/mailer.ts";

/** Which mails were sent to whom, in memory. */
export function memorySentMails(kept: Mail[] = []): SentMails {
  const recipients = new Map<string, Set<string>>();
  return {
    recipients: async (mailId) => new Set(recipients.get(mailId)),
    keep: async (mail) => void kept.push(mail),
    markSent: async ({ id }, to) => void recipients.set(id, new Set([...(recipients.get(id) ?? []), ...to])),
  };
}
