import { networkMail } from "./network-mail.ts";
import type { NetworkState } from "./probe-network.ts";

/** The recipients of a change of the network: people by mail, programs by an event. */
interface NetworkSubscribers {
  /** Mail addresses; without any, no mail is sent. */
  recipients: string[];
  mailer: { send(mail: ReturnType<typeof networkMail>): Promise<void> };
  events: { publish(event: NetworkEvent): Promise<void> };
}

interface NetworkEvent {
  type: "network.down" | "network.up";
  /** The same for the same change. */
  changeId: string;
  detail: { since: string; why: string };
}

/** Tells of a change. Told again it has the same ids, by which mail and event are recognised. */
export async function notifyNetworkChange(
  change: NetworkState,
  { recipients, mailer, events }: NetworkSubscribers,
): Promise<void> {
  const { state, since, why } = change;
  if (recipients.length > 0) await mailer.send(networkMail(change, recipients));
  await events.publish({
    type: `network.${state}`,
    changeId: `network.${state}/${since}`,
    detail: { since, why },
  });
}
