import { networkMail } from "./network-mail.ts";
import type { NetworkState } from "./probe-network.ts";

/** The recipients of a change of the network: people receive a mail, programs an event. */
interface NetworkSubscribers {
  /** Mail addresses. */
  recipients: string[];
  mailer: { send(mail: ReturnType<typeof networkMail>): Promise<void> };
  events: { publish(event: NetworkEvent): Promise<void> };
}

interface NetworkEvent {
  type: "network.down" | "network.up";
  /** Identifies the change: a repeated event has the same id. */
  changeId: string;
  detail: { since: string; why: string };
}

/** Sends mail and event for a change. A repeated notification has the same ids. */
export async function notifyNetworkChange(
  change: NetworkState,
  { recipients, mailer, events }: NetworkSubscribers,
): Promise<void> {
  const { state, since, why } = change;
  await mailer.send(networkMail(change, recipients));
  await events.publish({
    type: `network.${state}`,
    changeId: `network.${state}/${since}`,
    detail: { since, why },
  });
}
