import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { capturedUrlsByWantedIndex, scheduleNames, snapshotPrefixes, variables } from "../../shared/names.ts";
import { partTries } from "../../shared/snapshots/index/build/index-build.ts";
import { constructId } from "../constructs/construct-id.ts";
import {
  allowLoop,
  DeployedFunction,
  stopLoop,
  timeouts,
  wholeProcessorMiB,
} from "../constructs/deployed-function.ts";
import { FunctionSchedule } from "../constructs/function-schedule.ts";
import { grantMail, grantPublish } from "../constructs/grants.ts";
import { deployReaders } from "../constructs/response-readers.ts";
import { WorkQueue, type WorkQueueName } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { RequestsStack } from "./requests.ts";
import type { StorageStack } from "./storage.ts";

interface SnapshotsStackProps extends StackProps {
  storage: StorageStack;
  requests: RequestsStack;
}

/**
 * The interval at which jobs are created. An index takes hours; jobs begin within a minute after it is ready.
 */
const generateInterval = Duration.minutes(1);

/**
 * The maximum number of concurrent build steps. Builds must neither saturate the storage nor use all
 * concurrent executions of the account.
 */
const indexPartsAtOnce = 20;

/** Web snapshots: harvest definitions, their deduplication indexes, and the jobs that capture sites into WARC files. */
export class SnapshotsStack extends Stack {
  readonly api: DeployedFunction;
  private readonly storage: StorageStack;
  private readonly requests: RequestsStack;
  private readonly indexRequests = this.queue("indexRequests", "A deduplication index could not be built.");
  private readonly indexParts = this.queue(
    "indexParts",
    "A part of a deduplication index could not be built.",
  );
  private readonly indexAnswers = this.queue("indexAnswers", "The state of an index could not be stored.");
  private readonly captureJobs = this.queue("captureJobs", "A capture could not be started.");
  private readonly capturedJobs = this.queue("capturedJobs", "The files of a capture could not be written.");
  private readonly capturePackages = this.queue(
    "capturePackages",
    "A capture could not be packed for viewing.",
  );

  constructor(scope: Construct, id: string, props: SnapshotsStackProps) {
    super(scope, id, props);
    this.storage = props.storage;
    this.requests = props.requests;
    this.api = this.serveApi();
    this.buildIndexes();
    this.recordIndex();
    this.generateJobs();
    this.beginCapture();
    this.readCapture();
    this.finishCapture();
    this.packCapture();
  }

  private queue(name: WorkQueueName, deadLetterSummary: string): WorkQueue {
    return new WorkQueue(this, constructId(name), {
      name,
      readerTimeout: timeouts.longStage,
      maxReceiveCount: partTries,
      deadLetterSummary,
      runbook: "snapshots-stopped",
    });
  }

  private serveApi(): DeployedFunction {
    const { storage } = this;
    const fn = new DeployedFunction(this, "Api", {
      file: "snapshots-api",
      description: "Serves the routes of web snapshots",
      timeout: timeouts.longApi,
    });
    storage.snapshots.grant(fn, "get", "query", "put", "update", "delete");
    storage.keyedRequests.grant(fn, "get", "put", "delete");
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.jobs);
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.indexes);
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.packages);
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.seeds);
    storage.snapshotObjects.grantPut(fn, snapshotPrefixes.seeds);
    // Needed for the files of uploaded jobs. Without the permission to list, S3 would return 403 for a
    // missing file.
    storage.snapshotObjects.grantPut(fn, snapshotPrefixes.jobs);
    storage.snapshotObjects.grantList(fn);
    this.indexRequests.grantSend(fn);
    this.capturePackages.grantSend(fn);
    return fn;
  }

  /**
   * Adds the functions that build indexes. Parts are built in parallel; each function stays within its
   * memory.
   */
  private buildIndexes(): void {
    const plan = new DeployedFunction(this, "PlanIndex", {
      file: "plan-index",
      description: "Starts the build of a deduplication index",
      timeout: timeouts.start,
    });
    this.indexRequests.addConsumer(plan, { batchSize: 1 });
    const build = new DeployedFunction(this, "BuildIndexPart", {
      file: "build-index-part",
      description: "Runs one step of the build of a deduplication index",
      timeout: timeouts.longStage,
      // The last range of a compressed log of 8 GB requires the decompression of the whole log.
      memoryMiB: wholeProcessorMiB,
      recursion: stopLoop("The last division sends the shards, and the last shard ends the build."),
    });
    this.indexParts.addConsumer(build, { batchSize: 1, maxConcurrency: indexPartsAtOnce });
    this.storage.indexBuilds.grant(plan, "update");
    this.storage.indexBuilds.grant(build, "get", "update");
    for (const fn of [plan, build]) {
      const { snapshotObjects } = this.storage;
      snapshotObjects.grantRead(fn, snapshotPrefixes.indexBuilds);
      snapshotObjects.grantPut(fn, snapshotPrefixes.indexBuilds);
      snapshotObjects.grantPut(fn, snapshotPrefixes.indexes);
      // Without this permission, S3 would return 403 for a missing file.
      snapshotObjects.grantList(fn);
      this.indexParts.grantSend(fn);
      this.indexAnswers.grantSend(fn);
    }
    this.storage.snapshotObjects.grantRead(build, snapshotPrefixes.jobs);
  }

  private recordIndex(): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "RecordIndex", {
      file: "record-index",
      description: "Stores the state of a deduplication index, and starts the jobs that wait for it",
      timeout: timeouts.reader,
    });
    this.indexAnswers.addConsumer(fn, { batchSize: 1 });
    storage.snapshots.grant(fn, "get", "put", "update");
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.seeds);
    storage.snapshotObjects.grantPut(fn, snapshotPrefixes.seeds);
    this.captureJobs.grantSend(fn);
    grantPublish(storage.bus, fn);
    grantMail(storage, fn);
  }

  private generateJobs(): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "GenerateJobs", {
      file: "generate-jobs",
      description: "Creates jobs from the harvest definitions that may start",
      timeout: timeouts.start,
    });
    storage.snapshots.grant(fn, "get", "query", "put", "update");
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.seeds);
    storage.snapshotObjects.grantPut(fn, snapshotPrefixes.seeds);
    storage.capturedUrls.grantQueryIndex(fn, capturedUrlsByWantedIndex);
    this.indexRequests.grantSend(fn);
    this.captureJobs.grantSend(fn);
    this.capturedJobs.grantSend(fn);
    grantPublish(storage.bus, fn);
    grantMail(storage, fn);
    new FunctionSchedule(this, "Generate", {
      fn,
      scheduleName: scheduleNames.generateJobs,
      when: { every: generateInterval },
      deadLetters: storage.scheduleDeadLetters,
      alarm: {
        errors: 5,
        period: Duration.minutes(10),
        summary: "No jobs are created from harvest definitions.",
        runbook: "snapshots-stopped",
      },
    });
  }

  private beginCapture(): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "BeginCapture", {
      file: "begin-capture",
      description: "Begins a capture: requests its seeds",
      timeout: timeouts.start,
    });
    this.captureJobs.addConsumer(fn, { batchSize: 1 });
    storage.snapshots.grant(fn, "get", "update");
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.seeds);
    storage.capturedUrls.grant(fn, "put");
    this.requests.requests.grantSend(fn);
  }

  private readCapture(): void {
    const { storage, requests } = this;
    deployReaders(this, "snapshots", {
      responses: requests.responses,
      bodies: storage.responseBodies,
      additions: {
        capture: {
          recursion: allowLoop("A capture ends at its limit of depth, bytes, objects or time."),
          grant: (fn) => {
            storage.responseBodies.grantList(fn);
            storage.snapshots.grant(fn, "get", "update");
            storage.snapshotObjects.grantRead(fn, snapshotPrefixes.seeds);
            storage.capturedUrls.grant(fn, "get", "put", "update");
            storage.capturedUrls.grantQueryIndex(fn, capturedUrlsByWantedIndex);
            storage.snapshotObjects.grantPut(fn, snapshotPrefixes.parts);
            storage.snapshotObjects.grantRead(fn, snapshotPrefixes.indexes);
            storage.snapshotObjects.grantList(fn);
            requests.requests.grantSend(fn);
            this.capturedJobs.grantSend(fn);
          },
        },
      },
    });
  }

  private finishCapture(): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "FinishCapture", {
      file: "finish-capture",
      description: "Joins the records of a capture into WARC files, and writes their index and the crawl log",
      timeout: timeouts.longStage,
      // The URLs of 100,000 captures are in memory.
      memoryMiB: wholeProcessorMiB,
      environment: { [variables.userAgent]: deploymentSettings(this.node).userAgent },
    });
    this.capturedJobs.addConsumer(fn, { batchSize: 1, maxConcurrency: 5 });
    storage.snapshots.grant(fn, "get", "update");
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.seeds);
    storage.capturedUrls.grant(fn, "query", "update");
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.parts);
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.jobs);
    storage.snapshotObjects.grantPut(fn, snapshotPrefixes.jobs);
    storage.snapshotObjects.grantList(fn);
    grantPublish(storage.bus, fn);
    grantMail(storage, fn);
  }

  private packCapture(): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "PackCapture", {
      file: "pack-capture",
      description: "Packs a capture as WACZ, for viewers",
      timeout: timeouts.longStage,
      // The index and the crawl log of 100,000 captures are in memory.
      memoryMiB: wholeProcessorMiB,
    });
    this.capturePackages.addConsumer(fn, { batchSize: 1, maxConcurrency: 5 });
    storage.snapshots.grant(fn, "get");
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.seeds);
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.jobs);
    storage.snapshotObjects.grantRead(fn, snapshotPrefixes.packages);
    storage.snapshotObjects.grantPut(fn, snapshotPrefixes.packages);
    storage.snapshotObjects.grantList(fn);
  }
}
