import { Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { type Stage, stageTries } from "../../shared/delivery/stages.ts";
import { functionNames, queueNames, variables } from "../../shared/names.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { grantMail, grantPublish, grantSftpLogins } from "../constructs/grants.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { StorageStack } from "./storage.ts";

/** The stages of the daily delivery: a queue and a function each. */
export class DeliveryStack extends Stack {
  readonly queues: Record<Stage, WorkQueue>;

  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { storage } = props;
    const { timeZone } = deploymentSettings(this.node);

    const queues: Record<Stage, WorkQueue> = {
      validate: this.stageQueue("validate", queueNames.validate, "validateQueue"),
      upload: this.stageQueue("upload", queueNames.upload, "uploadQueue"),
      archive: this.stageQueue("archive", queueNames.archive, "archiveQueue"),
      overdue: this.stageQueue("overdue", queueNames.overdue, "overdueQueue"),
      report: this.stageQueue("report", queueNames.reports, "reportsQueue"),
    };
    this.queues = queues;

    const validateRecords = this.stage("ValidateRecords", {
      functionName: functionNames.validateRecords,
      file: "validate-records",
      description: "Ends the harvest of a run and checks its records",
    });
    queues.upload.grantSend(validateRecords);
    storage.records.grantUpdate(validateRecords);
    storage.configuration.grantRead(validateRecords);
    storage.delinquentRecords.grantReadWrite(validateRecords);
    storage.delinquentRecords.grantDelete(validateRecords);

    const uploadRecords = this.stage("UploadRecords", {
      functionName: functionNames.uploadRecords,
      file: "upload-records",
      description: "Puts the valid records of a run into the files of their groups",
      environment: { [variables.timeZone]: timeZone },
    });
    queues.archive.grantSend(uploadRecords);
    storage.records.grantUpdate(uploadRecords);
    storage.archive.grantReadWrite(uploadRecords);
    storage.archive.grantDelete(uploadRecords);
    storage.configuration.grantRead(uploadRecords);
    storage.deliveries.grantReadWrite(uploadRecords);
    storage.deliveredFiles.grantPut(uploadRecords);
    storage.deliveredFiles.grantRead(uploadRecords);
    grantSftpLogins(uploadRecords);
    grantPublish(storage.bus, uploadRecords);

    const archiveRecords = this.stage("ArchiveRecords", {
      functionName: functionNames.archiveRecords,
      file: "archive-records",
      description: "Notes what was delivered",
    });
    queues.overdue.grantSend(archiveRecords);
    storage.records.grantUpdate(archiveRecords);
    storage.archive.grantUpdate(archiveRecords);
    storage.sourceStatus.grantUpdate(archiveRecords);

    const findOverdue = this.stage("FindOverdue", {
      functionName: functionNames.findOverdue,
      file: "find-overdue",
      description: "Finds the sources of which nothing has come for too long",
    });
    storage.configuration.grantRead(findOverdue);
    storage.sourceStatus.grantRead(findOverdue);

    const sendReport = this.stage("SendReport", {
      functionName: functionNames.sendReport,
      file: "send-report",
      description: "Mails the report of a run and ends it",
      environment: {
        [variables.timeZone]: timeZone,
        [variables.deliveriesUrl]: storage.deliveredFiles.consoleUrl(),
      },
    });
    grantMail(storage.sender, sendReport);
    storage.configuration.grantRead(sendReport);
    grantPublish(storage.bus, sendReport);

    const functions: [WorkQueue, DeployedFunction][] = [
      [queues.validate, validateRecords],
      [queues.upload, uploadRecords],
      [queues.archive, archiveRecords],
      [queues.overdue, findOverdue],
      [queues.report, sendReport],
    ];
    for (const [queue, fn] of functions) {
      queue.feed(fn, { batchSize: 1 });
      // Every stage keeps its result, reads those before it, and says so when it fails.
      storage.runs.grantReadWrite(fn);
      storage.recordObjects.grantRead(fn);
      storage.recordObjects.grantPut(fn);
      queues.report.grantSend(fn);
    }
  }

  private stageQueue(
    stage: Stage,
    queueName: string,
    variable: ConstructorParameters<typeof WorkQueue>[2]["variable"],
  ): WorkQueue {
    return new WorkQueue(this, `${stage}Queue`, {
      queueName,
      variable,
      readerTimeout: timeouts.stage,
      tries: stageTries,
      whenPutAside: `The daily delivery stopped at the stage "${stage}".`,
      runbook: "delivery-stopped",
    });
  }

  private stage(
    id: string,
    props: Pick<
      ConstructorParameters<typeof DeployedFunction>[2],
      "functionName" | "file" | "description" | "environment"
    >,
  ): DeployedFunction {
    return new DeployedFunction(this, id, { ...props, timeout: timeouts.stage });
  }
}
