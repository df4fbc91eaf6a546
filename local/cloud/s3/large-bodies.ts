import { randomUUID } from "node:crypto";
import type { buildApp } from "fauxqs";
import type { ServiceRequest } from "../service.ts";

type FauxqsApp = ReturnType<typeof buildApp>;

/**
 * The maximum size of a body that fauxqs parses. It refuses bodies of more than 11 MiB, whereas S3 accepts
 * objects of up to 5 GiB.
 */
const parsedBytes = 10 * 1024 * 1024;

const header = "x-large-body";

/**
 * Extends an app so that large bodies of `PUT` bypass its parser.
 * @returns a function that returns the request to inject
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
    // The id is random, so that other requests cannot refer to this body.
    const id = randomUUID();
    const { "content-length": _length, ...others } = headers;
    bodies.set(id, body);
    try {
      return await inject({
        headers: { "content-type": "application/octet-stream", ...others, [header]: id },
        // fauxqs does not parse an empty body, so one byte is sent.
        body: Buffer.from("-"),
      });
    } finally {
      bodies.delete(id);
    }
  };
}
