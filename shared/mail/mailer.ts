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
  /** Sends a mail to each recipient who has not had the mail of this id. */
  send(mail: Mail): Promise<void>;
}

/** Who has had which mail. */
export interface SentMails {
  /** The addresses that have had the mail. */
  recipients(mailId: string): Promise<ReadonlySet<string>>;
  /** Adds addresses that had the mail at that time. */
  markSent(mailId: string, to: string[], at: Date): Promise<void>;
}
