import { type Dispatcher, request } from "undici";
import { PlatformError } from "../../core/errors.ts";

interface OwnRequest {
  method: Dispatcher.HttpMethod;
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface OwnResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** API Gateway answers after 30 s at the latest. */
const timeoutMs = 29_000;

/**
 * Asks services of our own: the API, and the issuer of tokens. They are no hosts of content, so no gate stands before them;
 * other origins than the given ones are refused.
 */
export function createOwnHttp(origins: readonly string[]): (asked: OwnRequest) => Promise<OwnResponse> {
  return async ({ method, url, headers = {}, body }) => {
    const { origin, pathname } = new URL(url);
    if (!origins.includes(origin)) throw new PlatformError(`${origin} is no service of ours`);
    try {
      const answer = await request(url, {
        method,
        headers,
        body: body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return {
        status: answer.statusCode,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
        ),
        body: await answer.body.text(),
      };
    } catch (error) {
      throw new PlatformError(`${origin}${pathname} did not answer: ${(error as Error).message}`);
    }
  };
}
