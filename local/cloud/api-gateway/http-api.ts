import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { JWTPayload } from "jose";
import { describeProblem, type ErrorStatus, problemType } from "../../../shared/api/answer.ts";
import type { Tokens } from "../cognito/tokens.ts";
import type { Access } from "../iam/access.ts";
import { TooManyRequests } from "../lambda/concurrency.ts";
import type { LocalFunction } from "../lambda/functions.ts";
import { jsonBytes, maxPayloadBytes } from "../limits.ts";
import { arnOf, type CloudLocation, nameInArn } from "../location.ts";
import { answerPreflight, type CorsConfiguration, withCors } from "./cors.ts";
import { buildHttpEvent, scopesOf } from "./http-event.ts";
import type { ProxyResponse } from "./proxy-response.ts";
import { matchRoute, type Route } from "./routes.ts";
import type { Throttle } from "./throttle.ts";

export interface HttpApiParts {
  readonly location: CloudLocation;
  readonly apiId: string;
  readonly routes: readonly Route[];
  readonly throttle: Throttle;
  readonly cors: CorsConfiguration | undefined;
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly access: Access;
  readonly tokens: Tokens;
  readonly reportError: (problem: string) => void;
}

/**
 * Creates the server of the HTTP API of the templates.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function createHttpApi(parts: Promise<HttpApiParts>): Server {
  return createServer((incoming, outgoing) => {
    void parts.then(async (known) => {
      const answer = await respondOrReport(incoming, known);
      send(outgoing, withCors(answer, incoming, known.cors));
    });
  });
}

async function respondOrReport(incoming: IncomingMessage, parts: HttpApiParts): Promise<ProxyResponse> {
  try {
    return await serve(incoming, parts);
  } catch (error) {
    if (error instanceof TooManyRequests) return gatewayProblem(503, "the function is throttled");
    parts.reportError(`${incoming.method} ${incoming.url}: ${(error as Error).message}`);
    return gatewayProblem(500, "the function failed; see the log");
  }
}

async function serve(incoming: IncomingMessage, parts: HttpApiParts): Promise<ProxyResponse> {
  const { method = "GET", url = "/" } = incoming;
  // A query may contain question marks, for example in a URL.
  const [, path = "/", search = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const foreign = foreignHeader(incoming, parts);
  if (foreign !== undefined) return gatewayProblem(403, foreign);
  const preflight = answerPreflight(incoming, parts.cors);
  if (preflight !== undefined) return preflight;
  const matched = matchRoute(parts.routes, { method, path });
  if (matched === undefined) return gatewayProblem(404, "the route does not exist");
  const { route } = matched;
  if (!parts.throttle.admits(route.key, Date.now()))
    return gatewayProblem(429, "the route has too many requests");
  const claims = await claimsOf(incoming, route, parts.tokens);
  if (claims === "unauthorized") {
    const refusal = gatewayProblem(401, "the token is missing or not valid");
    return { ...refusal, headers: { ...refusal.headers, "www-authenticate": "Bearer" } };
  }
  if (claims !== undefined && !hasScope(claims, route.scopes))
    return gatewayProblem(403, "the token lacks the scope of the route");

  parts.access.assertService("apigateway.amazonaws.com", {
    action: "lambda:InvokeFunction",
    resource: route.functionArn,
    context: { "aws:sourcearn": sourceArn(route, parts) },
  });
  const target = parts.functions.get(nameInArn(route.functionArn));
  if (target === undefined) throw new Error(`there is no function ${route.functionArn}`);
  const body = await buffer(incoming);
  const event = buildHttpEvent({ incoming, path, search, body, matched, claims }, parts);
  if (jsonBytes(event) > maxPayloadBytes) return gatewayProblem(413, "the request has more than 6 MB");
  return normalizeResponse(await target.invoke(event, { requestId: event.requestContext.requestId }));
}

/**
 * Returns why a request is refused. A page of another site may make the browser send a request to this
 * server, even under a host name that resolves to 127.0.0.1.
 * @returns undefined for a permitted request
 */
function foreignHeader({ headers }: IncomingMessage, { location, cors }: HttpApiParts): string | undefined {
  const { host, origin } = headers;
  const { port } = new URL(location.apiUrl);
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !own.includes(host)) return "the host of the request is not this machine";
  const allowed = [...own.map((each) => `http://${each}`), ...(cors?.AllowOrigins ?? [])];
  if (origin === undefined || allowed.includes(origin) || allowed.includes("*")) return undefined;
  return "the request comes from a page of another origin";
}

function sourceArn({ key, method, segments }: Route, { location, apiId }: HttpApiParts): string {
  const path = key === "$default" ? "$default" : `${method === "ANY" ? "*" : method}/${segments.join("/")}`;
  return arnOf(location, "execute-api", `${apiId}/$default/${path}`);
}

async function claimsOf(
  { headers }: IncomingMessage,
  { authorizer }: Route,
  tokens: Tokens,
): Promise<JWTPayload | "unauthorized" | undefined> {
  if (authorizer === undefined) return undefined;
  const token = (headers.authorization ?? "").replace(/^Bearer /i, "");
  return (await tokens.verify(token, authorizer)) ?? "unauthorized";
}

function hasScope(claims: JWTPayload, wanted: readonly string[]): boolean {
  return wanted.length === 0 || scopesOf(claims).some((scope) => wanted.includes(scope));
}

/** A response without a statusCode is the body of a 200. */
function normalizeResponse(answer: unknown): ProxyResponse {
  if (typeof answer === "object" && answer !== null && "statusCode" in answer) return answer as ProxyResponse;
  const body = typeof answer === "string" ? answer : JSON.stringify(answer);
  return { statusCode: 200, headers: { "content-type": "application/json" }, body };
}

/**
 * Returns a response of the gateway itself. API Gateway would respond `{"message": …}`; this response is a
 * problem document, like those of the functions.
 */
function gatewayProblem(status: ErrorStatus, detail: string): ProxyResponse {
  const body = JSON.stringify(describeProblem(status, { detail }));
  return { statusCode: status, headers: { "content-type": problemType }, body };
}

function send(outgoing: ServerResponse, answer: ProxyResponse): void {
  const { statusCode, headers = {}, cookies = [], body = "", isBase64Encoded = false } = answer;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, String(value));
  if (!outgoing.hasHeader("content-type")) outgoing.setHeader("content-type", "text/plain;charset=utf-8");
  if (cookies.length > 0) outgoing.setHeader("set-cookie", [...cookies]);
  outgoing.writeHead(statusCode).end(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"));
}
