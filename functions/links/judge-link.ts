import { listVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { bodyStore } from "../../shared/adapters/aws/gate/body-store.ts";
import { networkIsDown } from "../../shared/adapters/aws/gate/network-store.ts";
import { collectionStore } from "../../shared/adapters/aws/links/collection-store.ts";
import { linkHistory } from "../../shared/adapters/aws/links/link-history.ts";
import { linkRecords } from "../../shared/adapters/aws/links/link-records.ts";
import { linkSamples } from "../../shared/adapters/aws/links/link-samples.ts";
import { linkStatistics } from "../../shared/adapters/aws/links/link-statistics.ts";
import { rechecks } from "../../shared/adapters/aws/links/rechecks.ts";
import { sweepStore } from "../../shared/adapters/aws/links/sweep-store.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { judgeCheck } from "../../shared/links/judge/judge-check.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Judges a link by the response to its check. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    collections: collectionStore(),
    records: linkRecords(),
    sweeps: sweepStore(),
    history: linkHistory(),
    samples: linkSamples(),
    statistics: linkStatistics(),
    bodies: bodyStore(),
    requests: requestsQueue(),
    rechecks: rechecks(),
    events: events(),
    mailer: mailer(),
    recipients: listVariable("mailTo"),
    consoleUrl: `${variable("apiUrl")}/console`,
    networkIsDown: networkIsDown(),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: judgeCheck,
});
