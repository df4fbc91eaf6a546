import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { systemClock } from "../../core/clock.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";
import { sendOnce } from "../../mail/send-once.ts";
import { variable } from "./environment.ts";
import { leaseStore } from "./lease-store.ts";
import { sentMails } from "./sent-mails.ts";

const ses = new SESv2Client({});

/**
 * Sends mails as raw MIME, whose header names nobody but the sender: recipients stand on the envelope alone. SES writes a
 * Message-ID of its own, so ours has a header of its own.
 */
export function mailer(): Mailer {
  const from = variable("mailFrom");
  const ports = {
    sent: sentMails(),
    leases: leaseStore(),
    sendMessage: buildSendMessage(from),
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
      // What SES says of a message for one of its addresses; anything else is no matter of whom it is for.
      if (error instanceof MessageRejected || error instanceof BadRequestException) {
        return { refusal: error.message };
      }
      throw error;
    }
  };
}
