import { list, optionalUrl, variable, wholeNumber } from "../../shared/aws/environment.ts";
import { bodyStore } from "../../shared/aws/gate/body-store.ts";
import { delaySettings } from "../../shared/aws/gate/delay-settings.ts";
import { hostStore } from "../../shared/aws/gate/host-store.ts";
import { networkIsDown } from "../../shared/aws/gate/network-store.ts";
import { robotsStore } from "../../shared/aws/gate/robots-store.ts";
import { statisticsStore } from "../../shared/aws/gate/statistics-store.ts";
import { translationPlaces } from "../../shared/aws/gate/translation-places.ts";
import { validatorStore } from "../../shared/aws/gate/validator-store.ts";
import { collectionStore } from "../../shared/aws/links/collection-store.ts";
import { gateQueues } from "../../shared/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { whyWithdrawn } from "../../shared/links/check/withdrawn.ts";
import { fifoHandler } from "../../shared/runtime/sqs.ts";
import { defaultPolicy } from "../../shared/web/address/admit-url.ts";
import { createHttpClient } from "../../shared/web/exchange/http-client.ts";
import { serveHost } from "../../shared/web/gate/gate.ts";
import { gatePolicy } from "../../shared/web/gate/gate-policy.ts";
import type { OutboundRequest } from "../../shared/web/gate/request.ts";
import { createTranslationServer } from "../../shared/web/translation/translation-server.ts";
import { Translator } from "../../shared/web/translation/translator.ts";

/** Asks the hosts, one request per host at a time. */
export const handler = fifoHandler({
  services: () => {
    const addresses = { ...defaultPolicy, allowedPrivateHosts: new Set(list("allowedPrivateHosts")) };
    const policy = gatePolicy({
      defaultDelayMs: wholeNumber("defaultDelayMs"),
      attempts: wholeNumber("attempts"),
      backoffBaseMs: wholeNumber("backoffBaseMs"),
      lastTryAfterMs: wholeNumber("lastTryAfterMs"),
      crawlDelayMinMs: wholeNumber("crawlDelayMinMs"),
      crawlDelayMaxMs: wholeNumber("crawlDelayMaxMs"),
    });
    const client = createHttpClient({ policy: addresses });
    const bodies = bodyStore();
    const known = validatorStore();
    const collections = collectionStore();
    const serverUrl = optionalUrl("translationServerUrl");
    const translator =
      serverUrl &&
      new Translator({
        server: createTranslationServer({ url: serverUrl, timeoutMs: wholeNumber("translationTimeoutMs") }),
        places: translationPlaces(),
        known,
        body: bodies.body,
        addresses,
        userAgent: variable("userAgent"),
        clock: systemClock,
      });
    return {
      settings: { policy, addresses, userAgent: variable("userAgent") },
      ports: {
        ...gateQueues(),
        hosts: hostStore(),
        delays: delaySettings(systemClock),
        robots: robotsStore(),
        validators: known,
        ...(translator && { translator }),
        statistics: statisticsStore(),
        networkIsDown: networkIsDown(),
        whyWithdrawn: (request: OutboundRequest) => whyWithdrawn(request, { collections }),
        keepBody: bodies.keep,
        exchange: client.exchange,
        clock: systemClock,
        random: Math.random,
      },
    };
  },
  handleGroup: (messages, { ports, settings }, context) =>
    serveHost(
      messages,
      { ...ports, remainingMs: () => context.getRemainingTimeInMillis() },
      { ...settings, holder: context.awsRequestId },
    ),
});
