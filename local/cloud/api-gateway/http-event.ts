import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { JWTPayload } from "jose";
import type { CloudLocation } from "../location.ts";
import { decodedPath, type MatchedRoute } from "./routes.ts";

interface HttpApiCall {
  readonly incoming: IncomingMessage;
  readonly path: string;
  readonly search: string;
  readonly body: Buffer;
  readonly matched: MatchedRoute;
  readonly claims: JWTPayload | undefined;
}

/**
 * Builds the event of a request, in payload format 2.0.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function buildHttpEvent(
  { incoming, path, search, body, matched, claims }: HttpApiCall,
  { location, apiId }: { location: CloudLocation; apiId: string },
) {
  const { route, pathParameters } = matched;
  const { cookie, ...headers } = incoming.headers;
  const parameters = new URLSearchParams(search);
  const names = [...new Set(parameters.keys())];
  // API Gateway truncates the path at an encoded question mark.
  const [rawPath = ""] = decodedPath(path).split("?", 1);
  const isText = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded)|[^;]*\+(json|xml))/.test(
    headers["content-type"] ?? "text/plain",
  );
  return {
    version: "2.0",
    routeKey: route.key,
    rawPath,
    rawQueryString: search,
    ...(cookie !== undefined && { cookies: cookie.split(/; */) }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(names.length > 0 && {
      queryStringParameters: Object.fromEntries(
        names.map((name) => [name, parameters.getAll(name).join(",")]),
      ),
    }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: location.account,
      apiId,
      ...(claims !== undefined && {
        authorizer: {
          jwt: { claims: textClaims(claims), scopes: route.scopes.length > 0 ? scopesOf(claims) : null },
        },
      }),
      domainName: headers.host ?? "",
      domainPrefix: apiId,
      http: {
        method: incoming.method ?? "GET",
        path: rawPath,
        protocol: `HTTP/${incoming.httpVersion}`,
        sourceIp: incoming.socket.remoteAddress ?? "",
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: route.key,
      stage: "$default",
      time: new Date().toUTCString(),
      timeEpoch: Date.now(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? "utf8" : "base64") }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/**
 * Converts claims to strings, because the authorizer passes each claim as a string, and a list as `[a b]`.
 */
function textClaims(claims: JWTPayload): Record<string, string> {
  const text = (value: unknown) => (Array.isArray(value) ? `[${value.join(" ")}]` : String(value));
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, text(value)]));
}

/** Returns the scopes of a token, from either claim. */
export function scopesOf(claims: JWTPayload): string[] {
  return String(claims.scope ?? claims.scp ?? "")
    .split(" ")
    .filter(Boolean);
}
