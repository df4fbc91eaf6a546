import { CfnParameter, Duration, RemovalPolicy, Stack, type StackProps, TimeZone } from "aws-cdk-lib";
import {
  ContextAttribute,
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
} from "aws-cdk-lib/aws-scheduler";
import { SqsSendMessage } from "aws-cdk-lib/aws-scheduler-targets";
import { Construct, type Node } from "constructs";
import {
  archiveBySourceIndex,
  dailyRunHour,
  recordPrefixes,
  runsByStartIndex,
  scheduleNames,
  variables,
} from "../../shared/names.ts";
import type { RunMode } from "../../shared/records/runs/run.ts";
import { allowLoop, DeployedFunction, timeouts, wholeProcessorMiB } from "../constructs/deployed-function.ts";
import { FunctionSchedule } from "../constructs/function-schedule.ts";
import { grantPublish } from "../constructs/grants.ts";
import { OneTimeSchedules } from "../constructs/one-time-schedules.ts";
import { joinPrivateNetwork } from "../constructs/private-network.ts";
import { deployReaders } from "../constructs/response-readers.ts";
import type { ScheduleDeadLetters } from "../constructs/schedule-dead-letters.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { CheckSetStack } from "./check-set.ts";
import type { DeliveryStack } from "./delivery.ts";
import type { DocumentsStack } from "./documents.ts";
import type { RequestsStack } from "./requests.ts";
import type { StorageStack } from "./storage.ts";

/** The time from the start of a run after which nothing of the run is read. */
const runDeadlineMinutes = 180;

/** Returns the variables of functions that start runs: how long runs wait for their sources. */
export function runDeadlines(node: Node): Record<string, string> {
  return {
    [variables.runDeadlineMinutes]: String(runDeadlineMinutes),
    [variables.softDeadlineMinutes]: String(deploymentSettings(node).softDeadlineMinutes),
  };
}

/** The maximum number of parts of reconversions that are converted at the same time. */
const reconversionInvocations = 5;

/** The shortest interval of a source. */
const pollInterval = Duration.minutes(5);

interface HarvestStackProps extends StackProps {
  storage: StorageStack;
  requests: RequestsStack;
  delivery: DeliveryStack;
  checkSet: CheckSetStack;
  documents: DocumentsStack;
}

/** The harvest: the daily start, and the readers of responses. */
export class HarvestStack extends Stack {
  readonly runStarts: WorkQueue;
  /** The queue of reconversions of delivered records. */
  readonly reconversions: WorkQueue;
  private readonly storage: StorageStack;
  private readonly requests: RequestsStack;
  private readonly delivery: DeliveryStack;
  private readonly checkSet: CheckSetStack;

  constructor(scope: Construct, id: string, props: HarvestStackProps) {
    super(scope, id, props);
    this.storage = props.storage;
    this.requests = props.requests;
    this.delivery = props.delivery;
    this.checkSet = props.checkSet;
    this.runStarts = new WorkQueue(this, "RunStarts", {
      name: "runStarts",
      readerTimeout: timeouts.start,
      deadLetterSummary: "A harvest could not be started.",
      runbook: "harvest-not-started",
    });
    const startHarvest = this.startHarvest();
    this.readMail([startHarvest, this.pollSources(props.documents)]);
    const tikaUrl = new CfnParameter(this, "TikaUrl", {
      default: "",
      description:
        "An Apache Tika server that detects languages (http://host:9998). Empty: the embedded detector.",
    }).valueAsString;
    this.readResponses(tikaUrl);
    this.reconversions = this.reconvertRecords(tikaUrl);
  }

  private startHarvest(): DeployedFunction {
    const { storage, delivery } = this;
    const fn = new DeployedFunction(this, "StartHarvest", {
      file: "start-harvest",
      description: "Starts a run and requests the first page of each source",
      timeout: timeouts.start,
      environment: runDeadlines(this.node),
    });
    this.runStarts.addConsumer(fn, { batchSize: 1 });
    storage.configuration.grant(fn, "get", "getMany", "query");
    storage.sourceStatus.grant(fn, "get", "update");
    storage.archive.grant(fn, "getMany");
    this.grantRun(fn);
    // A start also resumes the stages at which earlier runs stopped, and reconciles the tallies of active
    // runs.
    storage.runs.grant(fn, "query");
    storage.runs.grantQueryIndex(fn, runsByStartIndex);
    for (const queue of Object.values(delivery.queues)) queue.grantSend(fn);

    const group = new ScheduleGroup(this, "Schedules", {
      scheduleGroupName: scheduleNames.group,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { scheduleDeadLetters: deadLetters } = storage;
    new OneTimeSchedules(this, "Deadline", {
      group,
      groupName: scheduleNames.group,
      prefix: "deadline",
      queues: [delivery.queues.validate],
      queueArnVariable: "validateQueueArn",
      deadLetters,
      wildcardReason: "A deadline's name contains its run id, which is known only at run time.",
    }).grantCreate(fn);
    this.daily("DailyLive", scheduleNames.dailyLive, { mode: "LIVE", group, deadLetters });
    this.daily("DailyTest", scheduleNames.dailyTest, { mode: "TEST", group, deadLetters });
    return fn;
  }

  /** Adds the function that starts the harvests of sources with a separate interval, and its schedule. */
  private pollSources(documents: DocumentsStack): DeployedFunction {
    const { storage } = this;
    const fn = new DeployedFunction(this, "PollSources", {
      file: "poll-sources",
      description: "Starts the harvests of sources that are read on their own interval, or once",
      timeout: timeouts.start,
    });
    // An update notes that the event of a new source is published.
    storage.configuration.grant(fn, "get", "query", "update");
    storage.sourceStatus.grant(fn, "get", "update");
    storage.archive.grant(fn, "getMany");
    this.requests.requests.grantSend(fn);
    storage.runs.grant(fn, "get", "getMany", "put", "update", "query", "insertMany");
    storage.runs.grantQueryIndex(fn, runsByStartIndex);
    documents.uploads.grantSend(fn);
    // Needed for the listing of a source of the type DIRECT.
    storage.recordObjects.grantRead(fn, recordPrefixes.runs);
    storage.recordObjects.grantPut(fn, recordPrefixes.runs);
    grantPublish(storage.bus, fn);
    new FunctionSchedule(this, "Poll", {
      fn,
      scheduleName: scheduleNames.pollSources,
      when: { every: pollInterval },
      deadLetters: storage.scheduleDeadLetters,
      alarm: {
        errors: 3,
        period: Duration.minutes(30),
        summary: "The poll of sources fails, so sources with a separate interval are not read.",
        runbook: "harvest-not-started",
      },
    });
    return fn;
  }

  private readMail(starters: DeployedFunction[]): void {
    const { storage } = this;
    const mailReadings = new WorkQueue(this, "MailReadings", {
      name: "mailReadings",
      readerTimeout: timeouts.stage,
      deadLetterSummary: "The received mails of a source could not be read.",
      runbook: "mail-not-read",
    });
    for (const starter of starters) mailReadings.grantSend(starter);
    const fn = new DeployedFunction(this, "ReadMail", {
      file: "read-mail",
      description: "Reads the received mails of a source and requests the linked articles",
      timeout: timeouts.stage,
    });
    mailReadings.addConsumer(fn, { batchSize: 1 });
    this.grantReader(fn);
    storage.receivedMail.grantList(fn);
    storage.receivedMail.grantRead(fn);
    storage.readMail.grant(fn, "query", "put");
  }

  /** Deploys the readers of responses. */
  private readResponses(tikaUrl: string): void {
    const { storage, requests } = this;
    const grant = (fn: DeployedFunction) => this.grantReader(fn);
    deployReaders(this, "harvest", {
      responses: requests.responses,
      bodies: storage.responseBodies,
      additions: {
        feed: { grant, recursion: allowLoop("A feed has at most 1,000 pages.") },
        page: { grant, recursion: allowLoop("A crawl requests as many pages as its source allows.") },
        oai: {
          recursion: allowLoop(
            "A list ends with its last page, or at its limits of pages, repeats or restarts.",
          ),
          environment: { [variables.timeZone]: deploymentSettings(this.node).timeZone },
          grant: (fn) => {
            this.grantReader(fn);
            storage.sourceStatus.grant(fn, "get", "update");
            storage.records.grant(fn, "update", "insertMany");
            storage.recordObjects.grantPut(fn, recordPrefixes.records);
            this.checkSet.registrations.grantSend(fn);
            // Continues a list that takes several invocations.
            requests.responses.get("oai")?.grantSend(fn);
            storage.documents.grant(fn, "getMany", "query", "put", "update");
            storage.recordObjects.grantPut(fn, recordPrefixes.documents);
            storage.items.grant(fn, "get", "query", "put");
            grantPublish(storage.bus, fn);
          },
        },
        article: {
          recursion: allowLoop(
            "An article requests at most two linked records, and its DOI and each name once.",
          ),
          environment: {
            [variables.timeZone]: deploymentSettings(this.node).timeZone,
            [variables.tikaUrl]: tikaUrl,
          },
          grant: (fn) => {
            joinPrivateNetwork(fn);
            this.grantReader(fn);
            // Recipes are listed by their kind.
            storage.configuration.grant(fn, "query");
            // Records the articles that are read without a delivery.
            storage.archive.grant(fn, "get", "update", "insertMany");
            storage.records.grant(fn, "update", "insertMany");
            storage.recordObjects.grantPut(fn, recordPrefixes.records);
            // Stores the choices that are sent back to a translation server.
            storage.responseBodies.grantPut(fn);
            storage.authorities.grant(fn, "getMany");
            storage.pages.grantPut(fn);
            grantPublish(storage.bus, fn);
          },
        },
        authority: {
          recursion: allowLoop("A name resumes the articles that wait for it only once."),
          grant: (fn) => this.grantLookups(fn),
        },
        "doi-metadata": {
          recursion: allowLoop("A DOI resumes the articles that wait for it only once."),
          grant: (fn) => this.grantLookups(fn),
        },
      },
    });
  }

  /** Permits a reader to store answers, and to send the waiting articles to their reader again. */
  private grantLookups(fn: DeployedFunction): void {
    this.requests.responses.get("article")?.grantSend(fn);
    this.storage.authorities.grant(fn, "getMany", "put");
    this.storage.runs.grant(fn, "get", "getMany");
  }

  /** Permits a reader to look up its source and earlier deliveries. */
  private grantReader(fn: DeployedFunction): void {
    this.storage.configuration.grant(fn, "get");
    this.storage.archive.grant(fn, "getMany");
    this.grantRun(fn);
  }

  /**
   * Permits a participant of a run to store its results and to send requests. The last participant starts the
   * delivery.
   */
  private grantRun(fn: DeployedFunction): void {
    const { storage, requests, delivery } = this;
    requests.requests.grantSend(fn);
    storage.runs.grant(fn, "get", "getMany", "put", "update", "insertMany");
    // Needed for the outcomes of listings.
    storage.recordObjects.grantRead(fn, recordPrefixes.runs);
    storage.recordObjects.grantPut(fn, recordPrefixes.runs);
    delivery.queues.validate.grantSend(fn);
  }

  /** Adds the function that converts delivered records again. */
  private reconvertRecords(tikaUrl: string): WorkQueue {
    const { storage, requests } = this;
    const queue = new WorkQueue(this, "Reconversions", {
      name: "reconversions",
      readerTimeout: timeouts.stage,
      deadLetterSummary: "Delivered records could not be converted again.",
      runbook: "records-not-reconverted",
    });
    const fn = new DeployedFunction(this, "ReconvertRecords", {
      file: "reconvert-records",
      description: "Converts delivered records again, and compares them with what was delivered",
      timeout: timeouts.stage,
      memoryMiB: wholeProcessorMiB,
      environment: {
        [variables.timeZone]: deploymentSettings(this.node).timeZone,
        [variables.tikaUrl]: tikaUrl,
      },
      recursion: allowLoop(
        "Each invocation requests the open parts once, and the last part requests the reconversion again.",
      ),
    });
    joinPrivateNetwork(fn);
    queue.addConsumer(fn, { batchSize: 1, maxConcurrency: reconversionInvocations });
    queue.grantSend(fn);
    // Names that have not been looked up before are looked up.
    requests.requests.grantSend(fn);
    storage.authorities.grant(fn, "getMany");
    storage.pages.grantRead(fn);
    // Without this permission, S3 would return 403 for a deleted page.
    storage.pages.grantList(fn);
    storage.runs.grant(fn, "get", "getMany", "put", "update", "insertMany");
    const { records, documents, runs } = recordPrefixes;
    for (const folder of [records, documents, runs]) storage.recordObjects.grantRead(fn, folder);
    storage.recordObjects.grantPut(fn, runs);
    storage.records.grant(fn, "get");
    storage.documents.grant(fn, "getMany");
    storage.archive.grant(fn, "get");
    storage.archive.grantQueryIndex(fn, archiveBySourceIndex);
    storage.configuration.grant(fn, "get", "query");
    storage.deliveries.grant(fn, "get", "update");
    return queue;
  }

  private daily(
    id: string,
    scheduleName: string,
    { mode, group, deadLetters }: { mode: RunMode; group: ScheduleGroup; deadLetters: ScheduleDeadLetters },
  ): void {
    const { queue } = this.runStarts;
    const may = { action: "sqs:SendMessage", resources: [queue.queueArn] };
    const timeZone = TimeZone.of(deploymentSettings(this.node).timeZone);
    new Schedule(this, id, {
      scheduleName,
      scheduleGroup: group,
      description: `Harvests and delivers all ${mode} sources`,
      schedule: ScheduleExpression.cron({ hour: String(dailyRunHour), minute: "0", timeZone }),
      target: new SqsSendMessage(queue, {
        role: deadLetters.role(new Construct(this, `${id}Parts`), may).withoutPolicyUpdates(),
        deadLetterQueue: deadLetters.queue,
        input: ScheduleTargetInput.fromObject({
          deliveryMode: mode,
          scheduledTime: ContextAttribute.scheduledTime,
        }),
        maxEventAge: Duration.hours(2),
        retryAttempts: 10,
      }),
    });
  }
}
