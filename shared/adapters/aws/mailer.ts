import { systemClock } from "../../core/clock.ts";
import type { Mail, Mailer } from "../../records/mail/mailer.ts";
import { sendOnce } from "../../records/mail/send-once.ts";
import { optionalVariable } from "./environment.ts";
import { leaseStore } from "./lease-store.ts";
import { sentMails } from "./sent-mails.ts";

/** Sends mails. A deployment without a sender address only stores its mails. */
export function mailer(): Mailer {
  const from = optionalVariable("mailFrom");
  const ports = {
    sent: sentMails({ areSent: from !== undefined }),
    leases: leaseStore(),
    sendMessage: async (mail: Mail, to: string[]) => {
      if (from === undefined) return undefined;
      // The module takes 15 ms to load, and few invocations send a mail.
      const { sendBySes } = await import("./ses.ts");
      return sendBySes(mail, { from, to });
    },
    clock: systemClock,
  };
  return { send: (mail) => sendOnce(mail, ports) };
}
