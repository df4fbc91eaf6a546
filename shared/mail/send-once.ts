import type { Clock } from "../core/clock.ts";
import { RemoteError, ThrottledError } from "../core/errors.ts";
import { addressKey, distinctAddresses } from "../core/mail-address.ts";
import type { Mail, SentMails } from "./mailer.ts";

/** @see https://docs.aws.amazon.com/ses/latest/dg/quotas.html#quotas-message */
const maxRecipientsPerMessage = 50;

/** Longer than one message to all of a group, and one to each of them, take. */
const leaseMs = 120_000;

export interface SendOncePorts {
  sent: SentMails;
  /** Sends one message to at most 50 addresses. Gives why it is refused: then it went to none of them. */
  sendMessage(mail: Mail, to: string[]): Promise<{ refusal: string } | undefined>;
  clock: Pick<Clock, "now">;
}

/**
 * Sends a mail to whoever has not had it, in messages of at most 50 recipients. A message that is refused is sent to each
 * of its recipients alone, so that one bad address keeps the mail from nobody else. Who has had it is noted after each
 * message: were we to break off in between, those would get it twice, as a mail that is lost is worse.
 * @throws RemoteError that names each address that is refused, and why, when all others have been sent the mail
 * @throws ThrottledError while another is sending the same mail
 */
export async function sendOnce(mail: Mail, ports: SendOncePorts): Promise<void> {
  const { sent, clock, sendMessage } = ports;
  const nowMs = clock.now().getTime();
  let untilMs = nowMs + leaseMs;
  const alreadySentTo = await sent.claim(mail.id, { nowMs, untilMs });
  if (alreadySentTo === undefined) {
    throw new ThrottledError(`another is sending the mail ${mail.id}`, new Date(untilMs));
  }
  const recordSent = async (to: string[]) => {
    const longerMs = clock.now().getTime() + leaseMs;
    await sent.markSent(mail.id, to, longerMs);
    untilMs = longerMs;
  };
  const refusals: string[] = [];
  try {
    const sentKeys = new Set([...alreadySentTo].map(addressKey));
    const remaining = distinctAddresses(mail.to).filter((address) => !sentKeys.has(addressKey(address)));
    for (let start = 0; start < remaining.length; start += maxRecipientsPerMessage) {
      refusals.push(
        ...(await sendToEach(remaining.slice(start, start + maxRecipientsPerMessage), mail, {
          sendMessage,
          recordSent,
        })),
      );
    }
  } finally {
    await sent.release(mail.id, untilMs);
  }
  if (refusals.length > 0) {
    throw new RemoteError(
      `the mail ${mail.id} is refused for ${refusals.length} of its recipients: ${refusals.join("; ")}`,
    );
  }
}

/** Gives the addresses that are refused, each with the reason. */
async function sendToEach(
  to: string[],
  mail: Mail,
  ports: Pick<SendOncePorts, "sendMessage"> & { recordSent(to: string[]): Promise<void> },
): Promise<string[]> {
  const refused = await ports.sendMessage(mail, to);
  if (refused === undefined) {
    await ports.recordSent(to);
    return [];
  }
  if (to.length === 1) return [`${to[0]} (${refused.refusal})`];
  const refusals: string[] = [];
  for (const address of to) refusals.push(...(await sendToEach([address], mail, ports)));
  return refusals;
}
