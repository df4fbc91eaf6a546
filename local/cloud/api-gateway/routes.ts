import { ConfigError } from "../../../shared/core/errors.ts";
import type { Resolver } from "../cloudformation/resolver.ts";
import type { JwtConfiguration } from "../cognito/tokens.ts";
import type { CorsConfiguration } from "./cors.ts";
import { type StageSettings, Throttle } from "./throttle.ts";

export interface Route {
  /** The key in the template, for example `GET /records/{id}`. */
  readonly key: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly functionArn: string;
  /** Set when the route requires a token. */
  readonly authorizer: JwtConfiguration | undefined;
  /** The scopes of which the token must have one; empty: no scope is required. */
  readonly scopes: readonly string[];
}

export interface MatchedRoute {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface RouteProperties {
  readonly ApiId: string;
  readonly RouteKey: string;
  readonly Target: string;
  readonly AuthorizationType?: string;
  readonly AuthorizerId?: string;
  readonly AuthorizationScopes?: readonly string[];
}

interface AuthorizerProperties {
  readonly AuthorizerType: string;
  readonly JwtConfiguration: { readonly Issuer: string; readonly Audience: readonly string[] };
}

interface IntegrationProperties {
  readonly IntegrationType: string;
  readonly IntegrationUri: string;
  readonly PayloadFormatVersion?: string;
}

/**
 * Reads the routes of the templates, the most specific first.
 * @throws ConfigError for features that the local API does not have
 */
export function readRoutes(resolver: Resolver): {
  apiId: string;
  routes: Route[];
  throttle: Throttle;
  cors: CorsConfiguration | undefined;
} {
  const apis = resolver.resourcesOfType<{ CorsConfiguration?: CorsConfiguration }>("AWS::ApiGatewayV2::Api");
  if (apis.length > 1) throw new ConfigError("the local cloud serves one HTTP API");
  const stages = resolver.resourcesOfType<StageSettings>("AWS::ApiGatewayV2::Stage");
  for (const { name } of stages) {
    if (name !== "$default")
      throw new ConfigError(`stage ${name}: the local API supports only the $default stage`);
  }
  const routes = resolver
    .resourcesOfType<RouteProperties>("AWS::ApiGatewayV2::Route")
    .map(({ properties }) => {
      const { RouteKey, AuthorizerId, AuthorizationType = "NONE", AuthorizationScopes = [] } = properties;
      const [method = "", path = ""] = RouteKey === "$default" ? ["ANY", "/{proxy+}"] : RouteKey.split(" ");
      if (AuthorizationType !== "NONE" && AuthorizationType !== "JWT") {
        throw new ConfigError(
          `${RouteKey}: the local API does not support authorization of type ${AuthorizationType}`,
        );
      }
      return {
        key: RouteKey,
        method,
        segments: segmentsOf(path),
        functionArn: functionOf(resolver, properties),
        authorizer: AuthorizationType === "JWT" ? authorizerOf(resolver, RouteKey, AuthorizerId) : undefined,
        scopes: AuthorizationScopes,
      };
    });
  const throttle = new Throttle(
    stages[0]?.properties ?? {},
    routes.map(({ key }) => key),
  );
  return {
    apiId: apis[0]?.ref ?? "",
    routes: routes.sort((a, b) => compare(rank(a), rank(b))),
    throttle,
    cors: apis[0]?.properties.CorsConfiguration,
  };
}

/**
 * Finds the route of a path. Paths are decoded first, so an encoded slash also separates segments.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export function matchRoute(
  routes: readonly Route[],
  { method, path }: { method: string; path: string },
): MatchedRoute | undefined {
  const wanted = segmentsOf(decodedPath(path));
  for (const route of routes) {
    if (route.method !== "ANY" && route.method !== method) continue;
    const pathParameters = matchSegments(route.segments, wanted);
    if (pathParameters === undefined) continue;
    return { route, pathParameters: route.key === "$default" ? {} : pathParameters };
  }
  return undefined;
}

function matchSegments(
  pattern: readonly string[],
  wanted: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const rest = /^\{(\w+)\+\}$/.exec(segment)?.[1];
    if (rest !== undefined) return { ...parameters, [rest]: wanted.slice(index).join("/") };
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const value = wanted[index];
    if (value === undefined || (name === undefined && value !== segment)) return undefined;
    if (name !== undefined) parameters[name] = value;
  }
  return wanted.length === pattern.length ? parameters : undefined;
}

/** Decodes a path. Returns a path that is not percent-encoded UTF-8 unchanged. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function segmentsOf(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/**
 * Returns a sort key that orders `/a/b` before `/a/{b}` before `/a/{proxy+}`, a method before ANY, and
 * $default last.
 */
function rank({ key, method, segments }: Route): string {
  const kinds = segments.map((segment) =>
    segment.endsWith("+}") ? "2" : segment.startsWith("{") ? "1" : "0",
  );
  return `${key === "$default" ? "1" : "0"}${kinds.join("")}${method === "ANY" ? "b" : "a"}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function functionOf(resolver: Resolver, { RouteKey, Target }: RouteProperties): string {
  const integration = resolver
    .resourcesOfType<IntegrationProperties>("AWS::ApiGatewayV2::Integration")
    .find(({ ref }) => Target === `integrations/${ref}`);
  const { IntegrationType, IntegrationUri, PayloadFormatVersion } = integration?.properties ?? {};
  if (IntegrationType !== "AWS_PROXY" || PayloadFormatVersion !== "2.0" || IntegrationUri === undefined) {
    throw new ConfigError(`${RouteKey}: the local API supports only functions, in payload format 2.0`);
  }
  return /(arn:aws:lambda:[^/]+)/.exec(IntegrationUri)?.[1] ?? IntegrationUri;
}

function authorizerOf(resolver: Resolver, routeKey: string, id: string | undefined): JwtConfiguration {
  const authorizer = resolver
    .resourcesOfType<AuthorizerProperties>("AWS::ApiGatewayV2::Authorizer")
    .find(({ ref }) => ref === id);
  if (authorizer?.properties.AuthorizerType !== "JWT") {
    throw new ConfigError(`${routeKey}: the local API supports only JWT authorizers`);
  }
  const { Issuer, Audience } = authorizer.properties.JwtConfiguration;
  return { issuer: Issuer, audience: Audience };
}
