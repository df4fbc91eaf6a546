import { operatorRoutes } from "../../shared/api/operator-routes.ts";
import { configurationStore } from "../../shared/aws/config/configuration-store.ts";
import { sourceStore } from "../../shared/aws/config/source-store.ts";
import { validationRuleStore } from "../../shared/aws/config/validation-rule-store.ts";
import { archiveStore } from "../../shared/aws/delivery/archive-store.ts";
import { delinquentStore } from "../../shared/aws/delivery/delinquent-store.ts";
import { deliveryStore } from "../../shared/aws/delivery/delivery-store.ts";
import { sourceStatusStore } from "../../shared/aws/delivery/source-status-store.ts";
import { listVariable, variable } from "../../shared/aws/environment.ts";
import { events } from "../../shared/aws/events.ts";
import { hostReader } from "../../shared/aws/gate/host-reader.ts";
import { recordStore } from "../../shared/aws/harvest/record-store.ts";
import { runStore } from "../../shared/aws/harvest/run-store.ts";
import { collectionStore } from "../../shared/aws/links/collection-store.ts";
import { linkHistory } from "../../shared/aws/links/link-history.ts";
import { linkRecords } from "../../shared/aws/links/link-records.ts";
import { linkSamples } from "../../shared/aws/links/link-samples.ts";
import { linkStatistics } from "../../shared/aws/links/link-statistics.ts";
import { ruleTests } from "../../shared/aws/links/rule-tests.ts";
import { mailer } from "../../shared/aws/mailer.ts";
import { messageQueue, requestsQueue } from "../../shared/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

export const handler = httpHandler(
  operatorRoutes({
    deliveries: deliveryStore(),
    configuration: configurationStore(),
    collections: collectionStore(),
    links: linkRecords(),
    history: linkHistory(),
    statistics: linkStatistics(),
    samples: linkSamples(),
    ruleTests: ruleTests(),
    requests: requestsQueue(),
    events: events(),
    mailer: mailer(),
    recipients: listVariable("mailTo"),
    clock: systemClock,
    timeZone: variable("timeZone"),
    newId: () => crypto.randomUUID(),
    archive: archiveStore(),
    records: recordStore(),
    sources: sourceStore(),
    runs: runStore(),
    runStarts: messageQueue("runStartsQueue"),
    status: sourceStatusStore(),
    hosts: hostReader(),
    rules: validationRuleStore(),
    delinquents: delinquentStore(),
  }),
);
