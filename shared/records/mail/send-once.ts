import { RemoteError, ThrottledError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { type LeasePorts, withLease } from "../../core/lease.ts";
import { addressKey, distinctAddresses } from "../../core/mail-address.ts";
import type { Mail, SentMails } from "./mailer.ts";

/**
 * The maximum number of recipients of a message.
 * @see https://docs.aws.amazon.com/ses/latest/dg/quotas.html#quotas-message
 */
const maxRecipientsPerMessage = 50;

/** The duration of the lease. It exceeds the time for one message to 50 recipients plus one message to each of them. */
const leaseMs = 120_000;

export interface SendOncePorts extends LeasePorts {
  sent: SentMails;
  /** Sends one message to at most 50 addresses. If the message is refused, none of them has got it. */
  sendMessage(mail: Mail, to: string[]): Promise<{ refusal: string } | undefined>;
}

/**
 * Sends a mail to the recipients who have not got it, in messages of at most 50 recipients. A refused message is sent
 * to each of its recipients separately, so that one bad address does not prevent the mail to the others. The recipients
 * are stored after each message. A process that is killed in between sends that message twice, because a lost mail
 * would be worse.
 * @throws RemoteError that names each refused address with the reason, after the mail has been sent to all others
 * @throws ThrottledError while another process sends the same mail
 */
export async function sendOnce(mail: Mail, ports: SendOncePorts): Promise<void> {
  if (mail.to.length === 0) return;
  const takenBy = (untilMs: number) =>
    new ThrottledError(`another process is sending the mail ${mail.id}`, new Date(untilMs));
  const sending = await withLease({ key: `mail#${mail.id}`, forMs: leaseMs }, ports, async (extend) => {
    const alreadySentTo = await ports.sent.recipients(mail.id);
    const sentKeys = new Set([...alreadySentTo].map(addressKey));
    const remaining = distinctAddresses(mail.to).filter((address) => !sentKeys.has(addressKey(address)));
    const recordSent = async (to: string[]) => {
      await ports.sent.markSent(mail, to, ports.clock.now());
      if (!(await extend())) throw takenBy(ports.clock.now().getTime() + leaseMs);
    };
    if (remaining.length > 0) await ports.sent.keep(mail);
    const refusals: string[] = [];
    for (const to of inBatches(remaining, maxRecipientsPerMessage)) {
      refusals.push(...(await sendToEach(to, mail, { sendMessage: ports.sendMessage, recordSent })));
    }
    return refusals;
  });
  if (sending.type === "taken") throw takenBy(sending.lease.untilMs);
  const refusals = sending.result;
  if (refusals.length > 0) {
    throw new RemoteError(
      `the mail ${mail.id} is refused for ${refusals.length} of its recipients: ${refusals.join("; ")}`,
    );
  }
}

/**
 * Sends the mail to each address separately.
 * @returns the refused addresses, each with the reason
 */
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
