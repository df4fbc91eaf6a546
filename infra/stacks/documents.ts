import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import { Match, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import {
  documentsByChangeIndex,
  documentsByPendingIndex,
  eventSource,
  importPrefix,
  recordPrefixes,
  scheduleNames,
  sourcesByHeldDeletionsIndex,
  variables,
} from "../../shared/names.ts";
import { importTries } from "../../shared/records/sources/conf/import-job.ts";
import { allowLoop, DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { FunctionSchedule } from "../constructs/function-schedule.ts";
import { grantFolders, grantPublish } from "../constructs/grants.ts";
import { deployReaders } from "../constructs/response-readers.ts";
import { SourcePublishers, sourceEventTypes } from "../constructs/source-publishers.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { CheckSetStack } from "./check-set.ts";
import type { RequestsStack } from "./requests.ts";
import type { StorageStack } from "./storage.ts";

/** How often changes that a killed reader has left pending are published. */
const publishInterval = Duration.minutes(5);

interface DocumentsStackProps extends StackProps {
  storage: StorageStack;
  requests: RequestsStack;
  checkSet: CheckSetStack;
}

/** Documents: the reader that stores their files as items, and the publication of pending changes. */
export class DocumentsStack extends Stack {
  /** The queue of uploads whose files have been sent. */
  readonly uploads: WorkQueue;
  /** The queue of deletions of all documents of a source. */
  readonly deletions: WorkQueue;
  /** The queue of imports of configurations with many changes. */
  readonly imports: WorkQueue;
  private readonly storage: StorageStack;
  private readonly requests: RequestsStack;

  constructor(scope: Construct, id: string, props: DocumentsStackProps) {
    super(scope, id, props);
    this.storage = props.storage;
    this.requests = props.requests;
    this.uploads = this.readUploads();
    this.deletions = this.deleteDocuments();
    this.imports = this.importConfigurations();
    this.readResponses();
    this.publishChanges();
    new SourcePublishers(this, "SourcePublishers", {
      bus: props.storage.bus,
      publishers: deploymentSettings(this.node).sourcePublishers,
    });
    this.changeSources(props.checkSet);
  }

  /** Adds the function for sources that other publishers add, change and delete by events. */
  private changeSources(checkSet: CheckSetStack): void {
    const { storage } = this;
    const sourceEvents = new WorkQueue(this, "SourceEvents", {
      name: "sourceEvents",
      readerTimeout: timeouts.reader,
      deadLetterSummary: "An event about a source was refused.",
      runbook: "source-events-dead-letters",
    });
    new Rule(this, "SourcesOfOthers", {
      description: "Events about sources by other publishers",
      eventBus: storage.bus,
      eventPattern: {
        source: Match.anythingBut(eventSource),
        detailType: sourceEventTypes,
      },
      targets: [new SqsQueue(sourceEvents.queue)],
    });
    const fn = new DeployedFunction(this, "ChangeSource", {
      file: "change-source",
      description: "Adds, changes or deletes a source that another publisher put on the bus",
      timeout: timeouts.reader,
    });
    sourceEvents.addConsumer(fn, { batchSize: 1 });
    storage.configuration.grant(fn, "get", "put", "delete");
    // A deleted source is no longer read.
    storage.sourceStatus.grant(fn, "get", "update");
    storage.sourceQuality.grant(fn, "query", "delete");
    storage.runs.grant(fn, "get", "update");
    checkSet.registrations.grantSend(fn);
    this.deletions.grantSend(fn);
    grantPublish(storage.bus, fn);
  }

  /** Adds the function that deletes the documents of deleted sources. */
  private deleteDocuments(): WorkQueue {
    const { storage, requests } = this;
    const deletions = new WorkQueue(this, "DocumentDeletions", {
      name: "documentDeletions",
      readerTimeout: timeouts.stage,
      deadLetterSummary: "The documents of a deleted source could not be deleted.",
      runbook: "documents-not-deleted",
    });
    const fn = new DeployedFunction(this, "DeleteDocuments", {
      file: "delete-documents",
      description: "Deletes the documents of a deleted source",
      timeout: timeouts.stage,
      recursion: allowLoop("Each invocation deletes further documents of the source."),
    });
    deletions.addConsumer(fn, { batchSize: 1 });
    deletions.grantSend(fn);
    storage.configuration.grant(fn, "get");
    storage.documents.grant(fn, "getMany", "query", "put");
    storage.items.grant(fn, "get", "query", "put");
    requests.requests.grantSend(fn);
    grantPublish(storage.bus, fn);
    return deletions;
  }

  /** Adds the function that reads uploads. The next delivery includes the records that it converts. */
  private readUploads(): WorkQueue {
    const { storage, requests } = this;
    const uploads = new WorkQueue(this, "DocumentUploads", {
      name: "documentUploads",
      readerTimeout: timeouts.stage,
      deadLetterSummary: "An upload could not be read.",
      runbook: "uploads-not-read",
    });
    const fn = new DeployedFunction(this, "ReadUpload", {
      file: "read-upload",
      description: "Keeps the documents and files of an upload",
      timeout: timeouts.stage,
      recursion: allowLoop("Each invocation reads a further batch of the upload."),
      environment: { [variables.timeZone]: deploymentSettings(this.node).timeZone },
    });
    uploads.addConsumer(fn, { batchSize: 1 });
    // A message to itself continues an upload that one invocation cannot finish.
    uploads.grantSend(fn);
    storage.documentUploads.grant(fn, "get", "put", "update");
    storage.uploadedObjects.grantRead(fn);
    storage.uploadedObjects.grantPut(fn);
    // Without this permission, S3 would return 403 for a file that was not sent.
    storage.uploadedObjects.grantList(fn);
    storage.files.grantPut(fn);
    storage.configuration.grant(fn, "get");
    storage.archive.grant(fn, "getMany");
    // Needed for downloaded files, and for the objects of folders.
    storage.responseBodies.grantRead(fn);
    grantFolders(fn);
    storage.sourceStatus.grant(fn, "get", "update");
    storage.documents.grant(fn, "getMany", "query", "put", "update");
    storage.items.grant(fn, "get", "query", "put");
    storage.records.grant(fn, "get", "update", "insertMany");
    storage.recordObjects.grantPut(fn, recordPrefixes.records);
    storage.recordObjects.grantPut(fn, recordPrefixes.documents);
    storage.recordObjects.grantPut(fn, recordPrefixes.runs);
    storage.runs.grant(fn, "get", "put", "update");
    requests.requests.grantSend(fn);
    grantPublish(storage.bus, fn);
    return uploads;
  }

  private importConfigurations(): WorkQueue {
    const { storage } = this;
    const imports = new WorkQueue(this, "Imports", {
      name: "imports",
      readerTimeout: timeouts.start,
      maxReceiveCount: importTries,
      deadLetterSummary: "An import of a configuration has stopped. A part of it may have been applied.",
      runbook: "import-stopped",
    });
    const fn = new DeployedFunction(this, "ImportConfiguration", {
      file: "import-configuration",
      description: "Applies an import of a configuration with many changes",
      timeout: timeouts.start,
      // An import compiles the patterns of thousands of journals.
      memoryMiB: 1024,
    });
    imports.addConsumer(fn, { batchSize: 1 });
    storage.configuration.grant(fn, "get", "query", "put", "update", "delete");
    storage.leases.grant(fn, "get", "put", "delete");
    storage.sourceQuality.grant(fn, "query", "delete");
    storage.uploadedObjects.grantRead(fn, importPrefix);
    return imports;
  }

  /** Deploys the readers of responses. */
  private readResponses(): void {
    const { storage, requests } = this;
    deployReaders(this, "documents", {
      responses: requests.responses,
      bodies: storage.responseBodies,
      additions: {
        detection: {
          recursion: allowLoop("A detection makes at most six requests."),
          grant: (fn) => {
            storage.detections.grant(fn, "update");
            requests.requests.grantSend(fn);
          },
        },
        "repository-check": {
          recursion: allowLoop("A check makes 500 requests at most: some 15, and one for each page."),
          grant: (fn) => {
            storage.detections.grant(fn, "get", "update");
            requests.requests.grantSend(fn);
          },
        },
        item: {
          recursion: allowLoop("A file has at most 200 pieces."),
          grant: (fn) => {
            storage.items.grant(fn, "get", "put");
            storage.sourceStatus.grant(fn, "get", "update");
            storage.files.grantPut(fn);
            storage.documentUploads.grant(fn, "put");
            this.uploads.grantSend(fn);
            requests.requests.grantSend(fn);
            grantPublish(storage.bus, fn);
          },
        },
      },
    });
  }

  private publishChanges(): void {
    const { storage, requests } = this;
    const fn = new DeployedFunction(this, "PublishChanges", {
      file: "publish-changes",
      description:
        "Publishes changes of documents and items that are still pending, and decides on missing files",
      timeout: timeouts.start,
    });
    storage.configuration.grant(fn, "get");
    storage.sourceStatus.grant(fn, "get", "update");
    storage.sourceStatus.grantQueryIndex(fn, sourcesByHeldDeletionsIndex);
    storage.documents.grantQueryIndex(fn, documentsByChangeIndex);
    storage.documents.grant(fn, "getMany", "put");
    storage.documents.grantQueryIndex(fn, documentsByPendingIndex);
    storage.items.grant(fn, "get", "query", "put");
    storage.items.grantQueryIndex(fn, documentsByPendingIndex);
    requests.requests.grantSend(fn);
    grantPublish(storage.bus, fn);
    new FunctionSchedule(this, "Publish", {
      fn,
      scheduleName: scheduleNames.publishChanges,
      when: { every: publishInterval },
      deadLetters: storage.scheduleDeadLetters,
      alarm: {
        errors: 3,
        period: Duration.minutes(15),
        summary: "Pending changes of documents are not published.",
        runbook: "changes-not-published",
      },
    });
  }
}
