import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { CorsHttpMethod, HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpJwtAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import type { Construct } from "constructs";
import {
  archiveByTitleIndex,
  collectionsBySuppressionIndex,
  documentsByChangeIndex,
  hostsByAvailabilityIndex,
  mailsByTimeIndex,
  prefix,
  qualityByDriftIndex,
  recordPrefixes,
  recordsByDigestIndex,
  recordsByDisagreementIndex,
  recordsByLinkStateIndex,
  recordsByNoticeIndex,
  recordsBySyndicationIndex,
  recordsByWitnessIndex,
  refusedByReasonIndex,
  robotsPrefix,
  runsByStartIndex,
  sourcesByHeldDeletionsIndex,
  variables,
} from "../../shared/names.ts";
import { defaultHourlyShare } from "../../shared/web/gate/host-shares.ts";
import { ApiRoutes } from "../constructs/api-routes.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { grantDeadLetterCounts, grantMail, grantPublish, grantRequeue } from "../constructs/grants.ts";
import { OperatorPool } from "../constructs/operator-pool.ts";
import { RunbookAlarm } from "../constructs/runbook-alarm.ts";
import { deploymentSettings } from "../settings.ts";
import type { CheckSetStack } from "./check-set.ts";
import type { DeliveryStack } from "./delivery.ts";
import type { DocumentsStack } from "./documents.ts";
import { type HarvestStack, runDeadlines } from "./harvest.ts";
import type { RequestsStack } from "./requests.ts";
import type { SnapshotsStack } from "./snapshots.ts";
import type { StorageStack } from "./storage.ts";

/** What pages of other origins may send to the API and read from it. */
const cors = {
  allowMethods: [CorsHttpMethod.ANY],
  allowHeaders: ["authorization", "content-type", "accept", "if-match", "if-none-match", "idempotency-key"],
  exposeHeaders: ["etag", "location", "retry-after", "allow"],
  maxAge: Duration.hours(1),
};

interface ApiStackProps extends StackProps {
  storage: StorageStack;
  requests: RequestsStack;
  harvest: HarvestStack;
  delivery: DeliveryStack;
  documents: DocumentsStack;
  checkSet: CheckSetStack;
  snapshots: SnapshotsStack;
}

/** The HTTP API: public routes, and routes for operators, which need a token. */
export class ApiStack extends Stack {
  /** The address of the API, which also serves the console. */
  readonly endpoint: string;
  private readonly props: ApiStackProps;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    this.props = props;
    const { corsOrigins } = deploymentSettings(this.node);
    const operators = new OperatorPool(this, "Operators");
    const api = new HttpApi(this, "Api", {
      apiName: prefix,
      createDefaultStage: false,
      ...(corsOrigins.length > 0 && { corsPreflight: { ...cors, allowOrigins: [...corsOrigins] } }),
    });
    this.endpoint = api.apiEndpoint;
    const consoleClient = operators.addConsoleClient(api.apiEndpoint);
    const clients = [consoleClient, operators.machineClient];
    new ApiRoutes(this, api, {
      authorizer: new HttpJwtAuthorizer("Operators", operators.userPoolProviderUrl, {
        jwtAudience: clients.map(({ userPoolClientId }) => userPoolClientId),
      }),
      functions: {
        public: this.publicApi(),
        operator: this.operatorApi({ [variables.apiUrl]: api.apiEndpoint }),
        checkSet: props.checkSet.api,
        snapshots: props.snapshots.api,
        console: this.console({
          [variables.apiUrl]: api.apiEndpoint,
          [variables.tokenIssuer]: operators.userPoolProviderUrl,
          [variables.tokenKeysUrl]: `${operators.userPoolProviderUrl}/.well-known/jwks.json`,
          [variables.signInUrl]: operators.domain.baseUrl(),
          [variables.consoleClientId]: consoleClient.userPoolClientId,
        }),
        description: this.describeApi(),
      },
    });
    new RunbookAlarm(this, "Fails", {
      metric: api.metricServerError({ period: Duration.minutes(5), statistic: "Sum" }),
      threshold: 5,
      summary: "The API returns server errors.",
      runbook: "api-fails",
    });
    new CfnOutput(this, "UserPoolId", { value: operators.userPoolId });
    new CfnOutput(this, "MachineClientId", { value: operators.machineClient.userPoolClientId });
    new CfnOutput(this, "TokenUrl", { value: `${operators.domain.baseUrl()}/oauth2/token` });
    new CfnOutput(this, "ApiUrl", { value: api.apiEndpoint });
    new CfnOutput(this, "ConsoleUrl", { value: `${api.apiEndpoint}/console` });
  }

  private publicApi(): DeployedFunction {
    const { storage, requests } = this.props;
    const fn = new DeployedFunction(this, "PublicApi", {
      file: "public-api",
      description: "Serves the public routes",
      timeout: timeouts.api,
      environment: {
        [variables.hourlyShare]: new CfnParameter(this, "ReaderChecksPerHostAndHour", {
          type: "Number",
          default: defaultHourlyShare,
          minValue: 0,
          description: "The number of link checks that readers may cause per host and hour. 0: none",
        }).valueAsString,
      },
    });
    storage.records.grant(fn, "get");
    storage.recordObjects.grantRead(fn, recordPrefixes.records);
    storage.records.grantQueryIndex(fn, recordsBySyndicationIndex);
    storage.records.grantQueryIndex(fn, recordsByLinkStateIndex);
    storage.collections.grant(fn, "get", "query");
    // When a reader opens a record's page, the function requests a check of its link.
    storage.records.grantUpdateOf(fn, ["recordId", "checkRequestedAt"]);
    requests.idleRequests.grantSend(fn);
    storage.hostShares.grant(fn, "update");
    storage.linkChecks.grant(fn, "query");
    return fn;
  }

  private operatorApi(environment: Record<string, string>): DeployedFunction {
    const { storage, requests } = this.props;
    const fn = new DeployedFunction(this, "OperatorApi", {
      file: "operator-api",
      description: "Serves the routes for operators",
      timeout: timeouts.longApi,
      // An import compiles the patterns of hundreds of journals.
      memoryMiB: 1024,
      environment: {
        [variables.timeZone]: deploymentSettings(this.node).timeZone,
        ...runDeadlines(this.node),
        ...environment,
      },
    });
    this.grantDeliveries(fn);
    this.grantSources(fn);
    this.grantDocuments(fn);
    this.grantLinks(fn);
    requests.requests.grantSend(fn);
    storage.keyedRequests.grant(fn, "get", "put", "delete");
    storage.leases.grant(fn, "get", "put", "delete");
    storage.hosts.grant(fn, "getMany", "put", "delete");
    storage.hosts.grantQueryIndex(fn, hostsByAvailabilityIndex);
    storage.hostStatistics.grant(fn, "getMany");
    storage.flags.grant(fn, "get");
    grantDeadLetterCounts(fn);
    storage.failedMessages.grant(fn, "get", "query", "delete");
    grantRequeue(fn);
    grantPublish(storage.bus, fn);
    storage.eventLog.grantRead(fn);
    grantMail(storage, fn);
    storage.sentMails.grantQueryIndex(fn, mailsByTimeIndex);
    return fn;
  }

  /** Grants access to runs, their delivered and refused records, and the archive. */
  private grantDeliveries(fn: DeployedFunction): void {
    const { storage, harvest, delivery } = this.props;
    harvest.runStarts.grantSend(fn);
    storage.runs.grant(fn, "get", "query", "put", "update");
    storage.runs.grantQueryIndex(fn, runsByStartIndex);
    storage.deliveries.grant(fn, "get", "query", "update");
    storage.deliveredFiles.grantRead(fn);
    delivery.resends.grantSend(fn);
    // A skip may end the last source for which a run waits.
    delivery.queues.validate.grantSend(fn);
    storage.archive.grant(fn, "get", "getMany", "update");
    storage.archive.grantQueryIndex(fn, archiveByTitleIndex);
    storage.delinquentRecords.grant(fn, "get", "getMany", "query", "update", "delete");
    storage.delinquentRecords.grantQueryIndex(fn, refusedByReasonIndex);
    for (const folder of Object.values(recordPrefixes)) storage.recordObjects.grantRead(fn, folder);
    storage.recordObjects.grantPut(fn, recordPrefixes.findings);
    for (const index of [recordsByNoticeIndex, recordsByDisagreementIndex, recordsByWitnessIndex])
      storage.records.grantQueryIndex(fn, index);
  }

  private grantSources(fn: DeployedFunction): void {
    const { storage, requests, checkSet, documents } = this.props;
    storage.configuration.grant(fn, "get", "getMany", "query", "put", "update", "delete");
    storage.sourceStatus.grant(fn, "get", "getMany", "update");
    storage.sourceStatus.grantQueryIndex(fn, sourcesByHeldDeletionsIndex);
    storage.sourceRuns.grant(fn, "query");
    storage.sourceQuality.grant(fn, "get", "query", "put", "delete");
    storage.sourceQuality.grantQueryIndex(fn, qualityByDriftIndex);
    documents.deletions.grantSend(fn);
    storage.detections.grant(fn, "get", "put");
    // A page that was sent with the trial of a recipe is read like one that was requested.
    requests.responses.get("detection")?.grantSend(fn);
    storage.responseBodies.grantRead(fn, robotsPrefix);
    checkSet.registrations.grantSend(fn);
  }

  private grantDocuments(fn: DeployedFunction): void {
    const { storage, documents } = this.props;
    storage.documents.grant(fn, "getMany");
    storage.documents.grantQueryIndex(fn, documentsByChangeIndex);
    storage.items.grant(fn, "query");
    storage.files.grantRead(fn);
    storage.documentUploads.grant(fn, "get", "put", "update");
    storage.uploadedObjects.grantRead(fn);
    storage.uploadedObjects.grantPut(fn);
    documents.uploads.grantSend(fn);
    documents.imports.grantSend(fn);
  }

  private grantLinks(fn: DeployedFunction): void {
    const { storage } = this.props;
    storage.collections.grant(fn, "get", "getMany", "query", "put", "update", "delete");
    storage.collections.grantQueryIndex(fn, collectionsBySuppressionIndex);
    storage.records.grant(fn, "get", "update", "updateMany");
    storage.records.grantQueryIndex(fn, recordsByDigestIndex);
    storage.linkChecks.grant(fn, "query");
    storage.linkStatistics.grant(fn, "query", "put");
    storage.linkSamples.grant(fn, "query", "get");
    storage.ruleTests.grant(fn, "get", "put");
    storage.linkSweeps.grant(fn, "get");
  }

  private describeApi(): DeployedFunction {
    const fn = new DeployedFunction(this, "DescribeApi", {
      file: "describe-api",
      description: "Describes the API, and responds to requests without a route",
      timeout: timeouts.api,
    });
    this.props.storage.flags.grant(fn, "get");
    return fn;
  }

  /** @param environment the addresses of the API and of the issuer of tokens */
  private console(environment: Record<string, string>): DeployedFunction {
    const { timeZone } = deploymentSettings(this.node);
    return new DeployedFunction(this, "ConsoleFunction", {
      file: "console",
      description: "Serves the operators' pages, with the API as its readers may use it",
      timeout: timeouts.longApi,
      environment: { ...environment, [variables.timeZone]: timeZone },
    });
  }
}
