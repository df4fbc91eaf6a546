import { kindPolicy, type kinds, type RequestKind, requestKinds } from "./web/request/kinds.ts";

/**
 * The names that the templates and the code share. Whoever renames something renames it here.
 */

/**
 * What all names of a deployment begin with, so that several fit into an account: the setting `ingather:prefix`.
 * Templates and functions have it in their environment.
 */
export const prefix = process.env.INGATHER_PREFIX ?? "ingather";

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

function camelCase<Text extends string>(text: Text): CamelCase<Text> {
  return text.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Text>;
}

type ResponsesName<Kind extends string> = `${CamelCase<Kind>}Responses`;

/** The key, in `queueNames`, of the queue of a kind's responses. */
export function responsesName(kind: RequestKind): ResponsesName<RequestKind> {
  return `${camelCase(kind)}Responses`;
}

/** The key, in `variables`, of the URL of that queue. */
export function responsesVariable(kind: RequestKind): `${ResponsesName<RequestKind>}Queue` {
  return `${responsesName(kind)}Queue`;
}

/** The queues of the kinds of requests. */
export const responseQueueNames = Object.fromEntries(
  requestKinds.map((kind) => [responsesName(kind), `${prefix}-${kind}-responses`]),
) as Record<ResponsesName<RequestKind>, string>;

const responseQueueVariables = Object.fromEntries(
  requestKinds.map((kind) => [
    responsesVariable(kind),
    `${kind.toUpperCase().replaceAll("-", "_")}_RESPONSES_QUEUE_URL`,
  ]),
) as Record<`${ResponsesName<RequestKind>}Queue`, string>;

/** The name under which a file of `functions/` is deployed. */
export function deployedName(file: string): string {
  return `${prefix}-${file}`;
}

export type ReaderName = CamelCase<(typeof kinds)[RequestKind]["reader"]["file"]>;

/** The functions that read the responses of the kinds. */
const readerNames = Object.fromEntries(
  requestKinds.map((kind) => {
    const { file } = kindPolicy(kind).reader;
    return [camelCase(file), deployedName(file)];
  }),
) as Record<ReaderName, string>;

export const stackNames = {
  storage: `${prefix}-storage`,
  mail: `${prefix}-mail`,
  requests: `${prefix}-requests`,
  delivery: `${prefix}-delivery`,
  harvest: `${prefix}-harvest`,
  documents: `${prefix}-documents`,
  links: `${prefix}-links`,
  checkSet: `${prefix}-check-set`,
  snapshots: `${prefix}-snapshots`,
  api: `${prefix}-api`,
  monitoring: `${prefix}-monitoring`,
} as const;

export const tableNames = {
  configuration: `${prefix}-configuration`,
  sourceStatus: `${prefix}-source-status`,
  sourceRuns: `${prefix}-source-runs`,
  sourceQuality: `${prefix}-source-quality`,
  hosts: `${prefix}-hosts`,
  hostStatistics: `${prefix}-host-statistics`,
  hostShares: `${prefix}-host-shares`,
  validators: `${prefix}-validators`,
  flags: `${prefix}-flags`,
  runs: `${prefix}-runs`,
  records: `${prefix}-records`,
  documents: `${prefix}-documents`,
  items: `${prefix}-items`,
  documentUploads: `${prefix}-document-uploads`,
  authorities: `${prefix}-authorities`,
  archive: `${prefix}-archive`,
  deliveries: `${prefix}-deliveries`,
  readMail: `${prefix}-read-mail`,
  collections: `${prefix}-collections`,
  linkSweeps: `${prefix}-link-sweeps`,
  linkChecks: `${prefix}-link-checks`,
  linkSamples: `${prefix}-link-samples`,
  linkStatistics: `${prefix}-link-statistics`,
  ruleTests: `${prefix}-rule-tests`,
  detections: `${prefix}-detections`,
  setChecks: `${prefix}-set-checks`,
  snapshots: `${prefix}-snapshots`,
  capturedUrls: `${prefix}-captured-urls`,
  indexBuilds: `${prefix}-index-builds`,
  /** Refused records, under the name that the first version gave to their table. */
  delinquentRecords: `${prefix}-delinquent-records`,
  sentMails: `${prefix}-sent-mails`,
  leases: `${prefix}-leases`,
  keyedRequests: `${prefix}-keyed-requests`,
  failedMessages: `${prefix}-failed-messages`,
} as const;

/** The attribute of an item that names the last conditional write of it. */
export const writeIdName = "writeId";

/**
 * The index of `records` that lists the records of a collection by syndication date. Its key `listedIn` is the
 * collection's id, and absent from deleted records: so they take no reads.
 */
export const recordsBySyndicationIndex = "by-syndication";

/** Finds the URLs of a job that are still wanted. */
export const capturedUrlsByWantedIndex = "by-wanted";

/** The index of `records` that lists the records of a collection by id, which is a digest: at random. */
export const recordsByDigestIndex = "by-digest";

/**
 * The index of `records` that lists those whose links are suppressed or deleted (`linkState`): suppressed ones by the
 * time of their next attempt, deleted ones by that of their deletion (`linkStateAt`).
 */
export const recordsByLinkStateIndex = "by-link-state";

/**
 * The indexes of `records` that list those with an origin that is not plain, newest first: whose article was retracted or
 * corrected (`noticeKind`); whose witnesses disagree, by source (`disagreesIn`); with a field that was not taken from the
 * page, by source (`witnessedIn`). The keys are absent from the others.
 */
export const recordsByNoticeIndex = "by-notice";
export const recordsByDisagreementIndex = "by-disagreement";
export const recordsByWitnessIndex = "by-witness";

/** The index of `hosts` that lists those that are not requested for now (`listedAs`), by the end of that. */
export const hostsByAvailabilityIndex = "by-availability";
export const sourcesByHeldDeletionsIndex = "by-held-deletions";

/** The index of `source-quality` that lists the sources with open drifts. */
export const qualityByDriftIndex = "by-drift";

/** The index of `archive` that lists the entries by title. */
export const archiveByTitleIndex = "by-title";

/** The index of `sent-mails` that lists all mails by the time they were sent. */
export const mailsByTimeIndex = "by-time";

/** The index of `collections` that lists those that searches do not show, by who suppresses them (`suppressedBy`). */
export const collectionsBySuppressionIndex = "by-suppression";

/** Clocks of the deployment's time zone show this hour when the daily runs start. */
export const dailyRunHour = 20;

/** The index of `documents` that lists the documents of a source by the time of their last change. */
export const documentsByChangeIndex = "by-change";

/**
 * The index of `documents` and of `items` that lists those with pending effects, such as unpublished events. Its keys
 * `pendingIn` and `pendingSince` are absent from the others.
 */
export const documentsByPendingIndex = "by-pending";

/**
 * The index of `delinquent-records` that lists those of a delivery mode that wait, by reason, source and id
 * (`queueKey`).
 */
export const refusedByReasonIndex = "by-reason";

/** The index of `delinquent-records` that lists those of a delivery mode that are released. */
export const refusedByReleaseIndex = "by-release";

/** The index of `runs` that lists the runs of a delivery mode by the time they started. */
export const runsByStartIndex = "by-start";

export const queueNames = {
  requests: `${prefix}-requests.fifo`,
  /** Requests for readers, which wait until their host is idle. */
  idleRequests: `${prefix}-idle-requests.fifo`,
  ...responseQueueNames,
  runStarts: `${prefix}-run-starts`,
  mailReadings: `${prefix}-mail-readings`,
  validate: `${prefix}-validate`,
  upload: `${prefix}-upload`,
  archive: `${prefix}-archive`,
  overdue: `${prefix}-overdue`,
  reports: `${prefix}-reports`,
  resends: `${prefix}-resends`,
  setRegistrations: `${prefix}-set-registrations`,
  indexRequests: `${prefix}-index-requests`,
  indexParts: `${prefix}-index-parts`,
  indexAnswers: `${prefix}-index-answers`,
  captureJobs: `${prefix}-capture-jobs`,
  capturedJobs: `${prefix}-captured-jobs`,
  capturePackages: `${prefix}-capture-packages`,
  sourceEvents: `${prefix}-source-events`,
  documentUploads: `${prefix}-document-uploads`,
  documentDeletions: `${prefix}-document-deletions`,
  imports: `${prefix}-imports`,
  /**
   * Requests that the gate cannot make: malformed, or failed too often on our side; and checks whose host was never
   * idle.
   */
  rejectedRequests: `${prefix}-rejected-requests-dead.fifo`,
  /** What schedules could not deliver. */
  scheduleDeadLetters: `${prefix}-schedules-dead`,
} as const;

/** One of the queues that requests are divided among by their hosts, or its URL or ARN, by that of the first. */
export function requestQueue(first: string, number: number): string {
  return number === 0 ? first : first.replace(/\.fifo$/, `-${number}.fifo`);
}

/** The dead-letter queue of a queue. A FIFO queue's is FIFO too. */
export function deadLetterQueueName(queueName: string): string {
  return queueName.endsWith(".fifo") ? queueName.replace(/\.fifo$/, "-dead.fifo") : `${queueName}-dead`;
}

/** What the names of all dead-letter queues match, in a policy. */
export const deadLetterQueuePattern = `${prefix}-*-dead*`;

/** What the names of all queues match, in a policy. */
export const allQueuesPattern = `${prefix}-*`;

/** The queues to which code or schedules send what has failed: they are dead-letter queues themselves. */
const ownDeadLetters: string[] = [queueNames.rejectedRequests, queueNames.scheduleDeadLetters];

/** The dead-letter queue of each queue. That of the idle requests is the queue of rejected ones. */
export function deadLetterQueues(): { queue: string; deadLetterQueue: string }[] {
  return Object.values(queueNames)
    .filter((queue) => queue !== queueNames.idleRequests)
    .map((queue) => ({
      queue,
      deadLetterQueue: ownDeadLetters.includes(queue) ? queue : deadLetterQueueName(queue),
    }));
}

/** Buckets share one name space with the whole world: account and region make them ours. */
export const bucketNames = {
  receivedMail: bucketName("received-mail"),
  responses: bucketName("responses"),
  records: bucketName("records"),
  deliveries: bucketName("deliveries"),
  files: bucketName("files"),
  documentUploads: bucketName("document-uploads"),
  snapshots: bucketName("snapshots"),
} as const;

function bucketName(holds: string) {
  return (account: string, region: string) => `${prefix}-${holds}-${account}-${region}`;
}

export const functionNames = {
  sendRequests: deployedName("send-requests"),
  admitRequests: deployedName("admit-requests"),
  probeNetwork: deployedName("probe-network"),
  startHarvest: deployedName("start-harvest"),
  pollSources: deployedName("poll-sources"),
  publishChanges: deployedName("publish-changes"),
  changeSource: deployedName("change-source"),
  readUpload: deployedName("read-upload"),
  deleteDocuments: deployedName("delete-documents"),
  importConfiguration: deployedName("import-configuration"),
  ...readerNames,
  readMail: deployedName("read-mail"),
  validateRecords: deployedName("validate-records"),
  uploadRecords: deployedName("upload-records"),
  archiveRecords: deployedName("archive-records"),
  findOverdue: deployedName("find-overdue"),
  sendReport: deployedName("send-report"),
  resendFile: deployedName("resend-file"),
  sweepCollections: deployedName("sweep-collections"),
  sampleLinks: deployedName("sample-links"),
  reportLinks: deployedName("report-links"),
  publicApi: deployedName("public-api"),
  operatorApi: deployedName("operator-api"),
  describeApi: deployedName("describe-api"),
  console: deployedName("console"),
  checkSet: deployedName("check-set"),
  registerSet: deployedName("register-set"),
  snapshotsApi: deployedName("snapshots-api"),
  beginCapture: deployedName("begin-capture"),
  finishCapture: deployedName("finish-capture"),
  packCapture: deployedName("pack-capture"),
  generateJobs: deployedName("generate-jobs"),
  planIndex: deployedName("plan-index"),
  buildIndexPart: deployedName("build-index-part"),
  recordIndex: deployedName("record-index"),
} as const;

export const scheduleNames = {
  group: prefix,
  dailyLive: `${prefix}-daily-live`,
  dailyTest: `${prefix}-daily-test`,
  pollSources: `${prefix}-poll-sources`,
  probeNetwork: `${prefix}-probe-network`,
  publishChanges: `${prefix}-publish-changes`,
  /** The one-time schedules of further checks. */
  recheckGroup: `${prefix}-rechecks`,
  sweepCollections: `${prefix}-sweep-collections`,
  generateJobs: `${prefix}-generate-jobs`,
  sampleLinks: `${prefix}-sample-links`,
  reportLinks: `${prefix}-report-links`,
} as const;

/** The rules by which received mails reach their bucket; one set of an account is active at a time. */
export const receiptRuleSetName = prefix;

/** What SES does with our mails: it tells bounces and complaints. */
export const mailConfigurationSetName = prefix;

export const eventBusName = prefix;

/** The log group of all events. EventBridge writes only to groups under `/aws/events/`. */
export const eventLogName = `/aws/events/${prefix}`;

/** Where alarms go; operators subscribe to it. */
export const alarmTopicName = `${prefix}-alarms`;

/** Messages in logs that raise an alarm: a filter of the log counts them. */
export const loggedFaults = {
  nothingDelivered: "nothing was delivered although sources were due",
  messageFailed: "the message is quarantined",
} as const;

/** The source of the events on the bus. */
export const eventSource = "ingather";

/** The environment variables of the functions. A grant sets the variable of what it permits. */
export const variables = {
  prefix: "INGATHER_PREFIX",
  eventLog: "EVENT_LOG",
  configurationTable: "CONFIGURATION_TABLE",
  sourceStatusTable: "SOURCE_STATUS_TABLE",
  sourceRunsTable: "SOURCE_RUNS_TABLE",
  sourceQualityTable: "SOURCE_QUALITY_TABLE",
  hostsTable: "HOSTS_TABLE",
  hostStatisticsTable: "HOST_STATISTICS_TABLE",
  hostSharesTable: "HOST_SHARES_TABLE",
  validatorsTable: "VALIDATORS_TABLE",
  flagsTable: "FLAGS_TABLE",
  runsTable: "RUNS_TABLE",
  recordsTable: "RECORDS_TABLE",
  documentsTable: "DOCUMENTS_TABLE",
  itemsTable: "ITEMS_TABLE",
  documentUploadsTable: "DOCUMENT_UPLOADS_TABLE",
  authoritiesTable: "AUTHORITIES_TABLE",
  archiveTable: "ARCHIVE_TABLE",
  readMailTable: "READ_MAIL_TABLE",
  deliveriesTable: "DELIVERIES_TABLE",
  collectionsTable: "COLLECTIONS_TABLE",
  linkSweepsTable: "LINK_SWEEPS_TABLE",
  linkChecksTable: "LINK_CHECKS_TABLE",
  linkSamplesTable: "LINK_SAMPLES_TABLE",
  linkStatisticsTable: "LINK_STATISTICS_TABLE",
  ruleTestsTable: "RULE_TESTS_TABLE",
  detectionsTable: "DETECTIONS_TABLE",
  setChecksTable: "SET_CHECKS_TABLE",
  snapshotsTable: "SNAPSHOTS_TABLE",
  capturedUrlsTable: "CAPTURED_URLS_TABLE",
  indexBuildsTable: "INDEX_BUILDS_TABLE",
  delinquentRecordsTable: "DELINQUENT_RECORDS_TABLE",
  sentMailsTable: "SENT_MAILS_TABLE",
  leasesTable: "LEASES_TABLE",
  keyedRequestsTable: "KEYED_REQUESTS_TABLE",
  failedMessagesTable: "FAILED_MESSAGES_TABLE",
  requestsQueue: "REQUESTS_QUEUE_URL",
  idleRequestsQueue: "IDLE_REQUESTS_QUEUE_URL",
  requestsQueueArn: "REQUESTS_QUEUE_ARN",
  requestQueues: "REQUEST_QUEUES",
  rejectedRequestsQueue: "REJECTED_REQUESTS_QUEUE_URL",
  mailReadingsQueue: "MAIL_READINGS_QUEUE_URL",
  ...responseQueueVariables,
  runStartsQueue: "RUN_STARTS_QUEUE_URL",
  validateQueue: "VALIDATE_QUEUE_URL",
  validateQueueArn: "VALIDATE_QUEUE_ARN",
  uploadQueue: "UPLOAD_QUEUE_URL",
  archiveQueue: "ARCHIVE_QUEUE_URL",
  overdueQueue: "OVERDUE_QUEUE_URL",
  reportsQueue: "REPORTS_QUEUE_URL",
  resendsQueue: "RESENDS_QUEUE_URL",
  setRegistrationsQueue: "SET_REGISTRATIONS_QUEUE_URL",
  indexRequestsQueue: "INDEX_REQUESTS_QUEUE_URL",
  indexPartsQueue: "INDEX_PARTS_QUEUE_URL",
  indexAnswersQueue: "INDEX_ANSWERS_QUEUE_URL",
  captureJobsQueue: "CAPTURE_JOBS_QUEUE_URL",
  capturedJobsQueue: "CAPTURED_JOBS_QUEUE_URL",
  capturePackagesQueue: "CAPTURE_PACKAGES_QUEUE_URL",
  sourceEventsQueue: "SOURCE_EVENTS_QUEUE_URL",
  documentUploadsQueue: "DOCUMENT_UPLOADS_QUEUE_URL",
  documentDeletionsQueue: "DOCUMENT_DELETIONS_QUEUE_URL",
  importsQueue: "IMPORTS_QUEUE_URL",
  receivedMailBucket: "RECEIVED_MAIL_BUCKET",
  responsesBucket: "RESPONSES_BUCKET",
  recordsBucket: "RECORDS_BUCKET",
  deliveriesBucket: "DELIVERIES_BUCKET",
  filesBucket: "FILES_BUCKET",
  documentUploadsBucket: "DOCUMENT_UPLOADS_BUCKET",
  /** On one machine: where captures are shown. */
  replayOrigin: "REPLAY_ORIGIN",
  /** On one machine: the directory that has those of sources of the type FOLDER. */
  foldersDirectory: "FOLDERS_DIRECTORY",
  snapshotsBucket: "SNAPSHOTS_BUCKET",
  deliveriesUrl: "DELIVERIES_URL",
  consoleUrl: "CONSOLE_URL",
  eventBus: "EVENT_BUS_NAME",
  scheduleGroup: "SCHEDULE_GROUP",
  scheduleRole: "SCHEDULE_ROLE_ARN",
  scheduleDeadLetterQueueArn: "SCHEDULE_DEAD_LETTER_QUEUE_ARN",
  mailFrom: "MAIL_FROM",
  mailTo: "MAIL_TO",
  timeZone: "TIME_ZONE",
  maxArticlesOfHarvest: "MAX_ARTICLES_OF_HARVEST",
  userAgent: "USER_AGENT",
  hourlyShare: "READER_CHECKS_PER_HOST_AND_HOUR",
  translationServerUrl: "TRANSLATION_SERVER_URL",
  translationTimeoutMs: "TRANSLATION_TIMEOUT_MS",
  allowedPrivateHosts: "ALLOWED_PRIVATE_HOSTS",
  probeUrls: "PROBE_URLS",
  tikaUrl: "TIKA_URL",
  sparqlEndpoint: "SPARQL_ENDPOINT",
  sparqlUpdateEndpoint: "SPARQL_UPDATE_ENDPOINT",
  sparqlLogin: "SPARQL_LOGIN",
  checksPerCaller: "CHECKS_PER_CALLER",
  checksInTotal: "CHECKS_IN_TOTAL",
  defaultDelayMs: "DEFAULT_DELAY_MS",
  crawlDelayMinMs: "CRAWL_DELAY_MIN_MS",
  crawlDelayMaxMs: "CRAWL_DELAY_MAX_MS",
  attempts: "REQUEST_ATTEMPTS",
  backoffBaseMs: "BACKOFF_BASE_MS",
  lastAttemptMinDelayMs: "LAST_ATTEMPT_MIN_DELAY_MS",
  exchangeMaxMs: "EXCHANGE_MAX_MS",
  runDeadlineMinutes: "RUN_DEADLINE_MINUTES",
  softDeadlineMinutes: "SOFT_DEADLINE_MINUTES",
  apiUrl: "API_URL",
  tokenIssuer: "TOKEN_ISSUER",
  tokenKeysUrl: "TOKEN_KEYS_URL",
  signInUrl: "SIGN_IN_URL",
  consoleClientId: "CONSOLE_CLIENT_ID",
} as const;

/** Secrets, which operators make: `{"privateKey": "…", "passphrase"?: "…"}` or `{"password": "…"}`. */
export const secretNames = {
  /** How a group logs in at its receiver. */
  sftpLogin: (groupId: string) => `${prefix}/sftp/${groupId}`,
  /** How Ingather logs in at the SPARQL endpoint: `{"user": "…", "password": "…"}`. */
  sparqlLogin: `${prefix}/sparql`,
} as const;

/** The beginning of the keys of robots.txt files in the responses bucket. */
export const robotsPrefix = "robots/";

/** What the records bucket holds, by the beginnings of the keys. */
export const recordPrefixes = {
  records: "records/",
  /** The metadata of documents, of a page's documents together. */
  documents: "documents/",
  /** What the stages of runs leave. */
  runs: "runs/",
  /** What validation found in records that wait for an operator. */
  findings: "delinquent/",
  /** The text of sent mails. */
  mails: "mails/",
} as const;

/** What is known of a run: its items, and its objects. */
export const runRetentionDays = 365;

/** Messages that functions could not process. */
export const failedMessageRetentionDays = 90;

/** Sent mails and their text. */
export const sentMailRetentionDays = 90;

/** An upload, its objects and its outcomes. */
export const uploadRetentionDays = 30;

/** The folder of the bucket of uploads that has the configurations to import. */
export const importPrefix = "imports/";

/** The folders of the bucket of snapshots. */
export const snapshotPrefixes = {
  parts: "parts/",
  jobs: "jobs/",
  indexes: "indexes/",
  indexBuilds: "index-builds/",
  packages: "packages/",
  seeds: "seeds/",
} as const;

/** A later request for the same index builds it again. */
export const indexBuildRetentionDays = 3;

/** What builds keep besides their indexes: longer than the builds, which need it. */
export const indexWorkRetentionDays = 14;

/** Days after which the records of single exchanges are deleted: they are in WARC files by then. */
export const capturePartRetentionDays = 30;

/** Days after which a package of a capture is deleted; it can be made again. */
export const capturePackageRetentionDays = 30;

/** Object keys. The parts are ours (ids and digests), so they need no escaping. */
export const objectKeys = {
  /** The decompressed body of one answer, in the responses bucket. */
  responseBody: (exchangeId: string) => `bodies/${exchangeId}`,
  /** The robots.txt of an origin, in the responses bucket. */
  robots: (originDigest: string) => `${robotsPrefix}${originDigest}`,
  /** A record as JSON, in the records bucket; never overwritten by another content. */
  record: (recordId: string, contentDigest: string) =>
    `${recordPrefixes.records}${recordId}/${contentDigest}.json`,
  /** The MARC records of a page, a line each; the key of one has its place: `…#start-length`, in bytes. */
  recordPage: (contentDigest: string) => `${recordPrefixes.records}pages/${contentDigest}.ndjson`,
  /** The metadata of documents, in the records bucket; never overwritten by another content. */
  documents: (sourceId: string, contentDigest: string) =>
    `${recordPrefixes.documents}${sourceId}/${contentDigest}`,
  /** What a stage of a run decided, in the records bucket. */
  stageResult: (runId: string, stage: string) => `${recordPrefixes.runs}${runId}/${stage}.json`,
  /** A part of a list that a stage has made, in the records bucket; never overwritten by another content. */
  runPart: (runId: string, contentDigest: string) =>
    `${recordPrefixes.runs}${runId}/parts/${contentDigest}.json`,
  /** What validation found in a record that waits for an operator, in the records bucket. */
  findings: (mode: string, sourceId: string, recordId: string) =>
    `${recordPrefixes.findings}${mode.toLowerCase()}/${sourceId}/${recordId}.json`,
  /** The text of a sent mail, in the records bucket. */
  mail: (idDigest: string) => `${recordPrefixes.mails}${idDigest}.json`,
  /** A file of a document, in the bucket of files. */
  file: (sourceId: string, itemId: string, requestId: string) => `${sourceId}/${itemId}/${requestId}`,
  /** Uploaded files and their outcomes, in the bucket of uploads. */
  uploadedFile: (uploadId: string, fileId: string) => `${uploadId}/files/${fileId}`,
  uploadedDocuments: (uploadId: string) => `${uploadId}/documents.json`,
  /** The files of an import that a function applies, in the bucket of uploads. */
  importedConfiguration: (importId: string) => `${importPrefix}${importId}.json`,
  uploadListing: (uploadId: string, part: string) => `${uploadId}/listing/${part}.json`,
  uploadOutcomes: (uploadId: string, part: string) => `${uploadId}/outcomes/${part}.json`,
  /** A list of seeds, named by its content, in the bucket of snapshots. */
  seeds: (listDigest: string) => `${snapshotPrefixes.seeds}${listDigest}.json.gz`,
  /** The records of one exchange of a capture, in the bucket of snapshots, until its job has ended. */
  capturePart: (jobId: number, partId: string) => `${snapshotPrefixes.parts}${jobId}/${partId}.warc.gz`,
  /** A file of a job: a WARC file, `index.cdxj` or `crawl.log`. */
  jobFile: (jobId: number, name: string) => `${snapshotPrefixes.jobs}${jobId}/${name}`,
  /** A file of a job that another crawler has done. */
  uploadedJobFile: (jobId: number, name: string) => `${snapshotPrefixes.jobs}${jobId}/uploads/${name}`,
  /** A capture as WACZ, in the bucket of snapshots. */
  capturePackage: (jobId: number) => `${snapshotPrefixes.packages}${jobId}.wacz`,
  /** What the package refers to and does not have. */
  keptElsewhere: (jobId: number) => `${snapshotPrefixes.packages}${jobId}.json`,
  /** What the build of an index keeps besides it. */
  indexBuildFile: (buildId: string, name: string) => `${snapshotPrefixes.indexBuilds}${buildId}/${name}`,
  /** A file of a deduplication index. */
  indexFile: (indexName: string, name: string) => `${snapshotPrefixes.indexes}${indexName}/${name}`,
  /** A delivered file, in the deliveries bucket. */
  delivery: (folder: string, fileName: string) => `${folder}/${fileName}`,
} as const;
