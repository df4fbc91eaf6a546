export interface Mail {
  /** The id of the mail, sent as the header `X-Ingather-Mail-Id`. A repeated mail has the same id. */
  id: string;
  /** The recipients do not see each other. */
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Sends a mail to each recipient who has not got a mail with this id. A mail without recipients is not sent. */
  send(mail: Mail): Promise<void>;
}

/** Stores which mails were sent to which recipients. */
export interface SentMails {
  /** Returns the addresses that have got the mail. */
  recipients(mailId: string): Promise<ReadonlySet<string>>;
  /** Stores the text of a mail that is about to be sent, without anything that looks like a login. */
  keep(mail: Mail): Promise<void>;
  /** Adds addresses that got the mail at that time. */
  markSent(mail: Pick<Mail, "id" | "subject">, to: string[], at: Date): Promise<void>;
}

/** A mail that was sent, or that was only stored because the deployment does not send mails. */
export interface SentMail {
  mailId: string;
  subject: string;
  /** When the first message of the mail was sent. ISO 8601 in UTC. */
  sentAt: string;
  /** False when the deployment does not send mails and only stores them. */
  isSent: boolean;
  to: string[];
}

/** Reads the data that `SentMails` has stored. */
export interface SentMailReader {
  /** Lists the mails, newest first. A mail of the last few seconds may be missing. */
  latest(page: {
    limit: number;
    after?: Pick<SentMail, "mailId" | "sentAt"> | undefined;
  }): Promise<SentMail[]>;
  /** Reads a mail with its text as it was sent. */
  get(mailId: string): Promise<(SentMail & Pick<Mail, "text" | "html">) | undefined>;
}
