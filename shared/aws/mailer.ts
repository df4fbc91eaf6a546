import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { Mailer } from "../ports.ts";
import { variable } from "./environment.ts";

const ses = new SESv2Client({});

/** @see https://docs.aws.amazon.com/ses/latest/dg/quotas.html#quotas-message */
const recipientsAtOnce = 50;

/**
 * Sends mails as raw MIME, whose header names nobody but the sender: recipients stand on the envelope alone. SES writes a
 * Message-ID of its own, so ours has a header of its own.
 */
export function mailer(): Mailer {
  const from = variable("mailFrom");
  return {
    async send({ id, to, subject, text, html }) {
      const headers = { "X-Ingather-Mail-Id": id };
      const message = { from, to: from, subject, text, html, headers };
      const raw = await new MailComposer(message).compile().build();
      for (let start = 0; start < to.length; start += recipientsAtOnce) {
        await ses.send(
          new SendEmailCommand({
            FromEmailAddress: from,
            Destination: { BccAddresses: to.slice(start, start + recipientsAtOnce) },
            Content: { Raw: { Data: raw } },
          }),
        );
      }
    },
  };
}
