import { digest } from "../../core/digest.ts";
import { mailsByTimeIndex, objectKeys } from "../../names.ts";
import type { Mail, SentMail, SentMailReader } from "../../records/mail/mailer.ts";
import { getItem, queryFirst } from "./dynamodb.ts";
import { variable } from "./environment.ts";
import { getJson } from "./s3.ts";
import { listedMails } from "./sent-mails.ts";

interface MailItem extends Omit<SentMail, "to"> {
  sentTo: Set<string>;
}

/** Reads what `sent-mails.ts` has stored. */
export function sentMailReader(): SentMailReader {
  const TableName = variable("sentMailsTable");
  return {
    async latest({ limit, after }) {
      const query = {
        TableName,
        IndexName: mailsByTimeIndex,
        ScanIndexForward: false,
        KeyConditionExpression: "listedIn = :listed",
        ExpressionAttributeValues: { ":listed": listedMails },
        ...(after !== undefined && { ExclusiveStartKey: { listedIn: listedMails, ...after } }),
      };
      return (await queryFirst<MailItem>(query, limit)).map(toMail);
    },
    async get(mailId) {
      const item = await getItem<MailItem>({ TableName, Key: { mailId }, ConsistentRead: true });
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
