import { digest } from "../../core/digest.ts";
import { textWithoutCredentials } from "../../core/url-credentials.ts";
import { objectKeys, sentMailRetentionDays } from "../../names.ts";
import type { SentMails } from "../../records/mail/mailer.ts";
import { ttlAfter } from "./dynamodb.ts";
import { variable } from "./environment.ts";
import { expression } from "./expression.ts";
import { putJson } from "./s3.ts";
import { table } from "./table.ts";

/** The common key of all sent mails in the index by time. */
export const listedMails = "sent";

/**
 * Stores one item per mail: the addresses that have received it (`sentTo`, a string set), the time, and whether it was
 * only stored because the deployment sends no mails. The text of the mail is in the records bucket. A message that
 * requests a mail may stay in a queue for two weeks, and in the dead-letter queue for two more weeks. The item is kept
 * for longer than that.
 */
export function sentMails({ areSent }: { areSent: boolean }): SentMails {
  const mails = table<{ sentTo?: Set<string> }>({
    variable: "sentMailsTable",
    key: (mailId) => ({ mailId }),
  });
  return {
    recipients: async (mailId) => (await mails.get(mailId))?.sentTo ?? new Set(),
    async keep({ id, subject, text, html }) {
      const kept = { subject, text: textWithoutCredentials(text), html: textWithoutCredentials(html) };
      await putJson(variable("recordsBucket"), objectKeys.mail(digest(id)), JSON.stringify(kept));
    },
    async markSent({ id: mailId, subject }, to, at) {
      const sentAt = at.toISOString();
      const expiresAt = ttlAfter(sentAt, sentMailRetentionDays);
      await mails.updateItem(
        mailId,
        expression`ADD sentTo ${new Set(to)} SET expiresAt = if_not_exists(expiresAt, ${expiresAt}), sentAt = if_not_exists(sentAt, ${sentAt}), isSent = ${areSent}, subject = ${subject}, listedIn = ${listedMails}`,
      );
    },
  };
}
