import middy from "@middy/core";
import { Hono, type MiddlewareHandler } from "hono";
import { handle, type LambdaEvent } from "hono/aws-lambda";
import { HTTPException } from "hono/http-exception";
import { InputError, PlatformError, RemoteError } from "../core/errors.ts";
import { invocationLog } from "./invocation-log.ts";
import { errorFields, log } from "./log.ts";

/** Of an id in a path: two of them fit the sort key of a table, which takes 1,024 bytes. */
const mostIdBytes = 400;

/** Turns away ids that no table could have. */
const boundedPath: MiddlewareHandler = async (context, next) => {
  for (const segment of context.req.path.split("/")) {
    const id = decoded(segment);
    if (Buffer.byteLength(id) > mostIdBytes) {
      throw new InputError("path", id, `an id must be of at most ${mostIdBytes} bytes`);
    }
  }
  await next();
};

/** As it stands where it is not percent-encoded UTF-8. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A function behind the HTTP API. Errors become `{"error": …}` with the status of their kind. */
export function httpHandler(app: Hono) {
  const guarded = new Hono().use(boundedPath).route("/", app);
  guarded.onError((error, context) => {
    if (error instanceof HTTPException) return context.json({ error: error.message }, error.status);
    const status = statusOf(error);
    if (status >= 500) log("error", "the request failed", { path: context.req.path, ...errorFields(error) });
    // What went wrong inside is for the log, not for the world.
    return context.json(
      { error: status === 500 ? "something went wrong inside Ingather" : error.message },
      status,
    );
  });
  guarded.notFound((context) => context.json({ error: `there is nothing at ${context.req.path}` }, 404));
  return middy<LambdaEvent>().use(invocationLog()).handler(handle(guarded));
}

function statusOf(error: Error): 400 | 500 | 502 | 503 {
  if (error instanceof InputError) return 400;
  if (error instanceof RemoteError) return 502;
  if (error instanceof PlatformError) return 503;
  return 500;
}
