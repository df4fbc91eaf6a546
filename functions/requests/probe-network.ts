import { listVariable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { addressPolicy, probeUrls } from "../../shared/adapters/gate/gate-settings.ts";
import { networkFlag } from "../../shared/adapters/gate/network-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";
import { createHttpClient } from "../../shared/web/exchange/http-client.ts";
import { notifyNetworkChange } from "../../shared/web/network/notify-network-change.ts";
import { type NetworkState, probeNetwork } from "../../shared/web/network/probe-network.ts";

/** The limits of a probe. A response after these times does not count. */
const limits = { connectMs: 5_000, headersMs: 8_000, bodyMs: 2_000 };

/** Probes Ingather's own network. */
export const handler = scheduledHandler({
  services: () => {
    const policy = addressPolicy();
    const client = createHttpClient({ policy, limits });
    const listeners = { recipients: listVariable("mailTo"), mailer: mailer(), events: events() };
    return {
      urls: probeUrls(policy),
      ports: {
        flag: networkFlag(),
        probe: (url: string) => client.exchange({ url, bodyMode: "discard" }),
        notify: (change: NetworkState) => notifyNetworkChange(change, listeners),
        clock: systemClock,
      },
    };
  },
  handle: ({ urls, ports }) => probeNetwork(urls, ports),
});
