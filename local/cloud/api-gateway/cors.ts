import type { IncomingMessage } from "node:http";
import type { ProxyResponse } from "./proxy-response.ts";

/** The permissions that the API of the templates gives to pages of other origins. */
export interface CorsConfiguration {
  readonly AllowOrigins?: readonly string[];
  readonly AllowMethods?: readonly string[];
  readonly AllowHeaders?: readonly string[];
  readonly ExposeHeaders?: readonly string[];
  readonly MaxAge?: number;
}

/**
 * Returns the response to a preflight request. An API with CORS responds to preflights without invoking a
 * function.
 * @returns undefined for other requests
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export function answerPreflight(
  { method, headers }: IncomingMessage,
  cors: CorsConfiguration | undefined,
): ProxyResponse | undefined {
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  return cors !== undefined && isPreflight ? { statusCode: 204 } : undefined;
}

/** Returns the response with the headers that permit a page of an allowed origin to read it. */
export function withCors(
  answer: ProxyResponse,
  { method, headers }: IncomingMessage,
  cors: CorsConfiguration | undefined,
): ProxyResponse {
  const { AllowOrigins = [], AllowMethods = [], AllowHeaders = [], ExposeHeaders = [], MaxAge } = cors ?? {};
  const { origin } = headers;
  if (origin === undefined || !(AllowOrigins.includes("*") || AllowOrigins.includes(origin))) return answer;
  const added: Record<string, string> = {
    "access-control-allow-origin": AllowOrigins.includes("*") ? "*" : origin,
    vary: "origin",
  };
  if (ExposeHeaders.length > 0) added["access-control-expose-headers"] = ExposeHeaders.join(",");
  if (method === "OPTIONS") {
    added["access-control-allow-methods"] = AllowMethods.join(",");
    added["access-control-allow-headers"] = AllowHeaders.join(",");
    if (MaxAge !== undefined) added["access-control-max-age"] = String(MaxAge);
  }
  return { ...answer, headers: { ...answer.headers, ...added } };
}
