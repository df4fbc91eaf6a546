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
  /** Takes the sending of a mail until a time, and gives who has had it; nothing while another has taken it. */
  claim(mailId: string, at: { nowMs: number; untilMs: number }): Promise<ReadonlySet<string> | undefined>;
  /** Notes who has had it, and goes on having it taken. */
  markSent(mailId: string, to: string[], untilMs: number): Promise<void>;
  /** Ends the taking that lasts until this time; nothing happens when it has run out and another has taken the mail. */
  release(mailId: string, untilMs: number): Promise<void>;
}
