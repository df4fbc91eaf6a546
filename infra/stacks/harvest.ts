import { CfnParameter, Duration, Stack, type StackProps, TimeZone } from "aws-cdk-lib";
import {
  ContextAttribute,
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
} from "aws-cdk-lib/aws-scheduler";
import { SqsSendMessage } from "aws-cdk-lib/aws-scheduler-targets";
import { Construct } from "constructs";
import type { RunMode } from "../../shared/harvest/run.ts";
import {
  functionNames,
  queueNames,
  recordFolders,
  runsByStartIndex,
  scheduleNames,
  variables,
} from "../../shared/names.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { grantPublish } from "../constructs/grants.ts";
import { OneTimeSchedules } from "../constructs/one-time-schedules.ts";
import type { ScheduleDeadLetters } from "../constructs/schedule-dead-letters.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { DeliveryStack } from "./delivery.ts";
import type { RequestsStack } from "./requests.ts";
import type { StorageStack } from "./storage.ts";

/** After this long a run delivers what it has. */
const runDeadlineMinutes = 180;

/** One whole processor: a list of 10 000 articles takes 6 s of it, and a feed of 32 MiB took 620 MiB. */
const listReaderMemoryMiB = 1769;

interface HarvestStackProps extends StackProps {
  storage: StorageStack;
  requests: RequestsStack;
  delivery: DeliveryStack;
}

/** The harvest: the daily start, and the readers of what the hosts answered. */
export class HarvestStack extends Stack {
  readonly runStarts: WorkQueue;

  constructor(scope: Construct, id: string, props: HarvestStackProps) {
    super(scope, id, props);
    const { storage, requests, delivery } = props;

    const runStarts = new WorkQueue(this, "RunStarts", {
      queueName: queueNames.runStarts,
      variable: "runStartsQueue",
      readerTimeout: timeouts.start,
      tries: 5,
      whenPutAside: "A harvest could not be started.",
      runbook: "harvest-not-started",
    });
    const startHarvest = new DeployedFunction(this, "StartHarvest", {
      functionName: functionNames.startHarvest,
      file: "start-harvest",
      description: "Opens a run and asks for the first page of each source",
      timeout: timeouts.start,
      environment: { [variables.runDeadlineMinutes]: String(runDeadlineMinutes) },
    });
    runStarts.feed(startHarvest, { batchSize: 1 });
    this.runStarts = runStarts;
    storage.configuration.grant(startHarvest, "get", "getMany", "query");
    storage.sourceStatus.grant(startHarvest, "update");
    storage.archive.grant(startHarvest, "getMany");

    const readFeed = new DeployedFunction(this, "ReadFeed", {
      functionName: functionNames.readFeed,
      file: "read-feed",
      description: "Reads a feed and asks for the pages of its articles",
      timeout: timeouts.list,
      memoryMiB: listReaderMemoryMiB,
    });
    // A feed may take 32 MiB, and its neighbour in a batch as much again.
    requests.feedResponses.feed(readFeed, { batchSize: 1, maxConcurrency: 10 });

    const readCrawledPage = new DeployedFunction(this, "ReadCrawledPage", {
      functionName: functionNames.readCrawledPage,
      file: "read-crawled-page",
      description: "Reads a page of a crawl and asks for the articles and pages that it links to",
      timeout: timeouts.list,
      memoryMiB: listReaderMemoryMiB,
    });
    requests.pageResponses.feed(readCrawledPage, { batchSize: 1, maxConcurrency: 10 });

    const mailReadings = new WorkQueue(this, "MailReadings", {
      queueName: queueNames.mailReadings,
      variable: "mailReadingsQueue",
      readerTimeout: timeouts.stage,
      tries: 5,
      whenPutAside: "The received mails of a source could not be read.",
      runbook: "mail-not-read",
    });
    mailReadings.grantSend(startHarvest);
    const readMail = new DeployedFunction(this, "ReadMail", {
      functionName: functionNames.readMail,
      file: "read-mail",
      description: "Reads the received mails of a source and asks for the articles that they link to",
      timeout: timeouts.stage,
    });
    mailReadings.feed(readMail, { batchSize: 1 });
    storage.receivedMail.grantList(readMail);
    storage.receivedMail.grantRead(readMail);
    storage.readMail.grant(readMail, "query", "put");

    const tikaUrl = new CfnParameter(this, "TikaUrl", {
      default: "",
      description:
        "An Apache Tika server that detects languages (http://host:9998). Empty: the embedded detector does.",
    });
    const readArticle = new DeployedFunction(this, "ReadArticle", {
      functionName: functionNames.readArticle,
      file: "read-article",
      description: "Reads an article's page and turns it into a MARC record",
      timeout: timeouts.reader,
      environment: {
        [variables.timeZone]: deploymentSettings(this.node).timeZone,
        [variables.tikaUrl]: tikaUrl.valueAsString,
      },
    });
    requests.articleResponses.feed(readArticle, { batchSize: 10, maxConcurrency: 20 });
    storage.records.grant(readArticle, "get", "update");
    storage.recordObjects.grantPut(readArticle, recordFolders.records);
    // The choices that are posted back to a translation server.
    storage.responseBodies.grantPut(readArticle);
    storage.authorities.grant(readArticle, "getMany");
    grantPublish(storage.bus, readArticle);

    const readAuthority = new DeployedFunction(this, "ReadAuthority", {
      functionName: functionNames.readAuthority,
      file: "read-authority",
      description: "Reads what the authority file says of a name and wakes the articles that waited for it",
      timeout: timeouts.reader,
    });
    requests.authorityResponses.feed(readAuthority, { batchSize: 10, maxConcurrency: 5 });
    requests.articleResponses.grantSend(readAuthority);
    storage.authorities.grant(readAuthority, "getMany", "put");
    storage.runs.grant(readAuthority, "get", "getMany");
    storage.responseBodies.grantRead(readAuthority);

    for (const reader of [readFeed, readCrawledPage, readArticle]) storage.responseBodies.grantRead(reader);
    for (const reader of [readFeed, readCrawledPage, readArticle, readMail]) {
      storage.configuration.grant(reader, "get");
      storage.archive.grant(reader, "getMany");
    }
    // It also asks again for the stages at which earlier runs stopped.
    storage.runs.grantQueryIndex(startHarvest, runsByStartIndex);
    for (const queue of Object.values(delivery.queues)) queue.grantSend(startHarvest);
    for (const fn of [startHarvest, readFeed, readCrawledPage, readArticle, readMail]) {
      requests.requests.grantSend(fn);
      storage.runs.grant(fn, "get", "put", "update");
      // What a listing has led to.
      storage.recordObjects.grantRead(fn, recordFolders.runs);
      storage.recordObjects.grantPut(fn, recordFolders.runs);
      delivery.queues.validate.grantSend(fn);
    }

    const group = new ScheduleGroup(this, "Schedules", { scheduleGroupName: scheduleNames.group });
    new OneTimeSchedules(this, "Deadline", {
      group,
      groupName: scheduleNames.group,
      prefix: "deadline",
      queue: delivery.queues.validate,
      queueArnVariable: "validateQueueArn",
      deadLetters: storage.scheduleDeadLetters,
      namedAfter: "A deadline is named after its run, which is known at run time only.",
    }).grantCreate(startHarvest);
    const { scheduleDeadLetters: deadLetters } = storage;
    this.daily("DailyLive", scheduleNames.dailyLive, { mode: "LIVE", group, deadLetters });
    this.daily("DailyTest", scheduleNames.dailyTest, { mode: "TEST", group, deadLetters });
  }

  private daily(
    id: string,
    scheduleName: string,
    { mode, group, deadLetters }: { mode: RunMode; group: ScheduleGroup; deadLetters: ScheduleDeadLetters },
  ): void {
    const { queue } = this.runStarts;
    const may = { action: "sqs:SendMessage", resource: queue.queueArn };
    const timeZone = TimeZone.of(deploymentSettings(this.node).timeZone);
    new Schedule(this, id, {
      scheduleName,
      scheduleGroup: group,
      description: `Harvests and delivers all ${mode} sources`,
      schedule: ScheduleExpression.cron({ hour: "20", minute: "0", timeZone }),
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
