import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { Mailer } from "../ports.ts";
import { variable } from "./environment.ts";

const ses = new SESv2Client({});

/** Sends mails as raw MIME: only so can they carry a Message-ID of ours. */
export function mailer(): Mailer {
  const from = variable("mailFrom");
  return {
    async send({ messageId, to, subject, text, html }) {
      const raw = await new MailComposer({ from, to, subject, text, html, messageId }).compile().build();
      await ses.send(
        new SendEmailCommand({
          FromEmailAddress: from,
          Destination: { ToAddresses: to },
          Content: { Raw: { Data: raw } },
        }),
      );
    },
  };
}

/** The domain of the sender. */
export function mailDomain(): string {
  const from = variable("mailFrom");
  return from.slice(from.lastIndexOf("@") + 1).replace(/>$/, "");
}
