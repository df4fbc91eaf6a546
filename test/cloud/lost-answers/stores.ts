import { checkStore } from "../../../shared/adapters/aws/check-set/check-store.ts";
import { configurationStore } from "../../../shared/adapters/aws/config/configuration-store.ts";
import { importJobStore } from "../../../shared/adapters/aws/config/import-job-store.ts";
import { validationRuleStore } from "../../../shared/adapters/aws/config/validation-rule-store.ts";
import { archiveStore } from "../../../shared/adapters/aws/delivery/archive-store.ts";
import { delinquentStore } from "../../../shared/adapters/aws/delivery/delinquent-store.ts";
import { deliveryStore } from "../../../shared/adapters/aws/delivery/delivery-store.ts";
import { resendStore } from "../../../shared/adapters/aws/delivery/resend-store.ts";
import { sourceRunStore } from "../../../shared/adapters/aws/delivery/source-run-store.ts";
import { sourceStatusStore } from "../../../shared/adapters/aws/delivery/source-status-store.ts";
import { events } from "../../../shared/adapters/aws/events.ts";
import { bodyStore } from "../../../shared/adapters/aws/gate/body-store.ts";
import { hostPauses } from "../../../shared/adapters/aws/gate/host-pauses.ts";
import { hostShares } from "../../../shared/adapters/aws/gate/host-shares.ts";
import { hostStore } from "../../../shared/adapters/aws/gate/host-store.ts";
import { networkFlag } from "../../../shared/adapters/aws/gate/network-store.ts";
import { robotsStore } from "../../../shared/adapters/aws/gate/robots-store.ts";
import { statisticsStore } from "../../../shared/adapters/aws/gate/statistics-store.ts";
import { validatorStore } from "../../../shared/adapters/aws/gate/validator-store.ts";
import { authorityStore } from "../../../shared/adapters/aws/harvest/authority-store.ts";
import { deadlines } from "../../../shared/adapters/aws/harvest/deadlines.ts";
import { detectionStore } from "../../../shared/adapters/aws/harvest/detection-store.ts";
import { documentStore } from "../../../shared/adapters/aws/harvest/document-store.ts";
import { fileStore } from "../../../shared/adapters/aws/harvest/file-store.ts";
import { itemStore } from "../../../shared/adapters/aws/harvest/item-store.ts";
import { oaiHarvestStore } from "../../../shared/adapters/aws/harvest/oai-harvest-store.ts";
import { receivedMail } from "../../../shared/adapters/aws/harvest/received-mail.ts";
import { recordStore } from "../../../shared/adapters/aws/harvest/record-store.ts";
import { runStore } from "../../../shared/adapters/aws/harvest/run-store.ts";
import {
  uploadedFiles,
  uploadObjects,
  uploadStore,
} from "../../../shared/adapters/aws/harvest/upload-store.ts";
import { waitingArticles } from "../../../shared/adapters/aws/harvest/waiting-articles.ts";
import { keyedRequestStore } from "../../../shared/adapters/aws/keyed-request-store.ts";
import { leaseStore } from "../../../shared/adapters/aws/lease-store.ts";
import { collectionStore } from "../../../shared/adapters/aws/links/collection-store.ts";
import { linkHistory } from "../../../shared/adapters/aws/links/link-history.ts";
import { linkRecords } from "../../../shared/adapters/aws/links/link-records.ts";
import { linkSamples } from "../../../shared/adapters/aws/links/link-samples.ts";
import { linkStatistics } from "../../../shared/adapters/aws/links/link-statistics.ts";
import { rechecks } from "../../../shared/adapters/aws/links/rechecks.ts";
import { ruleTests } from "../../../shared/adapters/aws/links/rule-tests.ts";
import { sweepStore } from "../../../shared/adapters/aws/links/sweep-store.ts";
import { mailer } from "../../../shared/adapters/aws/mailer.ts";
import { gateQueues, messageQueue, requestsQueue } from "../../../shared/adapters/aws/queues.ts";
import { sentMails } from "../../../shared/adapters/aws/sent-mails.ts";
import { capturedUrls } from "../../../shared/adapters/aws/snapshots/captured-urls.ts";
import { indexBuildFiles } from "../../../shared/adapters/aws/snapshots/index-build-files.ts";
import { indexBuilds } from "../../../shared/adapters/aws/snapshots/index-builds.ts";
import { capturePackages, jobFiles } from "../../../shared/adapters/aws/snapshots/snapshot-files.ts";
import { snapshotStore } from "../../../shared/adapters/aws/snapshots/snapshot-store.ts";

/** Every adapter that writes, by the file that holds it. Load this module when the cloud has started. */
export const openStores = () => ({
  "check-set/check-store": checkStore(),
  "snapshots/snapshot-store": snapshotStore(),
  "snapshots/captured-urls": capturedUrls(),
  "snapshots/snapshot-files": {
    ...jobFiles(),
    writePackage: capturePackages().packages.write,
    hasPackage: capturePackages().packages.has,
    writeElsewhere: capturePackages().packages.writeElsewhere,
    elsewhere: capturePackages().packages.elsewhere,
  },
  "config/configuration-store": configurationStore(),
  "config/import-job-store": importJobStore(),
  "config/validation-rule-store": validationRuleStore(),
  "delivery/archive-store": archiveStore(),
  "delivery/delinquent-store": delinquentStore(),
  "delivery/delivery-store": deliveryStore(),
  "delivery/resend-store": resendStore(),
  "delivery/source-run-store": sourceRunStore(),
  "delivery/source-status-store": sourceStatusStore(),
  "gate/body-store": bodyStore(),
  "gate/host-pauses": hostPauses(),
  "gate/host-shares": hostShares(),
  "gate/host-store": hostStore(),
  "gate/network-store": networkFlag(),
  "gate/robots-store": robotsStore(),
  "gate/statistics-store": statisticsStore(),
  "gate/validator-store": validatorStore(),
  "harvest/authority-store": authorityStore(),
  "harvest/deadlines": deadlines(),
  "harvest/detection-store": detectionStore(),
  "harvest/document-store": documentStore(),
  "harvest/file-store": fileStore(),
  "harvest/item-store": itemStore(),
  "harvest/oai-harvest-store": oaiHarvestStore(),
  "harvest/received-mail": receivedMail(),
  "harvest/record-store": recordStore(),
  "harvest/run-store": runStore(),
  "harvest/upload-store": { ...uploadStore(), ...uploadObjects(), ...uploadedFiles() },
  "harvest/waiting-articles": waitingArticles(),
  "links/collection-store": collectionStore(),
  "links/link-history": linkHistory(),
  "links/link-records": linkRecords(),
  "links/link-samples": linkSamples(),
  "links/link-statistics": linkStatistics(),
  "links/rechecks": rechecks(),
  "links/rule-tests": ruleTests(),
  "links/sweep-store": sweepStore(),
  events: events(),
  "keyed-request-store": keyedRequestStore(),
  "lease-store": leaseStore(),
  mailer: mailer(),
  queues: {
    requests: requestsQueue().send,
    message: messageQueue<object>("validateQueue").send,
    deadLetter: gateQueues().deadLetter,
  },
  "sent-mails": sentMails({ areSent: true }),
  "snapshots/index-build-files": indexBuildFiles(),
  "snapshots/index-builds": indexBuilds(),
});

export type AllStores = ReturnType<typeof openStores>;

/** Their methods that do not write. */
export const reads: Partial<Record<keyof AllStores, string[]>> = {
  "check-set/check-store": ["get", "latest"],
  "config/configuration-store": ["item", "page", "items", "latestVersion"],
  "config/import-job-store": ["get", "input"],
  "config/validation-rule-store": ["rules", "page", "get"],
  "delivery/archive-store": ["knownReasons", "entry", "claimOf", "byTitle"],
  "delivery/delinquent-store": [
    "listedSince",
    "releasedPages",
    "listBySource",
    "reasons",
    "queue",
    "get",
    "findings",
  ],
  "delivery/delivery-store": ["readFile", "transfer", "get", "list"],
  "delivery/resend-store": ["get"],
  "gate/host-pauses": ["list"],
  "delivery/source-run-store": ["latest"],
  "delivery/source-status-store": ["statuses", "recentRuns"],
  "gate/body-store": ["load"],
  "gate/host-shares": ["admittedAtMs"],
  "gate/host-store": ["load"],
  "gate/network-store": ["get"],
  "gate/robots-store": ["load"],
  "gate/validator-store": ["recall", "recallAll"],
  "harvest/authority-store": ["cached"],
  "harvest/detection-store": ["get"],
  "harvest/document-store": ["getMany", "loadContent", "list", "listByChange", "listPending"],
  "harvest/file-store": ["head"],
  "harvest/item-store": ["get", "list", "listPending"],
  "harvest/oai-harvest-store": ["get"],
  "harvest/received-mail": ["unread", "message", "readSince"],
  "harvest/record-store": ["loadMarc", "get", "versions"],
  "harvest/run-store": [
    "get",
    "listUnfinished",
    "listLatest",
    "openIds",
    "listingResult",
    "sourceOutcomes",
    "sourceOutcome",
    "outcomeBatches",
    "outcomesOfSource",
    "listLongHarvests",
    "undeliveredBatches",
    "loadHarvestBatch",
    "stageResult",
    "loadPart",
  ],
  "harvest/upload-store": ["get", "loadDocuments", "file", "downloaded", "loadListing", "loadOutcomes"],
  "harvest/waiting-articles": ["waitingFor"],
  "links/collection-store": [
    "get",
    "all",
    "page",
    "many",
    "status",
    "linkStatus",
    "linkStatuses",
    "linkStatusesOf",
  ],
  "links/link-history": ["latest"],
  "links/link-records": ["get", "oldest", "newest", "listInIdOrder", "list", "listByState", "overduePages"],
  "links/link-samples": ["between", "cursor", "overall"],
  "links/link-statistics": ["ofDay", "ofCollection"],
  "links/sweep-store": ["get"],
  "links/rule-tests": ["get"],
  "snapshots/snapshot-store": ["definition", "definitions", "earlierEvents", "job", "jobs"],
  "snapshots/captured-urls": ["get", "hasWanted", "pages"],
  "snapshots/snapshot-files": ["part", "has", "hasPackage", "elsewhere"],
  "lease-store": ["leasedKeys"],
  "sent-mails": ["recipients"],
  "snapshots/index-build-files": ["filesOf"],
  "snapshots/index-builds": ["get"],
};
