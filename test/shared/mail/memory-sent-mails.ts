import type { SentMails } from "../../../shared/ports.ts";

/** Who has had which mail, in memory. */
export function memorySentMails(): SentMails {
  const mails = new Map<string, { sentTo: Set<string>; takenUntilMs: number }>();
  return {
    take: async (mailId, { nowMs, untilMs }) => {
      const known = mails.get(mailId);
      if (known !== undefined && known.takenUntilMs > nowMs) return undefined;
      const sentTo = known?.sentTo ?? new Set();
      mails.set(mailId, { sentTo, takenUntilMs: untilMs });
      return new Set(sentTo);
    },
    note: async (mailId, to, untilMs) => {
      const sentTo = mails.get(mailId)?.sentTo ?? new Set();
      for (const address of to) sentTo.add(address);
      mails.set(mailId, { sentTo, takenUntilMs: untilMs });
    },
    letGo: async (mailId, untilMs) => {
      const known = mails.get(mailId);
      if (known?.takenUntilMs === untilMs) mails.set(mailId, { ...known, takenUntilMs: 0 });
    },
  };
}
