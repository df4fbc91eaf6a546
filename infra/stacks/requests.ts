import { CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { queueNames, responsesName, scheduleNames, variables } from "../../shared/names.ts";
import { defaultLimits } from "../../shared/web/exchange/limits.ts";
import { gateMemoryMiB } from "../../shared/web/gate/other-hosts.ts";
import { kindPolicy, type RequestKind, requestKinds, responseTries } from "../../shared/web/request/kinds.ts";
import { constructId } from "../constructs/construct-id.ts";
import { allowLoop, DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { FunctionSchedule } from "../constructs/function-schedule.ts";
import { grantMail, grantPublish } from "../constructs/grants.ts";
import { joinPrivateNetwork } from "../constructs/private-network.ts";
import { RequestQueues } from "../constructs/request-queues.ts";
import { RunbookAlarm } from "../constructs/runbook-alarm.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import { deploymentSettings } from "../settings.ts";
import type { StorageStack } from "./storage.ts";

/**
 * The maximum that SQS permits. The gate counts attempts itself, because a receive that only waits is not an
 * attempt.
 */
const maxReceives = 1000;

/**
 * How often Ingather's own network is probed. Requests that wait for the network return with the same
 * interval (`networkWaitMs`).
 */
const probeInterval = Duration.minutes(5);

/**
 * The wait before the last attempt. It is longer than the probe interval, so that a host fails only while
 * Ingather's network is known to work.
 */
const lastTryAfterMs = probeInterval.plus(Duration.seconds(30)).toMilliseconds();

/** The longest exchange, except for streamed bodies. */
const exchangeMaxMs = defaultLimits.headersMs + defaultLimits.bodyMs;

/** The number of messages per invocation: the limit of SQS. */
const batchSize = 10;

/**
 * The number of messages in flight that raises the alarm. SQS delivers no more messages at 120,000.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const maxInFlight = 100_000;

/**
 * How long requests may wait. A harvest of a slow host may take a day, for which its requests, and checks
 * that wait for an idle host, remain in the queue.
 */
const slowestHarvest = Duration.days(2);

/** The gate: the queue of requests, the function that sends them, and the queues of responses. */
export class RequestsStack extends Stack {
  readonly requests: RequestQueues;
  /** The queue of requests for readers, which have a lower priority than all others. */
  readonly idleRequests: WorkQueue;
  /** The variables with the delays of the gate, for functions that plan requests. */
  readonly delays: Record<string, string>;
  /** The queues of responses, by kind. */
  readonly responses: ReadonlyMap<RequestKind, WorkQueue>;

  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { storage } = props;
    const allowedPrivateHosts = new CfnParameter(this, "AllowedPrivateHosts", {
      default: "",
      description:
        "Hosts (host:port, separated by commas) that may have private addresses. Empty in production.",
    });
    const environment = { [variables.allowedPrivateHosts]: allowedPrivateHosts.valueAsString };

    this.delays = this.delaySettings();
    this.requests = this.requestQueues();
    for (const [number, metric] of this.requests.mostInFlight({ period: Duration.minutes(5) }).entries()) {
      new RunbookAlarm(this, number === 0 ? "TooManyInFlight" : `TooManyInFlight${number}`, {
        metric,
        threshold: maxInFlight,
        summary:
          "Nearly as many requests are in flight as SQS permits. At its limit, requests for other hosts are not received.",
        runbook: "requests-wait",
      });
    }
    new RunbookAlarm(this, "Throttled", {
      // Without a dimension, the metric covers all functions of the account in the region.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "Throttles",
        statistic: "Sum",
        period: Duration.minutes(5),
      }),
      threshold: 100,
      summary: "Functions are throttled, because the account's limit of concurrent executions is too low.",
      runbook: "functions-throttled",
    });
    this.idleRequests = new WorkQueue(this, "IdleRequests", {
      name: "idleRequests",
      readerTimeout: timeouts.reader,
      maxReceiveCount: maxReceives,
      maxAge: slowestHarvest,
      // SQS can redrive only from dead-letter queues. Therefore the messages that the gate rejects go to the
      // dead-letter queue of the checks for readers, whose own redrive nobody may need any longer.
      deadLetterQueueName: queueNames.rejectedRequests,
      deadLetterSummary:
        "Requests were rejected, because they are malformed, failed in Ingather, or their host was never idle.",
      runbook: "requests-rejected",
    });
    this.responses = new Map(requestKinds.map((kind) => [kind, this.responseQueue(kind)]));

    this.sendRequests(storage, environment);
    this.admitRequests(storage);
    this.probeNetwork(storage, environment);
  }

  private requestQueues(): RequestQueues {
    const queue = (number: number, deadLetters?: Queue) =>
      new WorkQueue(this, number === 0 ? "Requests" : `Requests${number}`, {
        name: "requests",
        number,
        readerTimeout: timeouts.gate,
        maxReceiveCount: maxReceives,
        maxAge: slowestHarvest,
        // With this number of receives, only this alarm shows that the gate does not read the queue.
        isAlwaysWatched: true,
        ...(deadLetters && { deadLetters }),
        deadLetterSummary: "Requests could not be sent within 1,000 receives.",
        runbook: "requests-dead-letters",
      });
    const first = queue(0);
    const others = Array.from({ length: deploymentSettings(this.node).requestQueues - 1 }, (_, index) =>
      // A redrive returns each message to the queue from which it came.
      queue(index + 1, first.deadLetters),
    );
    return new RequestQueues([first, ...others]);
  }

  /** Permits a function to put requests that cannot be sent into the queue of rejected requests. */
  private grantReject(fn: DeployedFunction): void {
    const { deadLetters } = this.idleRequests;
    deadLetters.grant(fn, "sqs:SendMessage");
    fn.addEnvironment(variables.rejectedRequestsQueue, deadLetters.queueUrl);
  }

  /** Adds the function that sends requests. */
  private sendRequests(storage: StorageStack, environment: Record<string, string>): void {
    const fn = new DeployedFunction(this, "SendRequests", {
      file: "send-requests",
      description: "Sends requests, one per host at a time",
      timeout: timeouts.gate,
      memoryMiB: gateMemoryMiB,
      recursion: allowLoop(
        "A request has at most twenty redirects; its reader limits the requests that follow.",
      ),
      environment: { ...environment, ...this.gateSettings() },
    });
    joinPrivateNetwork(fn);
    storage.hosts.grant(fn, "getMany", "put");
    storage.leases.grant(fn, "get", "getMany", "put", "delete");
    storage.responseBodies.grantPut(fn);
    storage.responseBodies.grantRead(fn);
    storage.validators.grant(fn, "get", "getMany", "put");
    storage.hostStatistics.grant(fn, "update");
    storage.flags.grant(fn, "get");
    storage.configuration.grant(fn, "get");
    // The gate skips the checks of a collection that is on hold.
    storage.collections.grant(fn, "get");
    // The gate skips the captures of a job that has ended.
    storage.snapshots.grant(fn, "get");
    for (const responses of this.responses.values()) responses.grantSend(fn);
    this.requests.grantSend(fn);
    this.grantReject(fn);
    const { gateInvocations } = deploymentSettings(this.node);
    this.requests.addConsumer(fn, { batchSize, maxConcurrency: gateInvocations });
  }

  private gateSetting(name: string, byDefault: number, description: string): string {
    return new CfnParameter(this, name, { type: "Number", default: byDefault, minValue: 0, description })
      .valueAsString;
  }

  private delaySettings(): Record<string, string> {
    return {
      [variables.defaultDelayMs]: this.gateSetting(
        "DefaultDelayMs",
        1000,
        "Delay after a request of a source that sets no delay, while no settings are stored",
      ),
      [variables.crawlDelayMinMs]: this.gateSetting(
        "CrawlDelayMinMs",
        1000,
        "Lower limit of the Crawl-delay of a robots.txt, while no settings are stored",
      ),
      [variables.crawlDelayMaxMs]: this.gateSetting(
        "CrawlDelayMaxMs",
        30_000,
        "Upper limit of the Crawl-delay of a robots.txt",
      ),
    };
  }

  /** Returns the settings of the gate that operators may change, as parameters of the stack. */
  private gateSettings(): Record<string, string> {
    const { userAgent } = deploymentSettings(this.node);
    return {
      ...this.delays,
      [variables.userAgent]: userAgent,
      [variables.translationServerUrl]: new CfnParameter(this, "TranslationServerUrl", {
        default: "",
        description:
          "A Zotero translation server (http://host:1969) that reads articles. It may have a private address. Empty: Ingather reads the pages itself.",
      }).valueAsString,
      [variables.translationTimeoutMs]: new CfnParameter(this, "TranslationTimeoutMs", {
        type: "Number",
        default: 60_000,
        minValue: 1000,
        // A translation takes up to three times this timeout, and must end before the timeout of the
        // function.
        maxValue: 80_000,
        description: "Timeout of the translation server for a page; for its choices, twice this time",
      }).valueAsString,
      [variables.attempts]: this.gateSetting(
        "RequestAttempts",
        4,
        "Attempts per request, including the first",
      ),
      [variables.backoffBaseMs]: this.gateSetting(
        "BackoffBaseMs",
        5000,
        "Wait after the first failure; it doubles after each further failure",
      ),
      [variables.exchangeMaxMs]: new CfnParameter(this, "ExchangeMaxMs", {
        type: "Number",
        default: exchangeMaxMs,
        minValue: 1000,
        maxValue: exchangeMaxMs,
        description:
          "Longest time of one request. A host gets no request this long after its worker was killed.",
      }).valueAsString,
      [variables.lastAttemptMinDelayMs]: this.gateSetting(
        "LastAttemptMinDelayMs",
        lastTryAfterMs,
        "Shortest wait before the last attempt at an unreachable host; must be longer than the probe interval",
      ),
    };
  }

  /** Adds the function that forwards requests for readers to idle hosts. */
  private admitRequests(storage: StorageStack): void {
    const fn = new DeployedFunction(this, "AdmitRequests", {
      file: "admit-requests",
      description: "Sends checks for readers to the gate, one per idle host at a time",
      timeout: timeouts.reader,
    });
    storage.hosts.grant(fn, "getMany");
    storage.hostShares.grant(fn, "get", "put");
    storage.flags.grant(fn, "get");
    this.requests.grantSend(fn);
    this.grantReject(fn);
    fn.addEnvironment(variables.idleRequestsQueue, this.idleRequests.queue.queueUrl);
    this.idleRequests.addConsumer(fn, { batchSize, maxConcurrency: 5 });
  }

  /** Adds the function that probes Ingather's own network, and its schedule. */
  private probeNetwork(storage: StorageStack, environment: Record<string, string>): void {
    const probeUrls = new CfnParameter(this, "ProbeUrls", {
      default: deploymentSettings(this.node).probeUrls.join(","),
      description:
        "URLs, separated by commas. Ingather's network is up if one of them responds. Empty: it counts as up.",
    });
    const fn = new DeployedFunction(this, "ProbeNetwork", {
      file: "probe-network",
      description: "Probes Ingather's own network. While it is down, the gate sends nothing",
      timeout: timeouts.reader,
      environment: { ...environment, [variables.probeUrls]: probeUrls.valueAsString },
    });
    // The probe must use the same network as the gate.
    joinPrivateNetwork(fn);
    storage.flags.grant(fn, "get", "put", "update");
    grantMail(storage, fn);
    grantPublish(storage.bus, fn);
    new FunctionSchedule(this, "Probe", {
      fn,
      scheduleName: scheduleNames.probeNetwork,
      when: { every: probeInterval },
      deadLetters: storage.scheduleDeadLetters,
      alarm: {
        errors: 3,
        period: Duration.minutes(15),
        summary: "The network probe fails, so the state of the network is unknown.",
        runbook: "probe-fails",
      },
    });
  }

  /** Adds the queue of responses of one kind. */
  private responseQueue(kind: RequestKind): WorkQueue {
    const name = responsesName(kind);
    return new WorkQueue(this, constructId(name), {
      name,
      readerTimeout: Duration.seconds(kindPolicy(kind).reader.timeoutSeconds),
      maxReceiveCount: responseTries,
      deadLetterSummary: "Responses of hosts could not be read.",
      runbook: "responses-dead-letters",
    });
  }
}
