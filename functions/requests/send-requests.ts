import { gateQueues, takenRequests } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { delaySettings } from "../../shared/adapters/gate/delay-settings.ts";
import { gateSettings } from "../../shared/adapters/gate/gate-settings.ts";
import { hostStore } from "../../shared/adapters/gate/host-store.ts";
import { networkIsDown } from "../../shared/adapters/gate/network-store.ts";
import { robotsStore } from "../../shared/adapters/gate/robots-store.ts";
import { statisticsStore } from "../../shared/adapters/gate/statistics-store.ts";
import { transportFromEnvironment } from "../../shared/adapters/gate/transport.ts";
import { validatorStore } from "../../shared/adapters/gate/validator-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { findWithdrawalReason } from "../../shared/links/check/withdrawn.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { bestEffort } from "../../shared/runtime/best-effort.ts";
import { log } from "../../shared/runtime/log.ts";
import { fifoHandler } from "../../shared/runtime/sqs.ts";
import { captureWithdrawalReason } from "../../shared/snapshots/jobs/capture-requests.ts";
import { jobSummaries } from "../../shared/snapshots/stores/snapshot-store.ts";
import { BodyMemory } from "../../shared/web/exchange/body-memory.ts";
import { createHttpClient } from "../../shared/web/exchange/http-client.ts";
import { limitsWithin } from "../../shared/web/exchange/limits.ts";
import { serveHost } from "../../shared/web/gate/gate.ts";
import type { HostPause } from "../../shared/web/gate/host-state.ts";
import {
  hasTimeFor,
  largeBodiesPerInvocation,
  otherHosts,
  waitsInside,
} from "../../shared/web/gate/other-hosts.ts";
import type { OutboundRequest } from "../../shared/web/request/request.ts";

/** Sends requests, one per host at a time. */
export const handler = fifoHandler({
  services: () => {
    const settings = gateSettings();
    const { add } = statisticsStore();
    const collections = collectionStore();
    const snapshots = jobSummaries();
    const bodies = bodyStore();
    return {
      settings,
      ports: {
        ...gateQueues(),
        hosts: hostStore(),
        delays: delaySettings(systemClock),
        robots: robotsStore(),
        validators: validatorStore(),
        chooseTransport: transportFromEnvironment(settings),
        statistics: {
          add: (...numbers: Parameters<typeof add>) =>
            bestEffort(`the statistics of ${numbers[0]} are lost`, () => add(...numbers)),
        },
        networkIsDown: networkIsDown(),
        reportCorrected: (hostKey: string, times: readonly string[]) =>
          log("warn", `a clock was ahead: the times of ${hostKey} are corrected`, { times }),
        whyWithdrawn: async (request: OutboundRequest, pause?: HostPause) =>
          (await findWithdrawalReason(request, { collections, pause })) ??
          (await captureWithdrawalReason(request, { snapshots })),
        storeBody: bodies.store,
        passBody: bodies.pass,
        streamBody: bodies.stream,
        exchange: createHttpClient({
          policy: settings.addresses,
          limits: limitsWithin(settings.policy.exchangeMaxMs),
        }).exchange,
        bodyMemory: new BodyMemory(largeBodiesPerInvocation),
        clock: systemClock,
        random: Math.random,
      },
    };
  },
  handleGroup: (messages, { ports, settings }, { context, ...turn }) => {
    const hasTime = hasTimeFor(messages, {
      hide: ports.returnToQueue,
      remainingMs: () => context.getRemainingTimeInMillis(),
      clock: ports.clock,
      policy: settings.policy,
    });
    return serveHost(
      messages,
      { ...ports, hasTime, waitsInside: (waitMs) => waitsInside(waitMs, turn) },
      { ...settings, holder: context.awsRequestId },
    );
  },
  others: ({ ports, settings }, { context, eventSourceARN }) => {
    const { receive, remove } = takenRequests(eventSourceARN);
    const remainingMs = () => context.getRemainingTimeInMillis();
    const { clock } = ports;
    return { ...otherHosts({ receive, remainingMs, clock, policy: settings.policy }), remove };
  },
});
