import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { recordPrefixes, refusedByReleaseIndex, runsByStartIndex, variables } from "../../shared/names.ts";
import { type Stage, stageTries } from "../../shared/records/runs/stages.ts";
import {
  allowLoop,
  DeployedFunction,
  type Recursion,
  stopLoop,
  timeouts,
  wholeProcessorMiB,
} from "../constructs/deployed-function.ts";
import { grantMail, grantPublish, grantSftpLogins } from "../constructs/grants.ts";
import { RunbookAlarm } from "../constructs/runbook-alarm.ts";
import { WorkQueue, type WorkQueueName } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { StorageStack } from "./storage.ts";

const partsOfRun = allowLoop(
  "Each invocation of a step requests its open parts once, and the last part requests the stage.",
);

/**
 * The maximum number of concurrent invocations of a stage: for the parts of a run, interleaved with runs of
 * other modes. An idle table accepts 4,000 writes per second; one invocation makes about 1,000.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
 */
const stageInvocations = 5;

/** The queue and the function of each stage. */
const stageParts = {
  validate: {
    queue: "validate",
    file: "validate-records",
    description: "Ends the harvest of a run and checks its records",
    recursion: partsOfRun,
  },
  upload: {
    queue: "upload",
    file: "upload-records",
    description: "Writes the valid records of a run into the files of their groups",
    recursion: partsOfRun,
  },
  archive: {
    queue: "archive",
    file: "archive-records",
    description: "Archives the delivered records",
    recursion: partsOfRun,
  },
  overdue: {
    queue: "overdue",
    file: "find-overdue",
    description: "Finds overdue sources",
  },
  report: {
    queue: "reports",
    file: "send-report",
    description: "Mails the report of a run and ends it",
    recursion: stopLoop(
      "It sends no messages to itself when it fails. Only the other stages report their failures to it.",
    ),
  },
} as const satisfies Record<
  Stage,
  { queue: WorkQueueName; file: string; description: string; recursion?: Recursion }
>;

interface StageParts {
  queue: WorkQueue;
  fn: DeployedFunction;
}

/** The stages of the daily delivery. */
export class DeliveryStack extends Stack {
  readonly queues: Record<Stage, WorkQueue>;
  /** The queue of delivered files that operators send again. */
  readonly resends: WorkQueue;

  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { storage } = props;
    const { timeZone, maxArticlesOfHarvest, consoleUrl } = deploymentSettings(this.node);
    const validate = this.stage("validate", "ValidateRecords", {
      [variables.maxArticlesOfHarvest]: String(maxArticlesOfHarvest),
    });
    const upload = this.stage("upload", "UploadRecords", { [variables.timeZone]: timeZone });
    const archive = this.stage("archive", "ArchiveRecords");
    const overdue = this.stage("overdue", "FindOverdue");
    const report = this.stage("report", "SendReport", {
      [variables.timeZone]: timeZone,
      [variables.deliveriesUrl]: storage.deliveredFiles.consoleUrl(),
      [variables.consoleUrl]: consoleUrl,
    });
    const day = { period: Duration.days(1) };
    new RunbookAlarm(this, "NoRunEnded", {
      // Days without an invocation have no data. Without the filled zeros, CloudWatch would use an earlier
      // day with a report instead.
      metric: new MathExpression({
        ...day,
        expression: "FILL(reports, 0)",
        usingMetrics: { reports: report.fn.metricInvocations(day) },
        label: "Reports of the day",
      }),
      threshold: 1,
      deadMan: { timeZone },
      summary:
        "No run ended today before 00:00, so nothing was reported, and possibly nothing was delivered.",
      runbook: "no-run-ended",
    });
    this.queues = {
      validate: validate.queue,
      upload: upload.queue,
      archive: archive.queue,
      overdue: overdue.queue,
      report: report.queue,
    };
    for (const { fn } of [validate, upload, archive, overdue, report]) {
      // Every stage stores its result, reads earlier results, and stores its failure.
      storage.runs.grant(fn, "get", "put", "update");
      storage.recordObjects.grantRead(fn, recordPrefixes.runs);
      storage.recordObjects.grantPut(fn, recordPrefixes.runs);
      report.queue.grantSend(fn);
    }

    // A stage whose documents are divided sends their parts to itself.
    for (const { queue, fn } of [validate, upload, archive]) queue.grantSend(fn);
    // Each stage starts the next one.
    upload.queue.grantSend(validate.fn);
    archive.queue.grantSend(upload.fn);
    overdue.queue.grantSend(archive.fn);
    this.grantValidate(validate.fn, storage);
    this.grantUpload(upload.fn, storage);
    this.grantArchive(archive.fn, storage);
    this.grantOverdue(overdue.fn, storage);
    this.grantReport(report.fn, storage);
    this.resends = this.resendFiles(storage);
  }

  private grantValidate(fn: DeployedFunction, storage: StorageStack): void {
    storage.runs.grant(fn, "query");
    // The first stage joins the long harvests of its mode.
    storage.runs.grantQueryIndex(fn, runsByStartIndex);
    storage.records.grant(fn, "updateMany");
    storage.recordObjects.grantRead(fn, recordPrefixes.records);
    storage.recordObjects.grantPut(fn, recordPrefixes.findings);
    storage.configuration.grant(fn, "query");
    storage.archive.grant(fn, "get", "getMany");
    storage.delinquentRecords.grant(fn, "getMany", "query", "update", "delete");
    storage.delinquentRecords.grantQueryIndex(fn, refusedByReleaseIndex);
  }

  private grantUpload(fn: DeployedFunction, storage: StorageStack): void {
    storage.records.grant(fn, "updateMany");
    storage.recordObjects.grantRead(fn, recordPrefixes.records);
    storage.archive.grant(fn, "get", "update", "insertMany", "delete");
    storage.configuration.grant(fn, "query");
    storage.deliveries.grant(fn, "get", "put");
    storage.leases.grant(fn, "get", "put", "delete");
    storage.deliveredFiles.grantPut(fn);
    storage.deliveredFiles.grantRead(fn);
    grantSftpLogins(fn);
    grantPublish(storage.bus, fn);
  }

  private grantArchive(fn: DeployedFunction, storage: StorageStack): void {
    storage.records.grant(fn, "updateMany");
    storage.archive.grant(fn, "get", "update", "insertMany", "updateMany");
    storage.sourceStatus.grant(fn, "update");
    grantPublish(storage.bus, fn);
  }

  private grantOverdue(fn: DeployedFunction, storage: StorageStack): void {
    storage.configuration.grant(fn, "query");
    storage.sourceStatus.grant(fn, "getMany");
  }

  private grantReport(fn: DeployedFunction, storage: StorageStack): void {
    grantMail(storage, fn);
    storage.runs.grant(fn, "query");
    storage.configuration.grant(fn, "getMany", "query");
    storage.sourceStatus.grant(fn, "getMany", "update");
    storage.sourceRuns.grant(fn, "put");
    storage.sourceQuality.grant(fn, "get", "query", "put");
    grantPublish(storage.bus, fn);
  }

  private resendFiles(storage: StorageStack): WorkQueue {
    const queue = new WorkQueue(this, "Resends", {
      name: "resends",
      readerTimeout: timeouts.stage,
      maxReceiveCount: stageTries,
      deadLetterSummary: "A delivered file could not be sent again.",
      runbook: "delivery-stopped",
    });
    const fn = new DeployedFunction(this, "ResendFile", {
      file: "resend-file",
      description: "Sends a delivered file to its receiver again",
      timeout: timeouts.stage,
    });
    queue.addConsumer(fn, { batchSize: 1 });
    storage.deliveries.grant(fn, "get", "update");
    storage.deliveredFiles.grantRead(fn);
    storage.configuration.grant(fn, "get");
    grantSftpLogins(fn);
    return queue;
  }

  /** @param id the construct id of the function */
  private stage(stage: Stage, id: string, environment: Record<string, string> = {}): StageParts {
    const { queue: name, ...named } = stageParts[stage];
    const queue = new WorkQueue(this, `${stage}Queue`, {
      name,
      readerTimeout: timeouts.stage,
      maxReceiveCount: stageTries,
      isStage: true,
      deadLetterSummary: `The daily delivery stopped at the stage "${stage}".`,
      runbook: "delivery-stopped",
    });
    const timeout = timeouts.stage;
    const memoryMiB = wholeProcessorMiB;
    const fn = new DeployedFunction(this, id, { ...named, timeout, memoryMiB, environment });
    queue.addConsumer(fn, { batchSize: 1, maxConcurrency: stageInvocations });
    return { queue, fn };
  }
}
