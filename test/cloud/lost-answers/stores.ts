import { events } from "../../../shared/adapters/aws/events.ts";
import { failedMessages } from "../../../shared/adapters/aws/failed-messages.ts";
import { leaseStore } from "../../../shared/adapters/aws/lease-store.ts";
import { mailer } from "../../../shared/adapters/aws/mailer.ts";
import { gateQueues, messageQueue, requestsQueue } from "../../../shared/adapters/aws/queues.ts";
import { sentMails } from "../../../shared/adapters/aws/sent-mails.ts";
import { bodyStore } from "../../../shared/adapters/gate/body-store.ts";
import { hostPauses } from "../../../shared/adapters/gate/host-pauses.ts";
import { hostShares } from "../../../shared/adapters/gate/host-shares.ts";
import { hostStore } from "../../../shared/adapters/gate/host-store.ts";
import { networkFlag } from "../../../shared/adapters/gate/network-store.ts";
import { robotsStore } from "../../../shared/adapters/gate/robots-store.ts";
import { statisticsStore } from "../../../shared/adapters/gate/statistics-store.ts";
import { validatorStore } from "../../../shared/adapters/gate/validator-store.ts";
import { archiveStore } from "../../../shared/adapters/records/archive-store.ts";
import { configurationStore } from "../../../shared/adapters/records/configuration-store.ts";
import { deadlines } from "../../../shared/adapters/records/deadlines.ts";
import { documentStore } from "../../../shared/adapters/records/document-store.ts";
import { importJobStore } from "../../../shared/adapters/records/import-job-store.ts";
import { recordStore } from "../../../shared/adapters/records/record-store.ts";
import { runStore } from "../../../shared/adapters/records/run-store.ts";
import { sourceStatusStore } from "../../../shared/adapters/records/source-status-store.ts";
import { keyedRequestStore } from "../../../shared/api/keyed-request-store.ts";
import { checkStore } from "../../../shared/check-set/stores/check-store.ts";
import { deliveryStore } from "../../../shared/deliver/stores/delivery-store.ts";
import { qualityStore } from "../../../shared/deliver/stores/quality-store.ts";
import { refusedStore } from "../../../shared/deliver/stores/refused-store.ts";
import { resendStore } from "../../../shared/deliver/stores/resend-store.ts";
import { sourceRunStore } from "../../../shared/deliver/stores/source-run-store.ts";
import { validationRuleStore } from "../../../shared/deliver/stores/validation-rule-store.ts";
import { detectionStore } from "../../../shared/harvest/stores/detection-store.ts";
import { fileStore } from "../../../shared/harvest/stores/file-store.ts";
import { itemStore } from "../../../shared/harvest/stores/item-store.ts";
import { lookupStore } from "../../../shared/harvest/stores/lookup-store.ts";
import { oaiHarvestStore } from "../../../shared/harvest/stores/oai-harvest-store.ts";
import { receivedMail } from "../../../shared/harvest/stores/received-mail.ts";
import { recipeStore } from "../../../shared/harvest/stores/recipe-store.ts";
import { recipeTrialStore } from "../../../shared/harvest/stores/recipe-trial-store.ts";
import { repositoryCheckStore } from "../../../shared/harvest/stores/repository-check-store.ts";
import { uploadedFiles, uploadObjects, uploadStore } from "../../../shared/harvest/stores/upload-store.ts";
import { waitingArticles } from "../../../shared/harvest/stores/waiting-articles.ts";
import { busyHostStore } from "../../../shared/links/stores/busy-hosts.ts";
import { collectionStore } from "../../../shared/links/stores/collection-store.ts";
import { linkHistory } from "../../../shared/links/stores/link-history.ts";
import { linkRecords } from "../../../shared/links/stores/link-records.ts";
import { linkSamples } from "../../../shared/links/stores/link-samples.ts";
import { linkStatistics } from "../../../shared/links/stores/link-statistics.ts";
import { rechecks } from "../../../shared/links/stores/rechecks.ts";
import { ruleTests } from "../../../shared/links/stores/rule-tests.ts";
import { sweepStore } from "../../../shared/links/stores/sweep-store.ts";
import { capturedUrls } from "../../../shared/snapshots/stores/captured-urls.ts";
import { indexBuildFiles } from "../../../shared/snapshots/stores/index-build-files.ts";
import { indexBuilds } from "../../../shared/snapshots/stores/index-builds.ts";
import { capturePackages, jobFiles } from "../../../shared/snapshots/stores/snapshot-files.ts";
import { snapshotStore } from "../../../shared/snapshots/stores/snapshot-store.ts";

/** Every adapter that writes, by the file that holds it. Load this module when the cloud has started. */
export const openStores = () => ({
  "check-store": checkStore(),
  "snapshot-store": snapshotStore(),
  "captured-urls": capturedUrls(),
  "snapshot-files": {
    ...jobFiles(),
    writePackage: capturePackages().packages.write,
    hasPackage: capturePackages().packages.has,
    writeElsewhere: capturePackages().packages.writeElsewhere,
    elsewhere: capturePackages().packages.elsewhere,
  },
  "configuration-store": configurationStore(),
  "import-job-store": importJobStore(),
  "validation-rule-store": validationRuleStore(),
  "recipe-store": recipeStore(),
  "archive-store": archiveStore(),
  "refused-store": refusedStore(),
  "delivery-store": deliveryStore(),
  "resend-store": resendStore(),
  "quality-store": qualityStore(),
  "source-run-store": sourceRunStore(),
  "source-status-store": sourceStatusStore(),
  "body-store": bodyStore(),
  "host-pauses": hostPauses(),
  "host-shares": hostShares(),
  "host-store": hostStore(),
  "network-store": networkFlag(),
  "robots-store": robotsStore(),
  "statistics-store": statisticsStore(),
  "validator-store": validatorStore(),
  "lookup-store": lookupStore(),
  deadlines: deadlines(),
  "detection-store": detectionStore(),
  "recipe-trial-store": recipeTrialStore(),
  "repository-check-store": repositoryCheckStore(),
  "document-store": documentStore(),
  "file-store": fileStore(),
  "item-store": itemStore(),
  "oai-harvest-store": oaiHarvestStore(),
  "received-mail": receivedMail(),
  "record-store": recordStore(),
  "run-store": runStore(),
  "upload-store": { ...uploadStore(), ...uploadObjects(), ...uploadedFiles() },
  "waiting-articles": waitingArticles(),
  "collection-store": collectionStore(),
  "link-history": linkHistory(),
  "link-records": linkRecords(),
  "link-samples": linkSamples(),
  "link-statistics": linkStatistics(),
  rechecks: rechecks(),
  "rule-tests": ruleTests(),
  "sweep-store": sweepStore(),
  "busy-hosts": busyHostStore(),
  events: events(),
  "keyed-request-store": keyedRequestStore(),
  "lease-store": leaseStore(),
  mailer: mailer(),
  queues: {
    requests: requestsQueue().send,
    message: messageQueue<object>("validateQueue").send,
    deadLetter: gateQueues().deadLetter,
  },
  "failed-messages": failedMessages(),
  "sent-mails": sentMails({ areSent: true }),
  "index-build-files": indexBuildFiles(),
  "index-builds": indexBuilds(),
});

export type AllStores = ReturnType<typeof openStores>;

/** Their methods that do not write. */
export const reads: Partial<Record<keyof AllStores, string[]>> = {
  "check-store": ["get", "latest"],
  "configuration-store": ["item", "page", "items", "latestVersion"],
  "import-job-store": ["get", "input"],
  "validation-rule-store": ["rules", "page", "get"],
  "recipe-store": ["list", "stored", "get"],
  "archive-store": ["knownReasons", "entry", "claimOf", "byTitle"],
  "refused-store": ["listedSince", "releasedPages", "listBySource", "reasons", "queue", "get", "findings"],
  "delivery-store": ["readFile", "transfer", "get", "list"],
  "resend-store": ["get"],
  "host-pauses": ["list"],
  "quality-store": ["latest", "drifts"],
  "source-run-store": ["latest"],
  "source-status-store": ["statuses", "recentRuns"],
  "body-store": ["load"],
  "host-shares": ["admittedAtMs"],
  "host-store": ["load"],
  "network-store": ["get"],
  "robots-store": ["load"],
  "validator-store": ["recall", "recallAll"],
  "lookup-store": ["cached"],
  "detection-store": ["get"],
  "recipe-trial-store": ["get"],
  "repository-check-store": ["get"],
  "document-store": ["getMany", "countPresent", "loadContent", "list", "listByChange", "listPending"],
  "file-store": ["head"],
  "item-store": ["get", "list", "listPending", "listMissing", "countMissing"],
  "oai-harvest-store": ["get"],
  "received-mail": ["unread", "message", "readSince"],
  "record-store": ["loadMarc", "get", "versions"],
  "run-store": [
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
  "upload-store": ["get", "loadDocuments", "file", "downloaded", "loadListing", "loadOutcomes"],
  "waiting-articles": ["waitingFor"],
  "collection-store": [
    "get",
    "all",
    "page",
    "many",
    "status",
    "linkStatus",
    "linkStatuses",
    "linkStatusesOf",
  ],
  "link-history": ["latest"],
  "link-records": ["get", "oldest", "newest", "listInIdOrder", "list", "listByState", "overduePages"],
  "link-samples": ["between", "cursor", "overall"],
  "link-statistics": ["ofDay", "ofCollection"],
  "sweep-store": ["get", "latest"],
  "busy-hosts": ["latest"],
  "rule-tests": ["get"],
  "snapshot-store": ["definition", "definitions", "earlierEvents", "job", "jobs"],
  "captured-urls": ["get", "hasWanted", "pages"],
  "snapshot-files": ["part", "has", "hasPackage", "elsewhere"],
  "lease-store": ["leasedKeys"],
  "failed-messages": ["get", "list"],
  "sent-mails": ["recipients"],
  "index-build-files": ["filesOf"],
  "index-builds": ["get"],
};
