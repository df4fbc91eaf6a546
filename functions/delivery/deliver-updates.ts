import { variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { leaseStore } from "../../shared/adapters/aws/lease-store.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { secrets } from "../../shared/adapters/aws/secrets.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { retryWithin } from "../../shared/core/retry.ts";
import { deliveryStore } from "../../shared/deliver/stores/delivery-store.ts";
import { reconversionStore } from "../../shared/deliver/stores/reconversion-store.ts";
import { sftp } from "../../shared/deliver/stores/sftp.ts";
import { deliverUpdates } from "../../shared/deliver/updates/deliver-updates.ts";
import { stopReconversion } from "../../shared/deliver/updates/request-reconversion.ts";
import { stageRequest } from "../../shared/records/runs/stages.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** The time reserved at the end of an invocation. */
const reserveMs = 15_000;

/** Delivers the accepted updates of delivered records. */
export const handler = sqsHandler({
  message: stageRequest,
  services: () => ({
    runs: runStore(),
    records: recordStore({ readsMany: true }),
    archive: archiveStore(),
    sources: sourceStore(),
    deliveries: deliveryStore(),
    reconversions: reconversionStore(),
    leases: leaseStore(),
    sftp: sftp(secrets()),
    events: events(),
    partsQueue: messageQueue("updatesQueue"),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: (request, services, { remainingMs }) => {
    const untilMs = systemClock.now().getTime() + remainingMs() - reserveMs;
    const retry = retryWithin({ clock: systemClock, random: Math.random, untilMs });
    return deliverUpdates(request, { ...services, retry });
  },
  settle: stopReconversion,
});
