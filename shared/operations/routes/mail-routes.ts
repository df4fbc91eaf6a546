import * as z from "zod";
import { problem, refuseUnknown, time } from "../../api/answer.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { sentMailRetentionDays } from "../../names.ts";
import type { SentMailReader } from "../../records/mail/mailer.ts";

export interface MailPorts {
  sentMails: SentMailReader;
}

const sentMail = z
  .strictObject({
    mailId: z.string(),
    subject: z.string(),
    sentAt: time,
    isSent: z.boolean().describe("False when the deployment stores mails instead of sending them"),
    to: z.array(z.string()).describe("The recipients, who cannot see each other"),
  })
  .meta({ title: "SentMail" });

const route = routesOver<MailPorts>();

export const mailSubject = {
  title: "Mails",
  introduction: `The mails as they were sent. Mails are kept for ${sentMailRetentionDays} days.`,
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/mails",
      summary: "Lists sent mails, newest first",
      query: z.strictObject({
        limit: pageLimit({ most: 200, otherwise: 50 }),
        after: z.string().min(1).max(400).optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ mails: z.array(sentMail), next }) },
      },
      handler:
        ({ sentMails }) =>
        async (context, { query: { limit, after } }) => {
          const found = await sentMails.latest({ limit: limit + 1, after: parseAfter(after) });
          const mails = found.slice(0, limit);
          const last = found.length > limit ? mails.at(-1) : undefined;
          return context.json({ mails, ...(last && { next: `${last.sentAt},${last.mailId}` }) });
        },
    }),
    route({
      method: "GET",
      path: "/mails/{id}",
      summary: "Returns a mail as it was sent",
      params: z.strictObject({ id: z.string().min(1).max(300).describe("The id of a mail") }),
      answers: {
        200: {
          description: "The mail, without logins in URLs",
          body: sentMail.extend({ text: z.string(), html: z.string() }),
        },
        404: problem("No such mail"),
      },
      handler:
        ({ sentMails }) =>
        async (context, { params: { id } }) => {
          const mail = await sentMails.get(id);
          return mail === undefined ? refuseUnknown(context, "mail", id) : context.json(mail);
        },
    }),
  ],
} satisfies Subject<MailPorts>;

/**
 * Parses a cursor.
 * @throws InputError when it is invalid
 */
function parseAfter(after: string | undefined): { sentAt: string; mailId: string } | undefined {
  if (after === undefined) return undefined;
  const comma = after.indexOf(",");
  const [sentAt, mailId] = [after.slice(0, comma), after.slice(comma + 1)];
  if (!time.safeParse(sentAt).success || mailId === "")
    throw new InputError("after", after, "must be the `next` of a page of mails");
  return { sentAt, mailId };
}
