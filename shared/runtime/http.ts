import middy from "@middy/core";
import { type Context, Hono } from "hono";
import { handle, type LambdaEvent } from "hono/aws-lambda";
import { HTTPException } from "hono/http-exception";
import { InputError, PlatformError, RemoteError, ThrottledError } from "../core/errors.ts";
import { invocationLog } from "./invocation-log.ts";
import { errorFields, log } from "./log.ts";
import { assertUnambiguousPath, withEncodedPath } from "./request-path.ts";

/** Of payload format 2.0. */
type HttpEvent = Extract<LambdaEvent, { rawPath: string }>;

type ErrorStatus = ReturnType<typeof statusOf>;

interface HttpHandlerOptions {
  /** The answer to an error, instead of `{"error": …}`. */
  renderError?: (
    context: Context,
    problem: { status: ErrorStatus; message: string; cause: Error },
  ) => Response;
}

/** A function behind the HTTP API. Errors become `{"error": …}` with the status of their kind. */
export function httpHandler(app: Hono, { renderError }: HttpHandlerOptions = {}) {
  const guarded = new Hono<{ Bindings: { event: HttpEvent } }>()
    .use(async (context, next) => {
      assertUnambiguousPath(context.env.event);
      await next();
    })
    .route("/", app);
  guarded.onError((error, context) => {
    if (error instanceof HTTPException) return context.json({ error: error.message }, error.status);
    const status = statusOf(error);
    if (status >= 500) log("error", "the request failed", { path: context.req.path, ...errorFields(error) });
    // Details of our own errors go to the log alone.
    const message = status === 500 ? "something went wrong inside Ingather" : error.message;
    if (renderError !== undefined) return renderError(context, { status, message, cause: error });
    return context.json({ error: message }, status);
  });
  guarded.notFound((context) => context.json({ error: `there is nothing at ${context.req.path}` }, 404));
  const answer = handle(guarded);
  return middy<HttpEvent, Awaited<ReturnType<typeof answer>>>()
    .use(
      invocationLog<HttpEvent, { statusCode: number }>(({ routeKey, rawPath }, { statusCode }) => ({
        route: routeKey,
        path: rawPath,
        status: statusCode,
      })),
    )
    .handler((event, context) => answer(withEncodedPath(event), context));
}

function statusOf(error: Error): 400 | 500 | 502 | 503 {
  if (error instanceof InputError) return 400;
  if (error instanceof RemoteError) return 502;
  if (error instanceof PlatformError || error instanceof ThrottledError) return 503;
  return 500;
}
