import { operatorRoutes } from "../../shared/api/operator-routes.ts";
import { archiveStore } from "../../shared/aws/archive-store.ts";
import { collectionStore } from "../../shared/aws/collection-store.ts";
import { configurationStore } from "../../shared/aws/configuration-store.ts";
import { delinquentStore } from "../../shared/aws/delinquent-store.ts";
import { deliveryStore } from "../../shared/aws/delivery-store.ts";
import { variable } from "../../shared/aws/environment.ts";
import { events } from "../../shared/aws/events.ts";
import { linkHistory } from "../../shared/aws/link-history.ts";
import { linkRecords } from "../../shared/aws/link-records.ts";
import { linkSamples } from "../../shared/aws/link-samples.ts";
import { linkStatistics } from "../../shared/aws/link-statistics.ts";
import { messageQueue, requestsQueue } from "../../shared/aws/queues.ts";
import { recordStore } from "../../shared/aws/record-store.ts";
import { ruleTests } from "../../shared/aws/rule-tests.ts";
import { runStore } from "../../shared/aws/run-store.ts";
import { sourceStatusStore } from "../../shared/aws/source-status-store.ts";
import { sourceStore } from "../../shared/aws/source-store.ts";
import { validationRuleStore } from "../../shared/aws/validation-rule-store.ts";
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
    clock: systemClock,
    timeZone: variable("timeZone"),
    newId: () => crypto.randomUUID(),
    archive: archiveStore(),
    records: recordStore(),
    sources: sourceStore(),
    runs: runStore(),
    runStarts: messageQueue("runStartsQueue"),
    status: sourceStatusStore(),
    rules: validationRuleStore(),
    delinquents: delinquentStore(),
  }),
);
