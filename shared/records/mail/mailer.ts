export interface Mail {
  /** The same for a repeated mail; the header `X-Ingather-Mail-Id`. */
  id: string;
  /** The recipients do not see each other. */
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Sends a mail to each recipient without the mail of this id. A mail without recipients is not sent. */
  send(mail: Mail): Promise<void>;
}

/** Which mails were sent to which recipients. */
export interface SentMails {
  /** The addresses that have had the mail. */
  recipients(mailId: string): Promise<ReadonlySet<string>>;
  /** Keeps the text of a mail that is about to be sent, without what looks like a login. */
  keep(mail: Mail): Promise<void>;
  /** Adds addresses that had the mail at that time. */
  markSent(mail: Pick<Mail, "id" | "subject">, to: string[], at: Date): Promise<void>;
}

/** A mail that was sent, or kept by a deployment that sends none. */
export interface SentMail {
  mailId: string;
  subject: string;
  /** ISO 8601, UTC: the first message of it. */
  sentAt: string;
  /** False: the deployment sends no mails, and keeps them. */
  isSent: boolean;
  to: string[];
}

/** Reads what `SentMails` has stored. */
export interface SentMailReader {
  /** Mails newest first; one of the last seconds may be missing. */
  latest(page: {
    limit: number;
    after?: Pick<SentMail, "mailId" | "sentAt"> | undefined;
  }): Promise<SentMail[]>;
  /** A mail with its text as it was sent. */
  get(mailId: string): Promise<(SentMail & Pick<Mail, "text" | "html">) | undefined>;
}
