import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { JWTPayload } from "jose";
import type { Access } from "./access.ts";
import type { LocalFunction } from "./functions.ts";
import { eventOf, scopesOf } from "./http-event.ts";
import { jsonBytes, mostPayloadBytes } from "./limits.ts";
import type { Place } from "./resources.ts";
import { matchRoute, type Route } from "./routes.ts";
import type { Tokens } from "./tokens.ts";

export interface HttpApiParts {
  readonly place: Place;
  readonly apiId: string;
  readonly routes: readonly Route[];
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly access: Access;
  readonly tokens: Tokens;
  readonly report: (problem: string) => void;
}

/** What a function answers in payload format 2.0. */
interface FunctionAnswer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/**
 * The HTTP API of the templates.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function createHttpApi(parts: Promise<HttpApiParts>): Server {
  return createServer((incoming, outgoing) => {
    void parts.then((known) => answerOrReport(incoming, known)).then((answer) => send(outgoing, answer));
  });
}

async function answerOrReport(incoming: IncomingMessage, parts: HttpApiParts): Promise<FunctionAnswer> {
  try {
    return await serve(incoming, parts);
  } catch (error) {
    parts.report(`${incoming.method} ${incoming.url}: ${(error as Error).message}`);
    return message(500, "Internal Server Error");
  }
}

async function serve(incoming: IncomingMessage, parts: HttpApiParts): Promise<FunctionAnswer> {
  const { method = "GET", url = "/" } = incoming;
  // A query may have further question marks in it, as that of a URL that is asked about.
  const [, path = "/", search = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const matched = matchRoute(parts.routes, { method, path });
  if (matched === undefined) return message(404, "Not Found");
  const { route } = matched;
  const claims = await claimsOf(incoming, route, parts.tokens);
  if (claims === "unauthorized") return message(401, "Unauthorized");
  if (claims !== undefined && !hasScope(claims, route.scopes)) return message(403, "Forbidden");

  parts.access.assertService("apigateway.amazonaws.com", {
    action: "lambda:InvokeFunction",
    resource: route.functionArn,
    context: { "aws:sourcearn": sourceArn(route, parts) },
  });
  const target = parts.functions.get(route.functionArn.split(":").at(-1) ?? "");
  if (target === undefined) throw new Error(`there is no function ${route.functionArn}`);
  const body = await buffer(incoming);
  const event = eventOf({ incoming, path, search, body, matched, claims }, parts);
  if (jsonBytes(event) > mostPayloadBytes) return message(413, "Request Entity Too Large");
  return answerOf(await target.invoke(event, event.requestContext.requestId));
}

function sourceArn({ key, method, segments }: Route, { place, apiId }: HttpApiParts): string {
  const path = key === "$default" ? "$default" : `${method === "ANY" ? "*" : method}/${segments.join("/")}`;
  return `arn:aws:execute-api:${place.region}:${place.account}:${apiId}/$default/${path}`;
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

/** Anything without a statusCode is the body of a 200. */
function answerOf(answer: unknown): FunctionAnswer {
  if (typeof answer === "object" && answer !== null && "statusCode" in answer)
    return answer as FunctionAnswer;
  const body = typeof answer === "string" ? answer : JSON.stringify(answer);
  return { statusCode: 200, headers: { "content-type": "application/json" }, body };
}

function message(statusCode: number, text: string): FunctionAnswer {
  const body = JSON.stringify({ message: text });
  return { statusCode, headers: { "content-type": "application/json" }, body };
}

function send(outgoing: ServerResponse, answer: FunctionAnswer): void {
  const { statusCode, headers = {}, cookies = [], body = "", isBase64Encoded = false } = answer;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, String(value));
  if (!outgoing.hasHeader("content-type")) outgoing.setHeader("content-type", "text/plain;charset=utf-8");
  if (cookies.length > 0) outgoing.setHeader("set-cookie", [...cookies]);
  outgoing.writeHead(statusCode).end(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"));
}
