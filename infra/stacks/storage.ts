import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { AttributeType, ProjectionType } from "aws-cdk-lib/aws-dynamodb";
import { EventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import {
  alarmTopicName,
  archiveByTitleIndex,
  bucketNames,
  capturedUrlsByWantedIndex,
  capturePackageRetentionDays,
  capturePartRetentionDays,
  collectionsBySuppressionIndex,
  delinquentsByReasonIndex,
  delinquentsByReleaseIndex,
  documentsByChangeIndex,
  documentsByPendingIndex,
  eventBusName,
  hostsByAvailabilityIndex,
  indexWorkRetentionDays,
  mailsByTimeIndex,
  recordPrefixes,
  recordsByDigestIndex,
  recordsByLinkStateIndex,
  recordsBySyndicationIndex,
  runRetentionDays,
  runsByStartIndex,
  sentMailRetentionDays,
  snapshotPrefixes,
  tableNames,
  uploadRetentionDays,
} from "../../shared/names.ts";
import { EventLog } from "../constructs/event-log.ts";
import { ScheduleDeadLetters } from "../constructs/schedule-dead-letters.ts";
import { StoredObjects } from "../constructs/stored-objects.ts";
import { StoredTable } from "../constructs/stored-table.ts";

const { STRING } = AttributeType;

/** The tables and buckets, the event bus, the alarm topic, the mail sender, and the dead-letter queue of schedules. */
export class StorageStack extends Stack {
  readonly configuration: StoredTable;
  readonly sourceStatus: StoredTable;
  readonly sourceRuns: StoredTable;
  readonly hosts: StoredTable;
  readonly hostStatistics: StoredTable;
  readonly hostShares: StoredTable;
  readonly validators: StoredTable;
  readonly flags: StoredTable;
  readonly runs: StoredTable;
  readonly records: StoredTable;
  readonly documents: StoredTable;
  readonly items: StoredTable;
  readonly documentUploads: StoredTable;
  readonly authorities: StoredTable;
  readonly archive: StoredTable;
  readonly deliveries: StoredTable;
  readonly readMail: StoredTable;
  readonly receivedMail: StoredObjects;
  readonly collections: StoredTable;
  readonly linkSweeps: StoredTable;
  readonly linkChecks: StoredTable;
  readonly linkSamples: StoredTable;
  readonly linkStatistics: StoredTable;
  readonly ruleTests: StoredTable;
  readonly detections: StoredTable;
  readonly setChecks: StoredTable;
  readonly snapshots: StoredTable;
  readonly capturedUrls: StoredTable;
  readonly indexBuilds: StoredTable;
  readonly delinquentRecords: StoredTable;
  readonly sentMails: StoredTable;
  readonly leases: StoredTable;
  readonly keyedRequests: StoredTable;
  readonly responseBodies: StoredObjects;
  readonly recordObjects: StoredObjects;
  readonly deliveredFiles: StoredObjects;
  readonly files: StoredObjects;
  readonly uploadedObjects: StoredObjects;
  readonly snapshotObjects: StoredObjects;
  readonly scheduleDeadLetters: ScheduleDeadLetters;
  readonly bus: EventBus;
  readonly eventLog: EventLog;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);

    this.configuration = new StoredTable(this, "Configuration", {
      tableName: tableNames.configuration,
      variable: "configurationTable",
      partitionKey: { name: "kind", type: STRING },
      sortKey: { name: "id", type: STRING },
    });
    this.sourceStatus = new StoredTable(this, "SourceStatus", {
      tableName: tableNames.sourceStatus,
      variable: "sourceStatusTable",
      partitionKey: { name: "sourceId", type: STRING },
    });
    this.sourceRuns = new StoredTable(this, "SourceRuns", {
      tableName: tableNames.sourceRuns,
      variable: "sourceRunsTable",
      partitionKey: { name: "sourceId", type: STRING },
      sortKey: { name: "startedRun", type: STRING },
      expires: true,
    });
    this.hosts = new StoredTable(this, "Hosts", {
      tableName: tableNames.hosts,
      variable: "hostsTable",
      partitionKey: { name: "hostKey", type: STRING },
      expires: true,
      indexes: [
        {
          indexName: hostsByAvailabilityIndex,
          partitionKey: { name: "listedAs", type: STRING },
          sortKey: { name: "unavailableUntilMs", type: AttributeType.NUMBER },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ["unavailable"],
        },
      ],
    });
    this.hostStatistics = new StoredTable(this, "HostStatistics", {
      tableName: tableNames.hostStatistics,
      variable: "hostStatisticsTable",
      partitionKey: { name: "day", type: STRING },
      sortKey: { name: "hostKey", type: STRING },
      expires: true,
    });
    this.hostShares = new StoredTable(this, "HostShares", {
      tableName: tableNames.hostShares,
      variable: "hostSharesTable",
      partitionKey: { name: "hostKey", type: STRING },
      sortKey: { name: "part", type: STRING },
      expires: true,
    });
    this.validators = new StoredTable(this, "Validators", {
      tableName: tableNames.validators,
      variable: "validatorsTable",
      partitionKey: { name: "key", type: STRING },
      expires: true,
    });
    this.flags = new StoredTable(this, "Flags", {
      tableName: tableNames.flags,
      variable: "flagsTable",
      partitionKey: { name: "flag", type: STRING },
    });
    this.runs = new StoredTable(this, "Runs", {
      tableName: tableNames.runs,
      variable: "runsTable",
      partitionKey: { name: "runId", type: STRING },
      sortKey: { name: "part", type: STRING },
      expires: true,
      indexes: [
        {
          indexName: runsByStartIndex,
          partitionKey: { name: "deliveryMode", type: STRING },
          sortKey: { name: "startedAt", type: STRING },
        },
      ],
    });
    this.records = new StoredTable(this, "Records", {
      tableName: tableNames.records,
      variable: "recordsTable",
      partitionKey: { name: "recordId", type: STRING },
      indexes: [
        {
          indexName: recordsBySyndicationIndex,
          partitionKey: { name: "listedIn", type: STRING },
          sortKey: { name: "syndicatedAt", type: STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ["collectionId", "title", "landingUrl", "link"],
        },
        {
          indexName: recordsByDigestIndex,
          partitionKey: { name: "collectionId", type: STRING },
          sortKey: { name: "recordId", type: STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ["landingUrl", "link"],
        },
        {
          indexName: recordsByLinkStateIndex,
          partitionKey: { name: "linkState", type: STRING },
          sortKey: { name: "linkStateAt", type: STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ["collectionId", "title", "landingUrl", "syndicatedAt", "link"],
        },
      ],
    });
    const byPending = {
      indexName: documentsByPendingIndex,
      partitionKey: { name: "pendingIn", type: STRING },
      sortKey: { name: "pendingSince", type: STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    };
    this.documents = new StoredTable(this, "Documents", {
      tableName: tableNames.documents,
      variable: "documentsTable",
      partitionKey: { name: "sourceId", type: STRING },
      sortKey: { name: "documentId", type: STRING },
      indexes: [
        {
          indexName: documentsByChangeIndex,
          partitionKey: { name: "sourceId", type: STRING },
          sortKey: { name: "changedAt", type: STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ["identifier", "state", "title", "firstListedAt"],
        },
        byPending,
      ],
    });
    this.items = new StoredTable(this, "Items", {
      tableName: tableNames.items,
      variable: "itemsTable",
      partitionKey: { name: "documentId", type: STRING },
      sortKey: { name: "itemId", type: STRING },
      indexes: [byPending],
    });
    this.documentUploads = new StoredTable(this, "DocumentUploads", {
      tableName: tableNames.documentUploads,
      variable: "documentUploadsTable",
      partitionKey: { name: "uploadId", type: STRING },
      expires: true,
    });
    this.authorities = new StoredTable(this, "Authorities", {
      tableName: tableNames.authorities,
      variable: "authoritiesTable",
      partitionKey: { name: "lookupId", type: STRING },
      expires: true,
    });
    this.archive = new StoredTable(this, "Archive", {
      tableName: tableNames.archive,
      variable: "archiveTable",
      partitionKey: { name: "key", type: STRING },
      expires: true,
      indexes: [
        {
          indexName: archiveByTitleIndex,
          partitionKey: { name: "titlePartition", type: STRING },
          sortKey: { name: "titlePlace", type: STRING },
        },
      ],
    });
    this.deliveries = new StoredTable(this, "Deliveries", {
      tableName: tableNames.deliveries,
      variable: "deliveriesTable",
      partitionKey: { name: "kind", type: STRING },
      sortKey: { name: "sortKey", type: STRING },
    });
    this.collections = new StoredTable(this, "Collections", {
      tableName: tableNames.collections,
      variable: "collectionsTable",
      partitionKey: { name: "kind", type: STRING },
      sortKey: { name: "collectionId", type: STRING },
      indexes: [
        {
          indexName: collectionsBySuppressionIndex,
          partitionKey: { name: "suppressedBy", type: STRING },
          sortKey: { name: "collectionId", type: STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ["since", "reason"],
        },
      ],
    });
    this.linkSweeps = new StoredTable(this, "LinkSweeps", {
      tableName: tableNames.linkSweeps,
      variable: "linkSweepsTable",
      partitionKey: { name: "sweepId", type: STRING },
      expires: true,
    });
    this.linkChecks = new StoredTable(this, "LinkChecks", {
      tableName: tableNames.linkChecks,
      variable: "linkChecksTable",
      partitionKey: { name: "recordId", type: STRING },
      sortKey: { name: "check", type: STRING },
      expires: true,
    });
    this.linkSamples = new StoredTable(this, "LinkSamples", {
      tableName: tableNames.linkSamples,
      variable: "linkSamplesTable",
      partitionKey: { name: "collectionId", type: STRING },
      sortKey: { name: "part", type: STRING },
      expires: true,
    });
    this.linkStatistics = new StoredTable(this, "LinkStatistics", {
      tableName: tableNames.linkStatistics,
      variable: "linkStatisticsTable",
      partitionKey: { name: "day", type: STRING },
      sortKey: { name: "change", type: STRING },
      expires: true,
    });
    this.ruleTests = new StoredTable(this, "RuleTests", {
      tableName: tableNames.ruleTests,
      variable: "ruleTestsTable",
      partitionKey: { name: "testId", type: STRING },
      expires: true,
    });
    this.detections = new StoredTable(this, "Detections", {
      tableName: tableNames.detections,
      variable: "detectionsTable",
      partitionKey: { name: "detectionId", type: STRING },
      expires: true,
    });
    this.keyedRequests = new StoredTable(this, "KeyedRequests", {
      tableName: tableNames.keyedRequests,
      variable: "keyedRequestsTable",
      partitionKey: { name: "key", type: STRING },
      expires: true,
    });
    this.setChecks = new StoredTable(this, "SetChecks", {
      tableName: tableNames.setChecks,
      variable: "setChecksTable",
      partitionKey: { name: "id", type: STRING },
      expires: true,
    });
    this.snapshots = new StoredTable(this, "Snapshots", {
      tableName: tableNames.snapshots,
      variable: "snapshotsTable",
      partitionKey: { name: "kind", type: STRING },
      sortKey: { name: "id", type: STRING },
    });
    this.capturedUrls = new StoredTable(this, "CapturedUrls", {
      tableName: tableNames.capturedUrls,
      variable: "capturedUrlsTable",
      partitionKey: { name: "jobId", type: STRING },
      sortKey: { name: "urlId", type: STRING },
      indexes: [
        {
          indexName: capturedUrlsByWantedIndex,
          partitionKey: { name: "wantedBy", type: STRING },
          sortKey: { name: "urlId", type: STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    });
    this.indexBuilds = new StoredTable(this, "IndexBuilds", {
      tableName: tableNames.indexBuilds,
      variable: "indexBuildsTable",
      partitionKey: { name: "buildId", type: STRING },
      expires: true,
    });
    this.delinquentRecords = new StoredTable(this, "DelinquentRecords", {
      tableName: tableNames.delinquentRecords,
      variable: "delinquentRecordsTable",
      partitionKey: { name: "deliveryMode", type: STRING },
      sortKey: { name: "part", type: STRING },
      expires: true,
      indexes: [
        {
          indexName: delinquentsByReleaseIndex,
          partitionKey: { name: "releasedIn", type: STRING },
          sortKey: { name: "part", type: STRING },
        },
        {
          indexName: delinquentsByReasonIndex,
          partitionKey: { name: "deliveryMode", type: STRING },
          sortKey: { name: "queueKey", type: STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    });
    this.sentMails = new StoredTable(this, "SentMails", {
      tableName: tableNames.sentMails,
      variable: "sentMailsTable",
      partitionKey: { name: "mailId", type: STRING },
      expires: true,
      indexes: [
        {
          indexName: mailsByTimeIndex,
          partitionKey: { name: "listedIn", type: STRING },
          sortKey: { name: "sentAt", type: STRING },
        },
      ],
    });
    this.leases = new StoredTable(this, "Leases", {
      tableName: tableNames.leases,
      variable: "leasesTable",
      partitionKey: { name: "key", type: STRING },
      expires: true,
    });

    this.readMail = new StoredTable(this, "ReadMail", {
      tableName: tableNames.readMail,
      variable: "readMailTable",
      partitionKey: { name: "sourceId", type: STRING },
      sortKey: { name: "messageKey", type: STRING },
      expires: true,
    });

    this.receivedMail = this.objects("ReceivedMail", "receivedMail", "receivedMailBucket", Duration.days(60));
    this.responseBodies = this.objects("ResponseBodies", "responses", "responsesBucket", Duration.days(90));
    this.recordObjects = new StoredObjects(this, "RecordObjects", {
      bucketName: bucketNames.records,
      variable: "recordsBucket",
      // A released record may wait long for a run. Its findings are kept longer than the items of unreleased records.
      retentionByPrefix: [
        { prefix: recordPrefixes.runs, retention: Duration.days(runRetentionDays) },
        { prefix: recordPrefixes.findings, retention: Duration.days(runRetentionDays) },
        { prefix: recordPrefixes.mails, retention: Duration.days(sentMailRetentionDays) },
      ],
    });
    this.deliveredFiles = this.objects("DeliveredFiles", "deliveries", "deliveriesBucket");

    this.files = this.objects("Files", "files", "filesBucket");
    this.uploadedObjects = this.objects(
      "UploadedObjects",
      "documentUploads",
      "documentUploadsBucket",
      Duration.days(uploadRetentionDays),
    );

    this.snapshotObjects = new StoredObjects(this, "SnapshotObjects", {
      bucketName: bucketNames.snapshots,
      variable: "snapshotsBucket",
      retentionByPrefix: [
        { prefix: snapshotPrefixes.parts, retention: Duration.days(capturePartRetentionDays) },
        { prefix: snapshotPrefixes.indexBuilds, retention: Duration.days(indexWorkRetentionDays) },
        { prefix: snapshotPrefixes.packages, retention: Duration.days(capturePackageRetentionDays) },
      ],
    });

    new CfnOutput(this, "DeliveriesBucket", { value: this.deliveredFiles.bucket.bucketName });
    new CfnOutput(this, "RecordsBucket", { value: this.recordObjects.bucket.bucketName });
    new CfnOutput(this, "ReceivedMailBucket", { value: this.receivedMail.bucket.bucketName });
    new CfnOutput(this, "SnapshotsBucket", { value: this.snapshotObjects.bucket.bucketName });

    this.scheduleDeadLetters = new ScheduleDeadLetters(this, "ScheduleDeadLetters");

    this.bus = new EventBus(this, "Bus", { eventBusName });
    this.bus.archive("Events", { eventPattern: { account: [this.account] }, retention: Duration.days(30) });
    const alarms = new Topic(this, "Alarms", { topicName: alarmTopicName, enforceSSL: true });
    this.eventLog = new EventLog(this, "EventLog", { bus: this.bus });
    new CfnOutput(this, "EventBusName", { value: this.bus.eventBusName });
    new CfnOutput(this, "AlarmTopicArn", { value: alarms.topicArn });
    // This policy replaces the default one, which lets alarms publish. SES tells bounces and complaints.
    alarms.addToResourcePolicy(
      new PolicyStatement({
        principals: ["cloudwatch", "ses"].map((service) => new ServicePrincipal(`${service}.amazonaws.com`)),
        actions: ["sns:Publish"],
        resources: [alarms.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
  }

  private objects(
    id: string,
    name: keyof typeof bucketNames,
    variable: ConstructorParameters<typeof StoredObjects>[2]["variable"],
    retention?: Duration,
  ): StoredObjects {
    return new StoredObjects(this, id, {
      bucketName: bucketNames[name],
      variable,
      ...(retention && { retention }),
    });
  }
}
