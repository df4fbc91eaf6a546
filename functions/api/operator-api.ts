import { configurationHistory } from "../../shared/adapters/aws/config/configuration-history.ts";
import { configurationStore } from "../../shared/adapters/aws/config/configuration-store.ts";
import { importJobStore } from "../../shared/adapters/aws/config/import-job-store.ts";
import { sourceStore } from "../../shared/adapters/aws/config/source-store.ts";
import { validationRuleStore } from "../../shared/adapters/aws/config/validation-rule-store.ts";
import { deadLetters } from "../../shared/adapters/aws/dead-letters.ts";
import { archiveStore } from "../../shared/adapters/aws/delivery/archive-store.ts";
import { delinquentStore } from "../../shared/adapters/aws/delivery/delinquent-store.ts";
import { deliveryStore } from "../../shared/adapters/aws/delivery/delivery-store.ts";
import { deliveryUrls } from "../../shared/adapters/aws/delivery/delivery-urls.ts";
import { resendStore } from "../../shared/adapters/aws/delivery/resend-store.ts";
import { sourceRunStore } from "../../shared/adapters/aws/delivery/source-run-store.ts";
import { sourceStatusStore } from "../../shared/adapters/aws/delivery/source-status-store.ts";
import { listVariable, numberVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { eventLog } from "../../shared/adapters/aws/event-log.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { hostPauses } from "../../shared/adapters/aws/gate/host-pauses.ts";
import { hostReader } from "../../shared/adapters/aws/gate/host-reader.ts";
import { networkFlag } from "../../shared/adapters/aws/gate/network-store.ts";
import { robotsStore } from "../../shared/adapters/aws/gate/robots-store.ts";
import { unavailableHosts } from "../../shared/adapters/aws/gate/unavailable-hosts.ts";
import { detectionStore } from "../../shared/adapters/aws/harvest/detection-store.ts";
import { documentStore } from "../../shared/adapters/aws/harvest/document-store.ts";
import { fileUrls } from "../../shared/adapters/aws/harvest/file-urls.ts";
import { heldDeletions } from "../../shared/adapters/aws/harvest/held-deletions.ts";
import { itemStore } from "../../shared/adapters/aws/harvest/item-store.ts";
import { oaiHarvestStore } from "../../shared/adapters/aws/harvest/oai-harvest-store.ts";
import { recordStore } from "../../shared/adapters/aws/harvest/record-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { uploadObjects, uploadStore } from "../../shared/adapters/aws/harvest/upload-store.ts";
import { keyedRequestStore } from "../../shared/adapters/aws/keyed-request-store.ts";
import { leaseStore } from "../../shared/adapters/aws/lease-store.ts";
import { collectionStore } from "../../shared/adapters/aws/links/collection-store.ts";
import { linkHistory } from "../../shared/adapters/aws/links/link-history.ts";
import { linkRecords } from "../../shared/adapters/aws/links/link-records.ts";
import { linkSamples } from "../../shared/adapters/aws/links/link-samples.ts";
import { linkStatistics } from "../../shared/adapters/aws/links/link-statistics.ts";
import { ruleTests } from "../../shared/adapters/aws/links/rule-tests.ts";
import { suppressedCollections } from "../../shared/adapters/aws/links/suppressed-collections.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { sentMailReader } from "../../shared/adapters/aws/sent-mail-reader.ts";
import { createApp, createAppOfParts } from "../../shared/api/create-app.ts";
import { doneOnceByKey } from "../../shared/api/idempotency.ts";
import { operatorParts } from "../../shared/api/operator-parts.ts";
import { askForRoles } from "../../shared/api/role-guard.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { harvestsOf } from "../../shared/harvest/oai/control-harvest.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

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
  sources: sourceStore(),
  runs: runStore(),
  oaiHarvests: oaiHarvestStore(),
  harvests: harvestsOf({ runs: runStore(), oaiHarvests: oaiHarvestStore() }),
  runStarts: messageQueue("runStartsQueue"),
  setRegistrations: messageQueue("setRegistrationsQueue"),
  status: sourceStatusStore(),
  sourceRuns: sourceRunStore(),
  runDeadlineMinutes: numberVariable("runDeadlineMinutes"),
  softDeadlineMinutes: numberVariable("softDeadlineMinutes"),
  hosts: hostReader(),
  hostPauses: hostPauses(),
  pausedHosts: hostPauses().list,
  robots: robotsStore(),
  unavailableHosts: unavailableHosts(),
  suppressedCollections: suppressedCollections(),
  heldDeletions: heldDeletions(),
  network: networkFlag(),
  deadLetters: deadLetters(),
  documents: documentStore(),
  items: itemStore(),
  uploads: uploadStore(),
  uploadObjects: uploadObjects(),
  documentUploads: messageQueue("documentUploadsQueue"),
  fileUrls: { ...fileUrls(), ...deliveryUrls() },
  rules: validationRuleStore(),
  delinquents: delinquentStore(),
};

export const handler = httpHandler(
  createAppOfParts(operatorParts, (subjects) =>
    createApp(askForRoles(doneOnceByKey(subjects, keyed)), ports),
  ),
);
