import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { AttributeType } from "aws-cdk-lib/aws-dynamodb";
import { EventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import {
  alarmTopicName,
  archiveByTitleIndex,
  capturedUrlsByWantedIndex,
  capturePackageRetentionDays,
  capturePartRetentionDays,
  collectionsBySuppressionIndex,
  documentsByChangeIndex,
  documentsByPendingIndex,
  eventBusName,
  hostsByAvailabilityIndex,
  indexWorkRetentionDays,
  mailsByTimeIndex,
  qualityByDriftIndex,
  recordPrefixes,
  recordsByDigestIndex,
  recordsByDisagreementIndex,
  recordsByLinkStateIndex,
  recordsByNoticeIndex,
  recordsBySyndicationIndex,
  recordsByWitnessIndex,
  refusedByReasonIndex,
  refusedByReleaseIndex,
  runRetentionDays,
  runsByStartIndex,
  sentMailRetentionDays,
  snapshotPrefixes,
  sourcesByHeldDeletionsIndex,
  uploadRetentionDays,
} from "../../shared/names.ts";
import { constructId } from "../constructs/construct-id.ts";
import { EventLog } from "../constructs/event-log.ts";
import { ScheduleDeadLetters } from "../constructs/schedule-dead-letters.ts";
import { StoredObjects } from "../constructs/stored-objects.ts";
import { StoredTable, type StoredTableProps, type TableName } from "../constructs/stored-table.ts";

const byPending = {
  indexName: documentsByPendingIndex,
  partitionKey: "pendingIn",
  sortKey: "pendingSince",
  holds: "keys",
} as const;

/** The tables and buckets, the event bus with its log, the alarm topic, and the dead-letter queue of schedules. */
export class StorageStack extends Stack {
  readonly configuration = this.table("configuration", { partitionKey: "kind", sortKey: "id" });
  readonly sourceStatus = this.table("sourceStatus", {
    partitionKey: "sourceId",
    indexes: [
      { indexName: sourcesByHeldDeletionsIndex, partitionKey: "heldIn", sortKey: "heldSince", holds: "keys" },
    ],
  });
  readonly sourceRuns = this.table("sourceRuns", {
    partitionKey: "sourceId",
    sortKey: "startedRun",
    expires: true,
  });
  readonly sourceQuality = this.table("sourceQuality", {
    partitionKey: "sourceId",
    sortKey: "part",
    expires: true,
    indexes: [
      {
        indexName: qualityByDriftIndex,
        partitionKey: "driftedIn",
        sortKey: "driftedSince",
        holds: ["title", "drifts"],
      },
    ],
  });
  readonly hosts = this.table("hosts", {
    partitionKey: "hostKey",
    expires: true,
    indexes: [
      {
        indexName: hostsByAvailabilityIndex,
        partitionKey: "listedAs",
        sortKey: { name: "unavailableUntilMs", type: AttributeType.NUMBER },
        holds: ["unavailable"],
      },
    ],
  });
  readonly hostStatistics = this.table("hostStatistics", {
    partitionKey: "day",
    sortKey: "hostKey",
    expires: true,
  });
  readonly hostShares = this.table("hostShares", {
    partitionKey: "hostKey",
    sortKey: "part",
    expires: true,
  });
  readonly validators = this.table("validators", { partitionKey: "key", expires: true });
  readonly flags = this.table("flags", { partitionKey: "flag" });
  readonly runs = this.table("runs", {
    partitionKey: "runId",
    sortKey: "part",
    expires: true,
    indexes: [{ indexName: runsByStartIndex, partitionKey: "deliveryMode", sortKey: "startedAt" }],
  });
  readonly records = this.table("records", {
    partitionKey: "recordId",
    indexes: [
      {
        indexName: recordsBySyndicationIndex,
        partitionKey: "listedIn",
        sortKey: "syndicatedAt",
        holds: ["collectionId", "title", "landingUrl", "link"],
      },
      {
        indexName: recordsByDigestIndex,
        partitionKey: "collectionId",
        sortKey: "recordId",
        holds: ["landingUrl", "link"],
      },
      {
        indexName: recordsByLinkStateIndex,
        partitionKey: "linkState",
        sortKey: "linkStateAt",
        holds: ["collectionId", "title", "landingUrl", "syndicatedAt", "link"],
      },
      ...[
        { indexName: recordsByNoticeIndex, partitionKey: "noticeKind" },
        { indexName: recordsByDisagreementIndex, partitionKey: "disagreesIn" },
        { indexName: recordsByWitnessIndex, partitionKey: "witnessedIn" },
      ].map((index) => ({
        ...index,
        sortKey: "syndicatedAt",
        holds: ["sourceId", "title", "landingUrl", "state", "origin", "originFindings"],
      })),
    ],
  });
  readonly documents = this.table("documents", {
    partitionKey: "sourceId",
    sortKey: "documentId",
    indexes: [
      {
        indexName: documentsByChangeIndex,
        partitionKey: "sourceId",
        sortKey: "changedAt",
        holds: ["identifier", "state", "title", "firstListedAt"],
      },
      byPending,
    ],
  });
  readonly items = this.table("items", {
    partitionKey: "documentId",
    sortKey: "itemId",
    indexes: [byPending],
  });
  readonly documentUploads = this.table("documentUploads", { partitionKey: "uploadId", expires: true });
  readonly authorities = this.table("authorities", { partitionKey: "lookupId", expires: true });
  readonly archive = this.table("archive", {
    partitionKey: "key",
    expires: true,
    indexes: [{ indexName: archiveByTitleIndex, partitionKey: "titlePartition", sortKey: "titlePlace" }],
  });
  readonly deliveries = this.table("deliveries", { partitionKey: "kind", sortKey: "sortKey" });
  readonly collections = this.table("collections", {
    partitionKey: "kind",
    sortKey: "collectionId",
    indexes: [
      {
        indexName: collectionsBySuppressionIndex,
        partitionKey: "suppressedBy",
        sortKey: "collectionId",
        holds: ["since", "reason"],
      },
    ],
  });
  readonly linkSweeps = this.table("linkSweeps", { partitionKey: "sweepId", expires: true });
  readonly linkChecks = this.table("linkChecks", {
    partitionKey: "recordId",
    sortKey: "check",
    expires: true,
  });
  readonly linkSamples = this.table("linkSamples", {
    partitionKey: "collectionId",
    sortKey: "part",
    expires: true,
  });
  readonly linkStatistics = this.table("linkStatistics", {
    partitionKey: "day",
    sortKey: "change",
    expires: true,
  });
  readonly ruleTests = this.table("ruleTests", { partitionKey: "testId", expires: true });
  readonly detections = this.table("detections", { partitionKey: "detectionId", expires: true });
  readonly keyedRequests = this.table("keyedRequests", { partitionKey: "key", expires: true });
  readonly failedMessages = this.table("failedMessages", {
    partitionKey: "kind",
    sortKey: "id",
    expires: true,
  });
  readonly setChecks = this.table("setChecks", { partitionKey: "id", expires: true });
  readonly snapshots = this.table("snapshots", { partitionKey: "kind", sortKey: "id" });
  readonly capturedUrls = this.table("capturedUrls", {
    partitionKey: "jobId",
    sortKey: "urlId",
    indexes: [
      { indexName: capturedUrlsByWantedIndex, partitionKey: "wantedBy", sortKey: "urlId", holds: "keys" },
    ],
  });
  readonly indexBuilds = this.table("indexBuilds", { partitionKey: "buildId", expires: true });
  readonly delinquentRecords = this.table("delinquentRecords", {
    partitionKey: "deliveryMode",
    sortKey: "part",
    expires: true,
    indexes: [
      { indexName: refusedByReleaseIndex, partitionKey: "releasedIn", sortKey: "part" },
      {
        indexName: refusedByReasonIndex,
        partitionKey: "deliveryMode",
        sortKey: "queueKey",
        holds: "keys",
      },
    ],
  });
  readonly sentMails = this.table("sentMails", {
    partitionKey: "mailId",
    expires: true,
    indexes: [{ indexName: mailsByTimeIndex, partitionKey: "listedIn", sortKey: "sentAt" }],
  });
  readonly leases = this.table("leases", { partitionKey: "key", expires: true });
  readonly readMail = this.table("readMail", {
    partitionKey: "sourceId",
    sortKey: "messageKey",
    expires: true,
  });
  readonly receivedMail = new StoredObjects(this, "ReceivedMail", {
    name: "receivedMail",
    retention: Duration.days(60),
  });
  readonly responseBodies = new StoredObjects(this, "ResponseBodies", {
    name: "responses",
    retention: Duration.days(90),
  });
  readonly recordObjects = new StoredObjects(this, "RecordObjects", {
    name: "records",
    // A released record may wait a long time for a run, so its findings are kept longer than the items of
    // unreleased records.
    retentionByPrefix: [
      { prefix: recordPrefixes.runs, retention: Duration.days(runRetentionDays) },
      { prefix: recordPrefixes.findings, retention: Duration.days(runRetentionDays) },
      { prefix: recordPrefixes.mails, retention: Duration.days(sentMailRetentionDays) },
    ],
  });
  readonly deliveredFiles = new StoredObjects(this, "DeliveredFiles", { name: "deliveries" });
  readonly files = new StoredObjects(this, "Files", { name: "files" });
  readonly uploadedObjects = new StoredObjects(this, "UploadedObjects", {
    name: "documentUploads",
    retention: Duration.days(uploadRetentionDays),
  });
  readonly snapshotObjects = new StoredObjects(this, "SnapshotObjects", {
    name: "snapshots",
    retentionByPrefix: [
      { prefix: snapshotPrefixes.parts, retention: Duration.days(capturePartRetentionDays) },
      { prefix: snapshotPrefixes.indexBuilds, retention: Duration.days(indexWorkRetentionDays) },
      { prefix: snapshotPrefixes.packages, retention: Duration.days(capturePackageRetentionDays) },
    ],
  });
  readonly scheduleDeadLetters = new ScheduleDeadLetters(this, "ScheduleDeadLetters");
  readonly bus = new EventBus(this, "Bus", { eventBusName });
  readonly eventLog = new EventLog(this, "EventLog", { bus: this.bus });

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    new CfnOutput(this, "DeliveriesBucket", { value: this.deliveredFiles.bucket.bucketName });
    new CfnOutput(this, "RecordsBucket", { value: this.recordObjects.bucket.bucketName });
    new CfnOutput(this, "ReceivedMailBucket", { value: this.receivedMail.bucket.bucketName });
    new CfnOutput(this, "SnapshotsBucket", { value: this.snapshotObjects.bucket.bucketName });
    this.bus.archive("Events", { eventPattern: { account: [this.account] }, retention: Duration.days(30) });
    const alarms = new Topic(this, "Alarms", { topicName: alarmTopicName, enforceSSL: true });
    new CfnOutput(this, "EventBusName", { value: this.bus.eventBusName });
    new CfnOutput(this, "AlarmTopicArn", { value: alarms.topicArn });
    // This policy replaces the default policy, so it must permit alarms to publish. SES publishes bounces and
    // complaints.
    alarms.addToResourcePolicy(
      new PolicyStatement({
        principals: ["cloudwatch", "ses"].map((service) => new ServicePrincipal(`${service}.amazonaws.com`)),
        actions: ["sns:Publish"],
        resources: [alarms.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
  }

  private table(name: TableName, props: Omit<StoredTableProps, "name">): StoredTable {
    return new StoredTable(this, constructId(name), { name, ...props });
  }
}
