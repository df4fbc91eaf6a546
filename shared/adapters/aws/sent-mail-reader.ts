import { digest } from "../../core/digest.ts";
import { mailsByTimeIndex, objectKeys } from "../../names.ts";
import type { Mail, SentMail, SentMailReader } from "../../records/mail/mailer.ts";
import { variable } from "./environment.ts";
import { expression } from "./expression.ts";
import { getJson } from "./s3.ts";
import { listedMails } from "./sent-mails.ts";
import { table } from "./table.ts";

interface MailItem extends Omit<SentMail, "to"> {
  sentTo: Set<string>;
}

/** Reads the mails that `sent-mails.ts` has stored. */
export function sentMailReader(): SentMailReader {
  const mails = table<MailItem>({ variable: "sentMailsTable", key: (mailId) => ({ mailId }) });
  return {
    async latest({ limit, after }) {
      const where = expression`listedIn = ${listedMails}`;
      const start = after && { listedIn: listedMails, ...after };
      const latest = mails.query({ index: mailsByTimeIndex, where, isDescending: true, after: start });
      return (await latest.first(limit)).map(toMail);
    },
    async get(mailId) {
      const item = await mails.get(mailId);
      if (item?.sentAt === undefined) return undefined;
      const kept = await getJson<Pick<Mail, "text" | "html">>(
        variable("recordsBucket"),
        objectKeys.mail(digest(mailId)),
      );
      return { ...toMail(item), text: kept.text, html: kept.html };
    },
  };
}

function toMail({ mailId, subject, sentAt, isSent, sentTo }: MailItem): SentMail {
  return { mailId, subject, sentAt, isSent, to: [...sentTo].sort() };
}
