import type { Clock } from "../core/clock.ts";
import { RemoteError, ThrottledError } from "../core/errors.ts";
import { addressKey, distinctAddresses } from "../core/mail-address.ts";
import type { Mail, SentMails } from "../ports.ts";

/** @see https://docs.aws.amazon.com/ses/latest/dg/quotas.html#quotas-message */
const recipientsAtOnce = 50;

/** Longer than one message to all of a group, and one to each of them, take. */
const takenForMs = 120_000;

export interface SendOncePorts {
  sent: SentMails;
  /** Sends one message to at most 50 addresses. Gives why it is refused: then it went to none of them. */
  post(mail: Mail, to: string[]): Promise<{ refusal: string } | undefined>;
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
  const { sent, clock, post } = ports;
  const nowMs = clock.now().getTime();
  let untilMs = nowMs + takenForMs;
  const taken = await sent.take(mail.id, { nowMs, untilMs });
  if (taken === undefined) {
    throw new ThrottledError(`another is sending the mail ${mail.id}`, new Date(untilMs));
  }
  const note = async (to: string[]) => {
    const longerMs = clock.now().getTime() + takenForMs;
    await sent.note(mail.id, to, longerMs);
    untilMs = longerMs;
  };
  const refusals: string[] = [];
  try {
    const had = new Set([...taken].map(addressKey));
    const open = distinctAddresses(mail.to).filter((address) => !had.has(addressKey(address)));
    for (let start = 0; start < open.length; start += recipientsAtOnce) {
      refusals.push(...(await sendTo(open.slice(start, start + recipientsAtOnce), mail, { post, note })));
    }
  } finally {
    await sent.letGo(mail.id, untilMs);
  }
  if (refusals.length > 0) {
    throw new RemoteError(
      `the mail ${mail.id} is refused for ${refusals.length} of its recipients: ${refusals.join("; ")}`,
    );
  }
}

/** Gives the addresses that are refused, each with the reason. */
async function sendTo(
  to: string[],
  mail: Mail,
  ports: Pick<SendOncePorts, "post"> & { note(to: string[]): Promise<void> },
): Promise<string[]> {
  const refused = await ports.post(mail, to);
  if (refused === undefined) {
    await ports.note(to);
    return [];
  }
  if (to.length === 1) return [`${to[0]} (${refused.refusal})`];
  const refusals: string[] = [];
  for (const address of to) refusals.push(...(await sendTo([address], mail, ports)));
  return refusals;
}
