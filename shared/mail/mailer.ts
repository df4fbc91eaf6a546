export interface Mail {
  /** The same for the same mail, so that a repeated one can be recognised: its header `X-Ingather-Mail-Id`. */
  id: string;
  /** They do not see each other. */
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Sends a mail to each of its recipients once: who has had the mail of this id is left out. */
  send(mail: Mail): Promise<void>;
}

/** Who has had which mail. */
export interface SentMails {
  /** The addresses that have had the mail. */
  recipients(mailId: string): Promise<ReadonlySet<string>>;
  /** Adds addresses that had the mail at that time. */
  markSent(mailId: string, to: string[], at: Date): Promise<void>;
}
