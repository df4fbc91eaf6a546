import { randomUUID } from "node:crypto";
import type { buildApp } from "fauxqs";
import type { ServiceRequest } from "../service.ts";

type FauxqsApp = ReturnType<typeof buildApp>;

/** fauxqs refuses bodies of more than 11 MiB; S3 takes objects of 5 GiB. */
const parsedBytes = 10 * 1024 * 1024;

const header = "x-large-body";

/**
 * Lets an app take large bodies of `PUT`: they go around its parser.
 * @returns what is injected for a request
 */
export function withLargeBodies(
  app: FauxqsApp,
): <Result>(
  request: Pick<ServiceRequest, "method" | "headers" | "body">,
  inject: (request: Pick<ServiceRequest, "headers" | "body">) => Promise<Result>,
) => Promise<Result> {
  const bodies = new Map<string, Buffer>();
  app.addHook("preHandler", async (request) => {
    const body = bodies.get(String(request.headers[header]));
    if (body !== undefined) request.body = body;
  });
  return async ({ method, headers, body }, inject) => {
    if (method !== "PUT" || body.length <= parsedBytes) return inject({ headers, body });
    // Nobody else knows the id.
    const id = randomUUID();
    const { "content-length": _length, ...others } = headers;
    bodies.set(id, body);
    try {
      return await inject({
        headers: { "content-type": "application/octet-stream", ...others, [header]: id },
        // An empty body would not be parsed.
        body: Buffer.from("-"),
      });
    } finally {
      bodies.delete(id);
    }
  };
}
