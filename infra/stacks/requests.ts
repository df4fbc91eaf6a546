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

/** The limit of SQS. The gate counts attempts itself: a receive that only waits is not an attempt. */
const maxReceives = 1000;

/** How often our own network is probed. Requests that wait for it return as often (`networkWaitMs`). */
const probeInterval = Duration.minutes(5);

/** The last attempt comes after the next probe: a host fails only while our network is known to work. */
const lastTryAfterMs = probeInterval.plus(Duration.seconds(30)).toMilliseconds();

/** The longest exchange, but for streamed bodies. */
const exchangeMaxMs = defaultLimits.headersMs + defaultLimits.bodyMs;

/** Messages that an invocation is given: the limit of SQS. */
const batchSize = 10;

/**
 * Messages in flight at which the alarm is raised; SQS receives no more at 120,000.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const maxInFlight = 100_000;

/** A harvest of a slow host may take a day: so long its requests wait, and checks that wait until it is idle. */
const slowestHarvest = Duration.days(2);

/** The gate: the queue of requests, the function that sends them, and the queues of responses. */
export class RequestsStack extends Stack {
  readonly requests: RequestQueues;
  /** Requests for readers, which yield to all others. */
  readonly idleRequests: WorkQueue;
  /** The queue of the responses of each kind. */
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

    this.requests = this.requestQueues();
    for (const [number, metric] of this.requests.mostInFlight({ period: Duration.minutes(5) }).entries()) {
      new RunbookAlarm(this, number === 0 ? "TooManyInFlight" : `TooManyInFlight${number}`, {
        metric,
        threshold: maxInFlight,
        summary: "Requests wait for more hosts than SQS holds in flight: others are not received.",
        runbook: "requests-wait",
      });
    }
    new RunbookAlarm(this, "Throttled", {
      // Without a dimension: of all functions of the account in the region.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "Throttles",
        statistic: "Sum",
        period: Duration.minutes(5),
      }),
      threshold: 100,
      summary: "Functions are throttled: the account may run too few at once.",
      runbook: "functions-throttled",
    });
    this.idleRequests = new WorkQueue(this, "IdleRequests", {
      name: "idleRequests",
      readerTimeout: timeouts.reader,
      maxReceiveCount: maxReceives,
      maxAge: slowestHarvest,
      // SQS redrives from dead-letter queues only. That of checks which nobody may need any more takes what the gate rejects.
      deadLetterQueueName: queueNames.rejectedRequests,
      deadLetterSummary:
        "Requests were rejected: they are malformed, failed on our side, or their host was never idle.",
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
        // With this number of receives, nothing else shows that the gate does not read it.
        isAlwaysWatched: true,
        ...(deadLetters && { deadLetters }),
        deadLetterSummary: "Requests could not be sent for 1,000 receives.",
        runbook: "requests-dead-letters",
      });
    const first = queue(0);
    const others = Array.from({ length: deploymentSettings(this.node).requestQueues - 1 }, (_, index) =>
      // A redrive returns each message to the queue that it has come from.
      queue(index + 1, first.deadLetters),
    );
    return new RequestQueues([first, ...others]);
  }

  /** Lets a function put requests aside that cannot be made. */
  private grantReject(fn: DeployedFunction): void {
    const { deadLetters } = this.idleRequests;
    deadLetters.grant(fn, "sqs:SendMessage");
    fn.addEnvironment(variables.rejectedRequestsQueue, deadLetters.queueUrl);
  }

  /** The function that sends requests. */
  private sendRequests(storage: StorageStack, environment: Record<string, string>): void {
    const fn = new DeployedFunction(this, "SendRequests", {
      file: "send-requests",
      description: "Sends requests, one per host at a time",
      timeout: timeouts.gate,
      memoryMiB: gateMemoryMiB,
      recursion: allowLoop(
        "A request has ten redirects at most; its reader bounds the requests that follow.",
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
    // It skips the captures of a job that has ended.
    storage.snapshots.grant(fn, "get");
    for (const responses of this.responses.values()) responses.grantSend(fn);
    this.requests.grantSend(fn);
    this.grantReject(fn);
    const { gateInvocations } = deploymentSettings(this.node);
    this.requests.addConsumer(fn, { batchSize, maxConcurrency: gateInvocations });
  }

  /** What operators may set of the gate, as parameters of the stack. */
  private gateSettings(): Record<string, string> {
    const { userAgent } = deploymentSettings(this.node);
    const gateSetting = (name: string, byDefault: number, description: string) =>
      new CfnParameter(this, name, { type: "Number", default: byDefault, minValue: 0, description })
        .valueAsString;
    return {
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
        // A translation takes up to three times this and must end before the function's timeout.
        maxValue: 80_000,
        description: "Timeout of the translation server for a page; twice as long for its choices",
      }).valueAsString,
      [variables.defaultDelayMs]: gateSetting(
        "DefaultDelayMs",
        1000,
        "Delay after a request of a source without one, while no settings are stored",
      ),
      [variables.attempts]: gateSetting("RequestAttempts", 4, "Attempts per request, the first included"),
      [variables.backoffBaseMs]: gateSetting(
        "BackoffBaseMs",
        5000,
        "Wait after the first failure; doubled after each further one",
      ),
      [variables.exchangeMaxMs]: new CfnParameter(this, "ExchangeMaxMs", {
        type: "Number",
        default: exchangeMaxMs,
        minValue: 1000,
        maxValue: exchangeMaxMs,
        description:
          "Longest time of one request. A host gets no request this long after its worker was killed.",
      }).valueAsString,
      [variables.lastAttemptMinDelayMs]: gateSetting(
        "LastAttemptMinDelayMs",
        lastTryAfterMs,
        "Shortest wait before the last attempt at an unreachable host; must be longer than the probe interval",
      ),
      [variables.crawlDelayMinMs]: gateSetting(
        "CrawlDelayMinMs",
        1000,
        "Lower limit of the Crawl-delay of a robots.txt, while no settings are stored",
      ),
      [variables.crawlDelayMaxMs]: gateSetting(
        "CrawlDelayMaxMs",
        30_000,
        "Upper limit of the Crawl-delay of a robots.txt",
      ),
    };
  }

  /** The function that lets requests for readers pass to idle hosts. */
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

  /** The function that probes our own network, and its schedule. */
  private probeNetwork(storage: StorageStack, environment: Record<string, string>): void {
    const probeUrls = new CfnParameter(this, "ProbeUrls", {
      default: deploymentSettings(this.node).probeUrls.join(","),
      description:
        "URLs, separated by commas. Our network is up if one of them responds. Empty: it counts as up.",
    });
    const fn = new DeployedFunction(this, "ProbeNetwork", {
      file: "probe-network",
      description: "Probes our own network. The gate sends nothing while it is down",
      timeout: timeouts.reader,
      environment: { ...environment, [variables.probeUrls]: probeUrls.valueAsString },
    });
    // From where the gate requests.
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
        summary: "The network probe fails: the state of the network is unknown.",
        runbook: "probe-fails",
      },
    });
  }

  /** The queue of the responses of one kind. */
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
