import { RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import {
  type CfnStage,
  type HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  type HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { routes } from "../../shared/operations/routes/routes.ts";
import { deploymentSettings } from "../settings.ts";
import type { DeployedFunction } from "./deployed-function.ts";

/**
 * The rate and burst limits of each route for operators, which are the defaults of the stage. A request
 * without a token counts towards the limit, but it ends at the authorizer, so it runs no function. The limit
 * is therefore high, so that a flood of such requests leaves capacity for operators. It is below the smallest
 * quota of an account, which is 2,500 and 1,250.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
const operatorThrottle = { rateLimit: 1000, burstLimit: 1000 };

/**
 * The limits of each public route. They are low, because each request runs a function; so readers leave
 * capacity for operators.
 */
const publicThrottle = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };

/**
 * The limits of the console. When a browser first loads a page, it sends up to four requests. Only the
 * function can verify a session, so a request without one takes it some milliseconds.
 */
const consoleThrottle = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 };

interface ServingFunctions {
  public: DeployedFunction;
  operator: DeployedFunction;
  checkSet: DeployedFunction;
  snapshots: DeployedFunction;
  giveBack: DeployedFunction;
  console: DeployedFunction;
  /** The function for requests without a route. */
  description: DeployedFunction;
}

interface ApiRoutesOptions {
  authorizer: IHttpRouteAuthorizer;
  functions: ServingFunctions;
}

/**
 * Adds the routes of the API and of the console to their stage, with the permitted callers, the rate and the
 * function of each.
 */
export class ApiRoutes {
  private readonly api: HttpApi;
  private readonly stage: HttpStage;
  private readonly options: ApiRoutesOptions;
  private readonly description: HttpLambdaIntegration;
  /** The limits that differ from the defaults of the stage, by route. */
  private readonly limits: Record<string, typeof publicThrottle> = {};

  constructor(stack: Stack, api: HttpApi, options: ApiRoutesOptions) {
    this.api = api;
    this.options = options;
    // This function needs a wider permission than the others, because it serves any path without a route.
    this.description = new HttpLambdaIntegration("Description", options.functions.description);
    this.stage = api.addStage("DefaultStage", {
      autoDeploy: true,
      throttle: operatorThrottle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(stack, "Access", {
            retention: RetentionDays.THREE_MONTHS,
            removalPolicy: RemovalPolicy.DESTROY,
          }),
        ),
      },
    });
    this.addTable(deploymentSettings(stack.node).checkSetAudience === "anybody");
    this.addConsole();
    this.addUnmatched(stack);
    (this.stage.node.defaultChild as CfnStage).routeSettings = this.limits;
  }

  /** Adds the routes of the API's table. @param checksAreOpen whether anybody may check sets */
  private addTable(checksAreOpen: boolean): void {
    const { authorizer, functions } = this.options;
    const forAnybody = integrate("Public", functions.public);
    const forOperators = integrate("Operator", functions.operator);
    const servedApart = {
      "check-set": integrate("CheckSet", functions.checkSet),
      snapshots: integrate("Snapshots", functions.snapshots),
      "give-back": integrate("GiveBack", functions.giveBack),
      description: this.description,
    };
    for (const { method, path, audience, servedBy } of routes) {
      const methods = method === "GET" ? [HttpMethod.GET, HttpMethod.HEAD] : [HttpMethod[method]];
      const isOpen = audience === "public" || (servedBy === "check-set" && checksAreOpen);
      const integration =
        servedBy !== undefined ? servedApart[servedBy] : audience === "operator" ? forOperators : forAnybody;
      if (isOpen) {
        this.open(this.api.addRoutes({ path, methods, integration }), {
          keys: methods.map((each) => `${each} ${path}`),
          throttle: publicThrottle,
          reason:
            "Records are public: search systems and readers request them. Checks of sets are public if the operators open them. The OAI-PMH provider checks the keys of harvesters itself, unless it is open to anybody.",
        });
      } else this.api.addRoutes({ path, methods, integration, authorizer });
    }
  }

  /**
   * Adds the console. Its function checks the session for each page, by the audience in the console's own
   * table.
   */
  private addConsole(): void {
    for (const path of ["/console", "/console/{proxy+}"]) {
      const integration = integrate(`Console${path.length}`, this.options.functions.console);
      const methods = [HttpMethod.GET, HttpMethod.POST];
      this.open(this.api.addRoutes({ path, methods, integration }), {
        keys: methods.map((method) => `${method} ${path}`),
        throttle: consoleThrottle,
        reason: "Pages have a session in a cookie, which the function verifies.",
      });
    }
  }

  private addUnmatched(stack: Stack): void {
    const route = new HttpRoute(stack, "Unmatched", {
      httpApi: this.api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: this.description,
    });
    this.open([route], {
      keys: ["$default"],
      throttle: publicThrottle,
      reason: "It serves only 404 for unknown routes, and the methods of a path.",
    });
  }

  /** Limits routes that need no token. @param given.reason why they need none */
  private open(
    opened: readonly HttpRoute[],
    given: { keys: readonly string[]; throttle: typeof publicThrottle; reason: string },
  ): void {
    for (const key of given.keys) this.limits[key] = given.throttle;
    for (const route of opened) {
      // CloudFormation refuses a stage with settings of a route that does not exist yet.
      this.stage.node.addDependency(route);
      Validations.of(route).acknowledge({ id: "AwsSolutions::AwsSolutions-APIG4", reason: given.reason });
    }
  }
}

/**
 * Integrates a function with one permission for all of its routes, because a permission per route would
 * exceed the 20 KB of a function's policy.
 */
function integrate(name: string, fn: DeployedFunction): HttpLambdaIntegration {
  return new HttpLambdaIntegration(name, fn, { scopePermissionToRoute: false });
}
