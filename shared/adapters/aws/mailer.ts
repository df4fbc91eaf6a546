import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { systemClock } from "../../core/clock.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";
import { sendOnce } from "../../mail/send-once.ts";
import { optionalVariable } from "./environment.ts";
import { leaseStore } from "./lease-store.ts";
import { sentMails } from "./sent-mails.ts";

const ses = new SESv2Client({});

/**
 * Sends mails as raw MIME. The header names the sender alone; the recipients are on the envelope. SES replaces the
 * Message-ID, so the mail's id has its own header. A deployment without a sender keeps its mails only.
 */
export function mailer(): Mailer {
  const from = optionalVariable("mailFrom");
  const ports = {
    sent: sentMails({ areSent: from !== undefined }),
    leases: leaseStore(),
    sendMessage: from === undefined ? async () => undefined : buildSendMessage(from),
    clock: systemClock,
  };
  return { send: (mail) => sendOnce(mail, ports) };
}

function buildSendMessage(from: string) {
  return async ({ id, subject, text, html }: Mail, to: string[]) => {
    const headers = { "X-Ingather-Mail-Id": id };
    const raw = await new MailComposer({ from, to: from, subject, text, html, headers }).compile().build();
    try {
      await ses.send(
        new SendEmailCommand({
          FromEmailAddress: from,
          Destination: { BccAddresses: to },
          Content: { Raw: { Data: raw } },
        }),
      );
      return undefined;
    } catch (error) {
      // SES rejects the message because of a recipient. All other errors are independent of the recipients.
      if (error instanceof MessageRejected || error instanceof BadRequestException) {
        return { refusal: error.message };
      }
      throw error;
    }
  };
}
