import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { HttpApi, HttpMethod, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpJwtAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { AccountRecovery, FeaturePlan, Mfa, UserPool } from "aws-cdk-lib/aws-cognito";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { functionNames } from "../../shared/names.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import type { StorageStack } from "./storage.ts";

/** The HTTP API: what anybody may ask, and, behind a token, what operators may. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { storage } = props;

    const publicApi = new DeployedFunction(this, "PublicApi", {
      functionName: functionNames.publicApi,
      file: "public-api",
      description: "Answers what anybody may ask",
      timeout: timeouts.api,
    });
    storage.records.grantRead(publicApi);
    storage.recordObjects.grantRead(publicApi);

    const operatorApi = new DeployedFunction(this, "OperatorApi", {
      functionName: functionNames.operatorApi,
      file: "operator-api",
      description: "Answers what operators may ask, and takes over their configuration",
      timeout: timeouts.longApi,
      // Compiling the patterns of hundreds of journals is the work of an import.
      memoryMiB: 1024,
    });
    storage.deliveries.grantRead(operatorApi);
    storage.configuration.grantReadWrite(operatorApi);
    storage.configuration.grantDelete(operatorApi);

    const operators = new UserPool(this, "Operators", {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
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
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(operators).acknowledge({
      id: "AwsSolutions::AwsSolutions-COG8",
      reason:
        "A dozen operators with one-time passwords: threat protection would cost more than all the rest.",
    });
    const client = operators.addClient("Console", {
      accessTokenValidity: Duration.hours(1),
      authFlows: { adminUserPassword: true, userSrp: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
    });
    const authorizer = new HttpJwtAuthorizer("Operators", operators.userPoolProviderUrl, {
      jwtAudience: [client.userPoolClientId],
    });

    const api = new HttpApi(this, "Api", { apiName: "ingather", createDefaultStage: false });
    api.addStage("DefaultStage", {
      autoDeploy: true,
      throttle: { rateLimit: 50, burstLimit: 100 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, "Access", { retention: RetentionDays.THREE_MONTHS }),
        ),
      },
    });
    const forAnybody = new HttpLambdaIntegration("Public", publicApi);
    const forOperators = new HttpLambdaIntegration("Operator", operatorApi);
    for (const route of api.addRoutes({
      path: "/records/{id}",
      methods: [HttpMethod.GET],
      integration: forAnybody,
    })) {
      Validations.of(route).acknowledge({
        id: "AwsSolutions::AwsSolutions-APIG4",
        reason: "Records are public: search systems and readers ask for them by id.",
      });
    }
    api.addRoutes({ path: "/deliveries", methods: [HttpMethod.GET], integration: forOperators, authorizer });
    api.addRoutes({
      path: "/config/import",
      methods: [HttpMethod.POST],
      integration: forOperators,
      authorizer,
    });
    new CfnOutput(this, "ApiUrl", { value: api.apiEndpoint });
  }
}
