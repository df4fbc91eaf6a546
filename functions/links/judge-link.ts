import { listVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { networkIsDown } from "../../shared/adapters/gate/network-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { judgeCheck } from "../../shared/links/judge/judge-check.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { linkHistory } from "../../shared/links/stores/link-history.ts";
import { linkRecords } from "../../shared/links/stores/link-records.ts";
import { linkSamples } from "../../shared/links/stores/link-samples.ts";
import { linkStatistics } from "../../shared/links/stores/link-statistics.ts";
import { rechecks } from "../../shared/links/stores/rechecks.ts";
import { sweepStore } from "../../shared/links/stores/sweep-store.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse, withoutResponse } from "../../shared/web/request/response.ts";

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
  settle: (response, services, reason) => judgeCheck(withoutResponse(response, reason), services),
});
