import { consumedQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { hostShares } from "../../shared/adapters/gate/host-shares.ts";
import { hostStore } from "../../shared/adapters/gate/host-store.ts";
import { networkIsDown } from "../../shared/adapters/gate/network-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { log } from "../../shared/runtime/log.ts";
import { fifoHandler } from "../../shared/runtime/sqs.ts";
import { admitRequests } from "../../shared/web/gate/admit-requests.ts";
import { networkWaitMs } from "../../shared/web/gate/gate-policy.ts";

/** Forwards the checks that readers cause to the gate when their host is idle. */
export const handler = fifoHandler({
  services: () => ({
    ...consumedQueue(),
    requests: requestsQueue(),
    hosts: hostStore(),
    shares: hostShares(),
    networkIsDown: networkIsDown(),
    reportDropped: (requestId: string, reason: string) =>
      log("info", "a check for a reader is dropped", { requestId, reason }),
    clock: systemClock,
  }),
  handleGroup: (messages, ports) => admitRequests(messages, ports, { networkWaitMs }),
});
