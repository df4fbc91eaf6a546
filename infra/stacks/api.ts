import {
  CfnOutput,
  CfnParameter,
  Duration,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from "aws-cdk-lib";
import {
  type CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpJwtAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import {
  AccountRecovery,
  CfnUserPoolGroup,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
} from "aws-cdk-lib/aws-cognito";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { roles, scopePrefix } from "../../shared/api/role.ts";
import { routes } from "../../shared/api/routes.ts";
import { sessionHours } from "../../shared/console/sign-in/session.ts";
import { signedInPath } from "../../shared/console/sign-in/sign-in.ts";
import {
  archiveByTitleIndex,
  collectionsBySuppressionIndex,
  delinquentsByReasonIndex,
  documentsByChangeIndex,
  functionNames,
  hostsByAvailabilityIndex,
  mailsByTimeIndex,
  prefix,
  recordPrefixes,
  recordsByDigestIndex,
  recordsByLinkStateIndex,
  recordsBySyndicationIndex,
  robotsPrefix,
  runsByStartIndex,
  variables,
} from "../../shared/names.ts";
import { defaultHourlyShare } from "../../shared/web/gate/host-shares.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { grantDeadLetterCounts, grantMail, grantPublish } from "../constructs/grants.ts";
import { RunbookAlarm } from "../constructs/runbook-alarm.ts";
import { deploymentSettings } from "../settings.ts";
import type { CheckSetStack } from "./check-set.ts";
import type { DeliveryStack } from "./delivery.ts";
import type { DocumentsStack } from "./documents.ts";
import { type HarvestStack, runDeadlineMinutes } from "./harvest.ts";
import type { RequestsStack } from "./requests.ts";
import type { SnapshotsStack } from "./snapshots.ts";
import type { StorageStack } from "./storage.ts";

/**
 * Requests per second, and at once, of each route for operators: the default of the stage.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
const operatorThrottle = { rateLimit: 50, burstLimit: 100 };

/** The same of each public route, so that readers take nothing of what operators have. */
const publicThrottle = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };

/** The same of the console: a page takes up to four requests, when a browser sees it first. */
const consoleThrottle = { ThrottlingRateLimit: 40, ThrottlingBurstLimit: 80 };

/** What pages of other origins may send and read. */
const cors = {
  allowMethods: [CorsHttpMethod.ANY],
  allowHeaders: ["authorization", "content-type", "accept", "if-match", "if-none-match", "idempotency-key"],
  exposeHeaders: ["etag", "location", "retry-after", "allow"],
  maxAge: Duration.hours(1),
};

function acknowledgeOpen(route: HttpRoute, reason: string): void {
  Validations.of(route).acknowledge({ id: "AwsSolutions::AwsSolutions-APIG4", reason });
}

/** The HTTP API: public routes, and routes for operators, which need a token. */
export class ApiStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    props: StackProps & {
      storage: StorageStack;
      requests: RequestsStack;
      harvest: HarvestStack;
      delivery: DeliveryStack;
      documents: DocumentsStack;
      checkSet: CheckSetStack;
      snapshots: SnapshotsStack;
    },
  ) {
    super(scope, id, props);
    const { storage, requests, harvest, delivery, documents, checkSet, snapshots } = props;

    const publicApi = new DeployedFunction(this, "PublicApi", {
      functionName: functionNames.publicApi,
      file: "public-api",
      description: "Serves the public routes",
      timeout: timeouts.api,
      environment: {
        [variables.hourlyShare]: new CfnParameter(this, "ReaderChecksPerHostAndHour", {
          type: "Number",
          default: defaultHourlyShare,
          minValue: 0,
          description: "How many checks of links readers may cause per host and hour. 0: none",
        }).valueAsString,
      },
    });
    storage.records.grant(publicApi, "get");
    storage.recordObjects.grantRead(publicApi, recordPrefixes.records);
    storage.records.grantQueryIndex(publicApi, recordsBySyndicationIndex);
    storage.records.grantQueryIndex(publicApi, recordsByLinkStateIndex);
    storage.collections.grant(publicApi, "get", "query");
    // Opening a record's page requests a check of its link.
    storage.records.grantUpdateOf(publicApi, ["recordId", "checkRequestedAt"]);
    requests.idleRequests.grantSend(publicApi);
    storage.hostShares.grant(publicApi, "update");
    storage.linkChecks.grant(publicApi, "query");

    const operatorApi = new DeployedFunction(this, "OperatorApi", {
      functionName: functionNames.operatorApi,
      file: "operator-api",
      description: "Serves the routes for operators",
      timeout: timeouts.longApi,
      // An import compiles the patterns of hundreds of journals.
      memoryMiB: 1024,
      environment: {
        [variables.timeZone]: deploymentSettings(this.node).timeZone,
        [variables.runDeadlineMinutes]: String(runDeadlineMinutes),
      },
    });
    storage.deliveries.grant(operatorApi, "get", "query", "update");
    delivery.resends.grantSend(operatorApi);
    storage.archive.grant(operatorApi, "get", "getMany", "update");
    storage.archive.grantQueryIndex(operatorApi, archiveByTitleIndex);
    storage.sourceStatus.grant(operatorApi, "get", "getMany", "update");
    storage.sourceRuns.grant(operatorApi, "query");
    storage.configuration.grant(operatorApi, "get", "getMany", "query", "put", "update", "delete");
    storage.leases.grant(operatorApi, "get", "put", "delete");
    storage.delinquentRecords.grant(operatorApi, "get", "getMany", "query", "update", "delete");
    storage.delinquentRecords.grantQueryIndex(operatorApi, delinquentsByReasonIndex);
    for (const folder of Object.values(recordPrefixes)) storage.recordObjects.grantRead(operatorApi, folder);
    storage.recordObjects.grantPut(operatorApi, recordPrefixes.findings);
    storage.collections.grant(operatorApi, "get", "getMany", "query", "put", "update", "delete");
    storage.records.grant(operatorApi, "get", "update", "updateMany");
    storage.records.grantQueryIndex(operatorApi, recordsByDigestIndex);
    storage.documents.grant(operatorApi, "getMany");
    storage.documents.grantQueryIndex(operatorApi, documentsByChangeIndex);
    storage.items.grant(operatorApi, "query");
    storage.files.grantRead(operatorApi);
    storage.deliveredFiles.grantRead(operatorApi);
    storage.documentUploads.grant(operatorApi, "get", "put", "update");
    storage.uploadedObjects.grantRead(operatorApi);
    storage.responseBodies.grantRead(operatorApi, robotsPrefix);
    storage.uploadedObjects.grantPut(operatorApi);
    documents.uploads.grantSend(operatorApi);
    storage.linkChecks.grant(operatorApi, "query");
    storage.linkStatistics.grant(operatorApi, "query", "put");
    storage.linkSamples.grant(operatorApi, "query", "get");
    storage.ruleTests.grant(operatorApi, "get", "put");
    storage.detections.grant(operatorApi, "get", "put");
    storage.keyedRequests.grant(operatorApi, "get", "put", "delete");
    requests.requests.grantSend(operatorApi);
    harvest.runStarts.grantSend(operatorApi);
    storage.runs.grant(operatorApi, "get", "query", "put", "update");
    storage.runs.grantQueryIndex(operatorApi, runsByStartIndex);
    storage.hosts.grant(operatorApi, "getMany", "put", "delete");
    storage.hosts.grantQueryIndex(operatorApi, hostsByAvailabilityIndex);
    storage.collections.grantQueryIndex(operatorApi, collectionsBySuppressionIndex);
    storage.flags.grant(operatorApi, "get");
    grantDeadLetterCounts(operatorApi);
    storage.hostStatistics.grant(operatorApi, "getMany");
    checkSet.registrations.grantSend(operatorApi);
    grantPublish(storage.bus, operatorApi);
    storage.eventLog.grantRead(operatorApi);
    grantMail(storage, operatorApi);
    storage.sentMails.grantQueryIndex(operatorApi, mailsByTimeIndex);

    const describeApi = new DeployedFunction(this, "DescribeApi", {
      functionName: functionNames.describeApi,
      file: "describe-api",
      description: "Describes the API, and answers what no route serves",
      timeout: timeouts.api,
    });
    storage.flags.grant(describeApi, "get");

    const operators = new UserPool(this, "Operators", {
      selfSignUpEnabled: false,
      // Tokens name a user by the user name, which notes then show; a pool without names has a random id instead.
      signInAliases: { username: true, email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 14,
        requireDigits: true,
        requireLowercase: true,
        requireSymbols: true,
        requireUppercase: true,
      },
      featurePlan: FeaturePlan.ESSENTIALS,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(operators).acknowledge({
      id: "AwsSolutions::AwsSolutions-COG8",
      reason:
        "A dozen operators with one-time passwords: threat protection would cost more than all the rest.",
    });
    const { corsOrigins, checkSetAudience } = deploymentSettings(this.node);
    const api = new HttpApi(this, "Api", {
      apiName: prefix,
      createDefaultStage: false,
      ...(corsOrigins.length > 0 && { corsPreflight: { ...cors, allowOrigins: [...corsOrigins] } }),
    });
    const { consoleClient, machineClient, domain } = addClients(operators, api);
    const authorizer = new HttpJwtAuthorizer("Operators", operators.userPoolProviderUrl, {
      jwtAudience: [consoleClient.userPoolClientId, machineClient.userPoolClientId],
    });
    const operatorsConsole = new DeployedFunction(this, "ConsoleFunction", {
      functionName: functionNames.console,
      file: "console",
      description: "Serves the operators' pages, with the API as its readers may use it",
      timeout: timeouts.longApi,
      environment: {
        [variables.apiUrl]: api.apiEndpoint,
        [variables.tokenIssuer]: operators.userPoolProviderUrl,
        [variables.tokenKeysUrl]: `${operators.userPoolProviderUrl}/.well-known/jwks.json`,
        [variables.signInUrl]: domain.baseUrl(),
        [variables.consoleClientId]: consoleClient.userPoolClientId,
        [variables.timeZone]: deploymentSettings(this.node).timeZone,
      },
    });
    const stage = api.addStage("DefaultStage", {
      autoDeploy: true,
      throttle: operatorThrottle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, "Access", { retention: RetentionDays.THREE_MONTHS }),
        ),
      },
    });
    // A permission per route would not fit into the policy of a function, which holds 20 KB.
    const integrate = (name: string, fn: DeployedFunction) =>
      new HttpLambdaIntegration(name, fn, { scopePermissionToRoute: false });
    const forAnybody = integrate("Public", publicApi);
    const forOperators = integrate("Operator", operatorApi);
    const servedApart = {
      "check-set": integrate("CheckSet", checkSet.api),
      snapshots: integrate("Snapshots", snapshots.api),
      // Its permission, for whatever has no route, must be wider than that of the others.
      description: new HttpLambdaIntegration("Description", describeApi),
    };
    const checksAreOpen = checkSetAudience === "anybody";
    const limits: Record<string, typeof publicThrottle> = {};
    for (const { method, path, audience, servedBy } of routes) {
      const methods = method === "GET" ? [HttpMethod.GET, HttpMethod.HEAD] : [HttpMethod[method]];
      const isOpen = audience === "public" || (servedBy === "check-set" && checksAreOpen);
      const integration =
        servedBy !== undefined ? servedApart[servedBy] : audience === "operator" ? forOperators : forAnybody;
      if (!isOpen) {
        api.addRoutes({ path, methods, integration, authorizer });
        continue;
      }
      for (const each of methods) limits[`${each} ${path}`] = publicThrottle;
      for (const route of api.addRoutes({ path, methods, integration })) {
        stage.node.addDependency(route);
        acknowledgeOpen(
          route,
          "Records are public: search systems and readers request them. Checks of sets are when the operators open them.",
        );
      }
    }
    // The function checks the session of each page, by the audience in the console's own table.
    for (const path of ["/console", "/console/{proxy+}"]) {
      const integration = integrate(`Console${path.length}`, operatorsConsole);
      const methods = [HttpMethod.GET, HttpMethod.POST];
      for (const method of methods) limits[`${method} ${path}`] = consoleThrottle;
      for (const route of api.addRoutes({ path, methods, integration })) {
        stage.node.addDependency(route);
        acknowledgeOpen(route, "Pages have a session in a cookie, which the function verifies.");
      }
    }
    const unmatched = new HttpRoute(this, "Unmatched", {
      httpApi: api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: servedApart.description,
    });
    stage.node.addDependency(unmatched);
    limits.$default = publicThrottle;
    acknowledgeOpen(unmatched, "It says only that there is no such route, or which methods a path has.");
    (stage.node.defaultChild as CfnStage).routeSettings = limits;
    new RunbookAlarm(this, "Fails", {
      metric: api.metricServerError({ period: Duration.minutes(5), statistic: "Sum" }),
      threshold: 5,
      summary: "The API answers with errors of its own.",
      runbook: "api-fails",
    });
    new CfnOutput(this, "UserPoolId", { value: operators.userPoolId });
    new CfnOutput(this, "MachineClientId", { value: machineClient.userPoolClientId });
    new CfnOutput(this, "TokenUrl", { value: `${domain.baseUrl()}/oauth2/token` });
    new CfnOutput(this, "ApiUrl", { value: api.apiEndpoint });
    new CfnOutput(this, "ConsoleUrl", { value: `${api.apiEndpoint}/console` });
  }
}

/** The ways to a token: the console with a code and PKCE, machines with their own secret; and the groups that give roles. */
function addClients(operators: UserPool, api: HttpApi) {
  for (const [index, role] of roles.entries()) {
    new CfnUserPoolGroup(operators, `Group${role}`, {
      userPoolId: operators.userPoolId,
      groupName: role,
      description: `May do what is for: ${roles.slice(0, index + 1).join(", ")}`,
    });
  }
  const domain = operators.addDomain("Domain", {
    cognitoDomain: { domainPrefix: `${prefix}-${operators.stack.account}` },
    managedLoginVersion: ManagedLoginVersion.CLASSIC_HOSTED_UI,
  });
  const consoleClient = operators.addClient("Console", {
    accessTokenValidity: Duration.hours(1),
    refreshTokenValidity: Duration.hours(sessionHours),
    authFlows: { adminUserPassword: true, userSrp: true },
    generateSecret: false,
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
      callbackUrls: [`${api.apiEndpoint}${signedInPath}`],
      logoutUrls: [`${api.apiEndpoint}/console/signed-out`],
    },
    preventUserExistenceErrors: true,
  });
  const scopes = roles.map(
    (scopeName) => new ResourceServerScope({ scopeName, scopeDescription: `As a ${scopeName}` }),
  );
  const server = operators.addResourceServer("Machines", {
    identifier: scopePrefix.replace("/", ""),
    scopes,
  });
  const machineClient = operators.addClient("Machine", {
    accessTokenValidity: Duration.hours(1),
    authFlows: {},
    generateSecret: true,
    oAuth: {
      flows: { clientCredentials: true },
      // No admin: whoever has the secret reads and runs, and changes no group.
      scopes: scopes
        .filter(({ scopeName }) => scopeName !== "admin")
        .map((scope) => OAuthScope.resourceServer(server, scope)),
    },
    preventUserExistenceErrors: true,
  });
  return { consoleClient, machineClient, domain };
}
