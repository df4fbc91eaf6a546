import { listVariable, numberVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { eventLog } from "../../shared/adapters/aws/event-log.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { failedMessages } from "../../shared/adapters/aws/failed-messages.ts";
import { leaseStore } from "../../shared/adapters/aws/lease-store.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { messageQueue, requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { sentMailReader } from "../../shared/adapters/aws/sent-mail-reader.ts";
import { hostPauses } from "../../shared/adapters/gate/host-pauses.ts";
import { hostReader } from "../../shared/adapters/gate/host-reader.ts";
import { networkFlag } from "../../shared/adapters/gate/network-store.ts";
import { robotsStore } from "../../shared/adapters/gate/robots-store.ts";
import { unavailableHosts } from "../../shared/adapters/gate/unavailable-hosts.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { configurationHistory } from "../../shared/adapters/records/configuration-history.ts";
import { configurationStore } from "../../shared/adapters/records/configuration-store.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { importJobStore } from "../../shared/adapters/records/import-job-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStatusStore } from "../../shared/adapters/records/source-status-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { createApp, createAppOfParts } from "../../shared/api/create-app.ts";
import { doneOnceByKey } from "../../shared/api/idempotency.ts";
import { keyedRequestStore } from "../../shared/api/keyed-request-store.ts";
import { askForRoles } from "../../shared/api/role-guard.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { deliveryStore } from "../../shared/deliver/stores/delivery-store.ts";
import { deliveryUrls } from "../../shared/deliver/stores/delivery-urls.ts";
import { driftedSources, qualityStore } from "../../shared/deliver/stores/quality-store.ts";
import { recordOrigins } from "../../shared/deliver/stores/record-origins.ts";
import { refusedStore } from "../../shared/deliver/stores/refused-store.ts";
import { resendStore } from "../../shared/deliver/stores/resend-store.ts";
import { sourceRunStore } from "../../shared/deliver/stores/source-run-store.ts";
import { validationRuleStore } from "../../shared/deliver/stores/validation-rule-store.ts";
import { harvestsOf } from "../../shared/harvest/oai/control-harvest.ts";
import { detectionStore } from "../../shared/harvest/stores/detection-store.ts";
import { fileUrls } from "../../shared/harvest/stores/file-urls.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { recipeStore } from "../../shared/harvest/stores/recipe-store.ts";
import { recipeTrialStore } from "../../shared/harvest/stores/recipe-trial-store.ts";
import { repositoryCheckStore } from "../../shared/harvest/stores/repository-check-store.ts";
import { heldDeletions } from "../../shared/harvest/stores/undecided-sources.ts";
import { uploadObjects, uploadStore } from "../../shared/harvest/stores/upload-store.ts";
import { busyHostStore } from "../../shared/links/stores/busy-hosts.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { linkHistory } from "../../shared/links/stores/link-history.ts";
import { linkRecords } from "../../shared/links/stores/link-records.ts";
import { linkSamples } from "../../shared/links/stores/link-samples.ts";
import { linkStatistics } from "../../shared/links/stores/link-statistics.ts";
import { ruleTests } from "../../shared/links/stores/rule-tests.ts";
import { suppressedCollections } from "../../shared/links/stores/suppressed-collections.ts";
import { operatorParts } from "../../shared/operations/routes/operator-parts.ts";
import { deadLetters } from "../../shared/operations/stores/dead-letters.ts";
import { requeue } from "../../shared/operations/stores/requeue.ts";
import { httpHandler } from "../../shared/runtime/http.ts";
import type { InboundResponse } from "../../shared/web/request/response.ts";

const keyed = { keyedRequests: keyedRequestStore(), clock: systemClock };
const ports = {
  deliveries: deliveryStore(),
  resends: resendStore(),
  resendQueue: messageQueue("resendsQueue"),
  configuration: configurationStore(),
  configurationHistory: configurationHistory(),
  imports: importJobStore(),
  importsQueue: messageQueue("importsQueue"),
  leases: leaseStore(),
  collections: collectionStore(),
  links: linkRecords(),
  history: linkHistory(),
  statistics: linkStatistics(),
  samples: linkSamples(),
  ruleTests: ruleTests(),
  detections: detectionStore(),
  recipes: recipeStore(),
  recipeTrials: recipeTrialStore(),
  trialPages: messageQueue<InboundResponse>("detectionResponsesQueue"),
  repositoryChecks: repositoryCheckStore(),
  requests: requestsQueue(),
  events: events(),
  eventLog: eventLog(),
  mailer: mailer(),
  sentMails: sentMailReader(),
  recipients: listVariable("mailTo"),
  consoleUrl: `${variable("apiUrl")}/console`,
  clock: systemClock,
  timeZone: variable("timeZone"),
  newId: () => crypto.randomUUID(),
  archive: archiveStore(),
  records: recordStore(),
  recordOrigins: recordOrigins(),
  sources: sourceStore(),
  runs: runStore(),
  oaiHarvests: oaiHarvestStore(),
  harvests: harvestsOf({ runs: runStore(), oaiHarvests: oaiHarvestStore() }),
  runStarts: messageQueue("runStartsQueue"),
  delivery: stageQueue("validateQueue"),
  setRegistrations: messageQueue("setRegistrationsQueue"),
  documentDeletions: messageQueue("documentDeletionsQueue"),
  status: sourceStatusStore(),
  sourceRuns: sourceRunStore(),
  quality: qualityStore(),
  driftedSources: driftedSources(),
  runDeadlineMinutes: numberVariable("runDeadlineMinutes"),
  softDeadlineMinutes: numberVariable("softDeadlineMinutes"),
  hosts: hostReader(),
  hostPauses: hostPauses(),
  pausedHosts: hostPauses().list,
  robots: robotsStore(),
  unavailableHosts: unavailableHosts(),
  busyHosts: busyHostStore(),
  suppressedCollections: suppressedCollections(),
  heldDeletions: heldDeletions(),
  network: networkFlag(),
  deadLetters: deadLetters(),
  failedMessages: failedMessages(),
  requeue,
  documents: documentStore(),
  items: itemStore(),
  uploads: uploadStore(),
  uploadObjects: uploadObjects(),
  documentUploads: messageQueue("documentUploadsQueue"),
  fileUrls: { ...fileUrls(), ...deliveryUrls() },
  rules: validationRuleStore(),
  refusedRecords: refusedStore(),
};

export const handler = httpHandler(
  createAppOfParts(operatorParts, (subjects) =>
    createApp(askForRoles(doneOnceByKey(subjects, keyed)), ports),
  ),
);
