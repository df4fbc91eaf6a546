import { listVariable, variable } from "../../shared/aws/environment.ts";
import { events } from "../../shared/aws/events.ts";
import { bodyStore } from "../../shared/aws/gate/body-store.ts";
import { networkIsDown } from "../../shared/aws/gate/network-store.ts";
import { collectionStore } from "../../shared/aws/links/collection-store.ts";
import { linkHistory } from "../../shared/aws/links/link-history.ts";
import { linkRecords } from "../../shared/aws/links/link-records.ts";
import { linkSamples } from "../../shared/aws/links/link-samples.ts";
import { linkStatistics } from "../../shared/aws/links/link-statistics.ts";
import { rechecks } from "../../shared/aws/links/rechecks.ts";
import { sweepStore } from "../../shared/aws/links/sweep-store.ts";
import { mailer } from "../../shared/aws/mailer.ts";
import { requestsQueue } from "../../shared/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { judgeCheck } from "../../shared/links/fate/judge-check.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/gate/response.ts";

/** Judges a link by what its host has answered. */
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
    networkIsDown: networkIsDown(),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: judgeCheck,
});
