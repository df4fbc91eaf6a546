import middy from "@middy/core";
import { type Context, Hono } from "hono";
import { handle, type LambdaEvent } from "hono/aws-lambda";
import { HTTPException } from "hono/http-exception";
import { type ErrorStatus, type Objection, refuse, refusePath } from "../api/answer.ts";
import { InputError, PlatformError, RemoteError, ThrottledError } from "../core/errors.ts";
import { invocationLog } from "./invocation-log.ts";
import { errorFields, log } from "./log.ts";
import { assertUnambiguousPath, withEncodedPath } from "./request-path.ts";

/** An event of payload format 2.0. */
type HttpEvent = Extract<LambdaEvent, { rawPath: string }>;

interface HttpHandlerOptions {
  /** Renders the response to an error, instead of a problem. */
  renderError?: (
    context: Context,
    problem: { status: 400 | 500 | 502 | 503; message: string; cause: Error },
  ) => Response;
}

/** Creates a function behind the HTTP API. Errors become problems with the status of their kind. */
export function httpHandler(app: Hono, { renderError }: HttpHandlerOptions = {}) {
  const guarded = new Hono<{ Bindings: { event: HttpEvent } }>()
    .use(async (context, next) => {
      assertUnambiguousPath(context.env.event);
      await next();
    })
    .route("/", app);
  guarded.onError((error, context) => {
    if (renderError === undefined || error instanceof HTTPException) return answerError(context, error);
    const status = statusOf(error);
    logFault(context, error);
    return renderError(context, { status, message: objectionTo(error).detail, cause: error });
  });
  guarded.notFound(refusePath);
  const answer = handle(guarded);
  return middy<HttpEvent, Awaited<ReturnType<typeof answer>>>()
    .use(
      invocationLog<HttpEvent, { statusCode: number }>(({ routeKey, rawPath }, { statusCode }) => ({
        route: routeKey,
        path: rawPath,
        status: statusCode,
      })),
    )
    .handler((event, context) => answer(withoutIdleBody(withEncodedPath(event)), context));
}

/** Removes the body of a GET, because it has no meaning and `Request` does not accept it. */
function withoutIdleBody(event: HttpEvent): HttpEvent {
  const isRead = ["GET", "HEAD"].includes(event.requestContext.http.method);
  return isRead && event.body !== undefined ? { ...event, body: null } : event;
}

/** Converts an error to a problem. Faults are logged. */
export function answerError(context: Context, error: Error): Response {
  if (error instanceof HTTPException) {
    return refuse(context, error.status as ErrorStatus, { detail: error.message });
  }
  logFault(context, error);
  if (error instanceof ThrottledError) {
    const waitMs = error.retryAt.getTime() - Date.now();
    context.header("Retry-After", String(Math.max(1, Math.ceil(waitMs / 1000))));
  }
  return refuse(context, statusOf(error), objectionTo(error));
}

function logFault(context: Context, error: Error): void {
  if (statusOf(error) < 500) return;
  log("error", "the request failed", { path: context.req.path, ...errorFields(error) });
}

/** The details of Ingather's own errors are only logged. */
function objectionTo(error: Error): Objection {
  if (error instanceof InputError) return { detail: error.message, field: error.field, value: error.value };
  return { detail: statusOf(error) === 500 ? "Ingather has failed" : error.message };
}

function statusOf(error: Error): 400 | 500 | 502 | 503 {
  if (error instanceof InputError) return 400;
  if (error instanceof RemoteError) return 502;
  if (error instanceof PlatformError || error instanceof ThrottledError) return 503;
  return 500;
}
