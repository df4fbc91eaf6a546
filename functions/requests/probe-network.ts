import { list } from "../../shared/aws/environment.ts";
import { events } from "../../shared/aws/events.ts";
import { addressPolicy } from "../../shared/aws/gate/gate-settings.ts";
import { networkFlag } from "../../shared/aws/gate/network-store.ts";
import { mailer } from "../../shared/aws/mailer.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { ConfigError } from "../../shared/core/errors.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";
import { admitUrl } from "../../shared/web/address/admit-url.ts";
import { createHttpClient } from "../../shared/web/exchange/http-client.ts";
import { type NetworkState, probeNetwork } from "../../shared/web/network/network.ts";
import { networkMail } from "../../shared/web/network/network-mail.ts";

/** An answer later than this is as good as none. */
const limits = { connectMs: 5_000, headersMs: 8_000, bodyMs: 2_000 };

/** Looks whether our own network works. */
export const handler = scheduledHandler({
  services: () => {
    const policy = addressPolicy();
    const urls = list("probeUrls");
    for (const url of urls) {
      const admission = admitUrl(url, policy);
      if (admission.type === "refused") throw new ConfigError(`probe URL ${url}: ${admission.detail}`);
    }
    const client = createHttpClient({ policy, limits });
    const mails = mailer();
    const bus = events();
    const to = list("mailTo");
    const tell = async (change: NetworkState) => {
      if (to.length > 0) await mails.send(networkMail(change, to));
      const { state, since, why } = change;
      await bus.publish({
        type: `network.${state}`,
        changeId: `network.${state}/${since}`,
        detail: { since, why },
      });
    };
    const probe = (url: string) => client.exchange({ url, answerBody: "discard" });
    return { urls, ports: { flag: networkFlag(), probe, tell, clock: systemClock } };
  },
  handle: ({ urls, ports }) => probeNetwork(urls, ports),
});
