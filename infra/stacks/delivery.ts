import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import {
  delinquentsByReleaseIndex,
  recordPrefixes,
  runsByStartIndex,
  variables,
} from "../../shared/names.ts";
import { type Stage, stageTries } from "../../shared/runs/stages.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { grantMail, grantPublish, grantSftpLogins } from "../constructs/grants.ts";
import { RunbookAlarm } from "../constructs/runbook-alarm.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { StorageStack } from "./storage.ts";

/** The queue and the function of each stage. */
const stageParts = {
  validate: {
    queue: "validate",
    file: "validate-records",
    description: "Ends the harvest of a run and checks its records",
  },
  upload: {
    queue: "upload",
    file: "upload-records",
    description: "Writes the valid records of a run into the files of their groups",
  },
  archive: {
    queue: "archive",
    file: "archive-records",
    description: "Archives the delivered records",
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
  },
} as const satisfies Record<Stage, object>;

interface StageParts {
  queue: WorkQueue;
  fn: DeployedFunction;
}

/** The stages of the daily delivery. */
export class DeliveryStack extends Stack {
  readonly queues: Record<Stage, WorkQueue>;
  /** Delivered files that operators send again. */
  readonly resends: WorkQueue;

  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { storage } = props;
    const { timeZone } = deploymentSettings(this.node);
    const validate = this.stage("validate", "ValidateRecords");
    const upload = this.stage("upload", "UploadRecords", { [variables.timeZone]: timeZone });
    const archive = this.stage("archive", "ArchiveRecords");
    const overdue = this.stage("overdue", "FindOverdue");
    const report = this.stage("report", "SendReport", {
      [variables.timeZone]: timeZone,
      [variables.deliveriesUrl]: storage.deliveredFiles.consoleUrl(),
    });
    const day = { period: Duration.days(1) };
    new RunbookAlarm(this, "NoRunEnded", {
      // Days without an invocation have no data. Without the zeros, an earlier day with a report would stand in for them.
      metric: new MathExpression({
        ...day,
        expression: "FILL(reports, 0)",
        usingMetrics: { reports: report.fn.metricInvocations(day) },
        label: "Reports of the day",
      }),
      threshold: 1,
      deadMan: { timeZone },
      summary: "No run has ended today until 00:00: nothing was reported, and perhaps nothing delivered.",
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

    upload.queue.grantSend(validate.fn);
    storage.runs.grant(validate.fn, "query");
    // The first stage joins the long harvests of its mode.
    storage.runs.grantQueryIndex(validate.fn, runsByStartIndex);
    storage.records.grant(validate.fn, "updateMany");
    storage.recordObjects.grantRead(validate.fn, recordPrefixes.records);
    storage.recordObjects.grantPut(validate.fn, recordPrefixes.findings);
    storage.configuration.grant(validate.fn, "query");
    storage.archive.grant(validate.fn, "get", "getMany");
    storage.delinquentRecords.grant(validate.fn, "getMany", "query", "update", "delete");
    storage.delinquentRecords.grantQueryIndex(validate.fn, delinquentsByReleaseIndex);

    archive.queue.grantSend(upload.fn);
    storage.records.grant(upload.fn, "updateMany");
    storage.recordObjects.grantRead(upload.fn, recordPrefixes.records);
    storage.archive.grant(upload.fn, "get", "update", "insertMany", "delete");
    storage.configuration.grant(upload.fn, "query");
    storage.deliveries.grant(upload.fn, "get", "put");
    storage.leases.grant(upload.fn, "get", "put", "delete");
    storage.deliveredFiles.grantPut(upload.fn);
    storage.deliveredFiles.grantRead(upload.fn);
    grantSftpLogins(upload.fn);
    grantPublish(storage.bus, upload.fn);

    overdue.queue.grantSend(archive.fn);
    storage.records.grant(archive.fn, "updateMany");
    storage.archive.grant(archive.fn, "get", "update", "updateMany");
    storage.sourceStatus.grant(archive.fn, "update");
    grantPublish(storage.bus, archive.fn);

    storage.configuration.grant(overdue.fn, "query");
    storage.sourceStatus.grant(overdue.fn, "getMany");

    grantMail(storage, report.fn);
    storage.runs.grant(report.fn, "query");
    storage.configuration.grant(report.fn, "query");
    storage.sourceStatus.grant(report.fn, "getMany", "update");
    storage.sourceRuns.grant(report.fn, "put");
    grantPublish(storage.bus, report.fn);
    this.resends = this.resendFiles(storage);
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
      description: "Sends a delivered file to its receiver once more",
      timeout: timeouts.stage,
    });
    queue.addConsumer(fn, { batchSize: 1 });
    storage.deliveries.grant(fn, "get", "update");
    storage.deliveredFiles.grantRead(fn);
    storage.configuration.grant(fn, "get");
    grantSftpLogins(fn);
    return queue;
  }

  /** @param id of the function */
  private stage(stage: Stage, id: string, environment: Record<string, string> = {}): StageParts {
    const { queue: name, ...named } = stageParts[stage];
    const queue = new WorkQueue(this, `${stage}Queue`, {
      name,
      readerTimeout: timeouts.stage,
      maxReceiveCount: stageTries,
      deadLetterSummary: `The daily delivery stopped at the stage "${stage}".`,
      runbook: "delivery-stopped",
    });
    const fn = new DeployedFunction(this, id, { ...named, timeout: timeouts.stage, environment });
    queue.addConsumer(fn, { batchSize: 1 });
    return { queue, fn };
  }
}
