import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { Mail } from "../../records/mail/mailer.ts";

const ses = new SESv2Client({});

/**
 * Sends a mail as raw MIME. The header names only the sender; the recipients are on the envelope. SES replaces the
 * Message-ID, so the mail's id is in a separate header.
 */
export async function sendBySes(
  { id, subject, text, html }: Mail,
  { from, to }: { from: string; to: string[] },
): Promise<{ refusal: string } | undefined> {
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
    // These errors mean that SES rejects the message because of a recipient. All other errors are independent of the
    // recipients.
    if (error instanceof MessageRejected || error instanceof BadRequestException) {
      return { refusal: error.message };
    }
    throw error;
  }
}
