import type { SentMails } from "../../../shared/mail/mailer.ts";

/** Who has had which mail, in memory. */
export function memorySentMails(): SentMails {
  const mails = new Map<string, { sentTo: Set<string>; claimedUntilMs: number }>();
  return {
    claim: async (mailId, { nowMs, untilMs }) => {
      const known = mails.get(mailId);
      if (known !== undefined && known.claimedUntilMs > nowMs) return undefined;
      const sentTo = known?.sentTo ?? new Set();
      mails.set(mailId, { sentTo, claimedUntilMs: untilMs });
      return new Set(sentTo);
    },
    markSent: async (mailId, to, untilMs) => {
      const sentTo = mails.get(mailId)?.sentTo ?? new Set();
      for (const address of to) sentTo.add(address);
      mails.set(mailId, { sentTo, claimedUntilMs: untilMs });
    },
    release: async (mailId, untilMs) => {
      const known = mails.get(mailId);
      if (known?.claimedUntilMs === untilMs) mails.set(mailId, { ...known, claimedUntilMs: 0 });
    },
  };
}
