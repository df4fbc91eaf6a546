import { Duration, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Construct } from "constructs";
import { sweepIntervalHours } from "../../shared/links/status/sweep-interval.ts";
import {
  recordsByDigestIndex,
  recordsByLinkStateIndex,
  recordsBySyndicationIndex,
  scheduleNames,
  variables,
} from "../../shared/names.ts";
import { allowLoop, DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { FunctionSchedule } from "../constructs/function-schedule.ts";
import { grantMail, grantPublish } from "../constructs/grants.ts";
import { OneTimeSchedules } from "../constructs/one-time-schedules.ts";
import { deployReaders } from "../constructs/response-readers.ts";
import { deploymentSettings } from "../settings.ts";
import type { ApiStack } from "./api.ts";
import type { RequestsStack } from "./requests.ts";
import type { StorageStack } from "./storage.ts";

const sweepInterval = Duration.hours(sweepIntervalHours);

interface LinksStackProps extends StackProps {
  storage: StorageStack;
  requests: RequestsStack;
  api: ApiStack;
}

/** Link checking: the sweeps, the random samples, the readers that judge responses, and the daily mail. */
export class LinksStack extends Stack {
  private readonly storage: StorageStack;
  private readonly requests: RequestsStack;

  constructor(scope: Construct, id: string, props: LinksStackProps) {
    super(scope, id, props);
    this.storage = props.storage;
    this.requests = props.requests;
    const environment = { [variables.timeZone]: deploymentSettings(this.node).timeZone };
    this.readResponses({ ...environment, [variables.apiUrl]: props.api.endpoint });
    this.sweepCollections();
    this.sampleLinks(environment);
    this.reportLinks(environment);
  }

  /** Deploys the readers of responses. */
  private readResponses(environment: Record<string, string>): void {
    const { storage, requests } = this;
    deployReaders(this, "links", {
      responses: requests.responses,
      bodies: storage.responseBodies,
      additions: {
        link: {
          environment,
          recursion: allowLoop("The number of rechecks of a link is the number of delays in its rule."),
          grant: (fn) => this.grantJudge(fn),
        },
        "rule-test": { grant: (fn) => storage.ruleTests.grant(fn, "update") },
      },
    });
  }

  private grantJudge(fn: DeployedFunction): void {
    const { storage, requests } = this;
    requests.requests.grantSend(fn);
    storage.collections.grant(fn, "get", "put");
    storage.records.grant(fn, "get");
    // A changed status is given to harvesters, too.
    const listed = ["listedIn", "linkState", "linkStateAt", "unloggedIn", "unlogged"];
    storage.records.grantUpdateOf(fn, ["recordId", "link", ...listed]);
    storage.linkSweeps.grant(fn, "get", "put", "update");
    storage.linkChecks.grant(fn, "put");
    storage.linkSamples.grant(fn, "put");
    storage.linkStatistics.grant(fn, "put");
    storage.flags.grant(fn, "get");
    grantMail(storage, fn);
    grantPublish(storage.bus, fn);
    const group = new ScheduleGroup(this, "Rechecks", {
      scheduleGroupName: scheduleNames.recheckGroup,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new OneTimeSchedules(this, "Recheck", {
      group,
      groupName: scheduleNames.recheckGroup,
      prefix: "recheck",
      queues: requests.requests.queues,
      queueArnVariable: "requestsQueueArn",
      deadLetters: storage.scheduleDeadLetters,
      wildcardReason: "A recheck is named after the check before it, which is known only at run time.",
    }).grantCreate(fn);
  }

  private sweepCollections(): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "SweepCollections", {
      file: "sweep-collections",
      description: "Requests checks of the oldest and newest links of each collection",
      timeout: timeouts.start,
    });
    this.requests.requests.grantSend(fn);
    this.grantExpectedDelays(fn);
    storage.collections.grant(fn, "query");
    storage.records.grantQueryIndex(fn, recordsByLinkStateIndex);
    storage.records.grantQueryIndex(fn, recordsBySyndicationIndex);
    storage.linkSweeps.grant(fn, "get", "getMany", "put");
    storage.flags.grant(fn, "get");
    new FunctionSchedule(this, "Sweep", {
      fn,
      scheduleName: scheduleNames.sweepCollections,
      when: { every: sweepInterval },
      deadLetters: storage.scheduleDeadLetters,
      alarm: {
        errors: 3,
        period: sweepInterval,
        summary: "The sweep fails, so collections are not checked.",
        runbook: "links-not-checked",
      },
    });
  }

  /** Permits reading the delays of hosts, so that a host gets no more checks than it has time for. */
  private grantExpectedDelays(fn: DeployedFunction): void {
    const { storage, requests } = this;
    storage.hosts.grant(fn, "getMany");
    storage.configuration.grant(fn, "get");
    for (const [name, value] of Object.entries(requests.delays)) fn.addEnvironment(name, value);
  }

  private sampleLinks(environment: Record<string, string>): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "SampleLinks", {
      file: "sample-links",
      description: "Requests checks of random links, to estimate the share of dead links",
      timeout: timeouts.start,
      environment,
    });
    this.requests.requests.grantSend(fn);
    this.grantExpectedDelays(fn);
    storage.collections.grant(fn, "query");
    storage.records.grantQueryIndex(fn, recordsByDigestIndex);
    storage.linkSamples.grant(fn, "get", "put");
    storage.flags.grant(fn, "get");
    this.daily("Sample", {
      fn,
      scheduleName: scheduleNames.sampleLinks,
      hour: 3,
      alarmSummary: "The daily sample of links fails, so the share of dead links is not estimated.",
    });
  }

  private reportLinks(environment: Record<string, string>): void {
    const { storage } = this;
    const fn = new DeployedFunction(this, "ReportLinks", {
      file: "report-links",
      description: "Mails the link changes of the day before",
      timeout: timeouts.start,
      environment,
    });
    storage.collections.grant(fn, "query");
    storage.linkStatistics.grant(fn, "query");
    storage.linkSweeps.grant(fn, "get");
    storage.linkSamples.grant(fn, "query", "put");
    grantMail(storage, fn);
    this.daily("Report", {
      fn,
      scheduleName: scheduleNames.reportLinks,
      hour: 6,
      alarmSummary: "The daily mail on links is not sent.",
    });
  }

  private daily(
    id: string,
    props: { fn: DeployedFunction; scheduleName: string; hour: number; alarmSummary: string },
  ): void {
    const { hour, alarmSummary, ...schedule } = props;
    new FunctionSchedule(this, id, {
      ...schedule,
      when: { hour },
      deadLetters: this.storage.scheduleDeadLetters,
      alarm: { errors: 3, period: Duration.hours(2), summary: alarmSummary, runbook: "links-not-checked" },
    });
  }
}
