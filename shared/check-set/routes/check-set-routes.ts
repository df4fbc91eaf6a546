import type { Context } from "hono";
import * as z from "zod";
import { type RouteAnswer, routesOver, type Subject } from "../../api/route.ts";
import { awaitCheck } from "../await-check.ts";
import { type CheckResult, checkError } from "../check-result.ts";
import { type CheckRun, parseCheck, stateOf } from "../check-run.ts";
import { type CheckLimits, type StartCheckPorts, startCheck } from "../start-check.ts";
import { writeCheckXml } from "../write-check-xml.ts";

interface CheckSetPorts extends StartCheckPorts {
  limits: CheckLimits;
}

/**
 * The longest time before a direct response. A gateway times out after 30 s, and the register of published sets may
 * take several seconds.
 */
const directAnswerMs = 24_000;
const pollAfterSeconds = "2";

const xmlType = "application/xml";

const route = routesOver<CheckSetPorts>();

function xml(description: string, content: string): RouteAnswer {
  return { description, alternatives: { [xmlType]: content } };
}

const progressAnswer: RouteAnswer = {
  ...xml("Pages are still being read", "`<set><url/><progress><records/><of/></progress></set>`"),
  headers: { Location: "The path of the result", "Retry-After": "The seconds to wait before asking again" },
};
const resultAnswer = xml(
  "The check is done",
  '`<set><url/><count/></set>`, or `<set><url/><error type="…"/></set>`',
);
const asError = (description: string) => xml(description, '`<set><url/><error type="…"/></set>`');

const errorAnswers = {
  400: asError("A parameter is not valid"),
  500: asError("An error in Ingather, described in the log"),
  502: asError("The SPARQL endpoint does not respond"),
  503: asError("A system behind the API is busy"),
};

export const checkSetSubject = {
  title: "Checks of sets",
  introduction:
    "Checks whether an OAI-PMH set may be ingested, and counts its objects with an ARK " +
    "([more](check-set.md)). Responses and errors are XML. A setting can open these routes to anybody, within limits.",
  audience: "operator",
  servedBy: "check-set",
  routes: [
    route({
      method: "GET",
      path: "/admin/check",
      summary: "Checks a set",
      details:
        "If a check takes longer than 24 s, or is requested with `Prefer: respond-async`, the response is 202 and the check continues. " +
        "Checks of the same set and ARK share one run, and share its result for 10 minutes.",
      query: z.strictObject({
        set: z.string().optional().describe("The URL of a ListRecords request, percent-encoded; required"),
        ark: z
          .string()
          .optional()
          .describe("Only objects with this ARK are counted, as in `ark:/80444/xv43658`"),
      }),
      answers: {
        200: resultAnswer,
        202: progressAnswer,
        ...errorAnswers,
        429: asError("Too many checks in this hour"),
      },
      handler:
        (ports) =>
        async (context, { query }) => {
          const until = new Date(ports.clock.now().getTime() + waitMs(context));
          const check = parseCheck({ set: query.set, ark: query.ark });
          const started = await startCheck({ ...check, caller: callerOf(context) }, ports.limits, ports);
          const { url } = check.set;
          if (started.type === "result") return answer(context, writeCheckXml(url, started.result), 200);
          if (started.type === "limited") {
            context.header("Retry-After", String(started.retryAfterSeconds));
            return answer(context, writeCheckXml(url, tooManyChecks), 429);
          }
          const run = await awaitCheck(started.run, until, ports);
          if (waitMs(context) === 0) context.header("Preference-Applied", "respond-async");
          return answerRun(context, run, { url, now: ports.clock.now() });
        },
    }),
    route({
      method: "GET",
      path: "/admin/check/{id}",
      summary: "Returns the result of a check, or its progress",
      params: z.strictObject({ id: z.string().max(100).describe("The id from the `Location` of the check") }),
      answers: {
        200: resultAnswer,
        202: progressAnswer,
        ...errorAnswers,
        404: asError("No such check; results are kept for a day"),
      },
      handler:
        ({ checks, clock }) =>
        async (context, { params: { id } }) => {
          const run = await checks.get(id);
          if (run === undefined) {
            const missing = checkError("other", `There is no check ${id}; results are kept for a day.`);
            return answer(context, writeCheckXml("", missing), 404);
          }
          return answerRun(context, run, { url: run.set.url, now: clock.now() });
        },
    }),
  ],
} satisfies Subject<CheckSetPorts>;

const tooManyChecks: CheckResult = checkError(
  "other",
  "Too many checks were started in this hour. Try again later.",
);

/** Renders the response of a check to an error that was thrown. */
export function renderCheckError(
  context: Context,
  { status, message }: { status: 400 | 500 | 502 | 503; message: string },
): Response {
  const url = context.req.queries("set")?.join(" ") ?? "";
  // A URL that is not percent-encoded is split into several parameters.
  const isSplit = status === 400 && new URL(context.req.url).searchParams.size > 2;
  const advice = isSplit ? " Is the URL in set percent-encoded?" : "";
  const found = checkError(status === 502 ? "http" : "other", `${message}${advice}`);
  return answer(context, writeCheckXml(url, found), status);
}

function answerRun(context: Context, run: CheckRun, { url, now }: { url: string; now: Date }): Response {
  const state = stateOf(run, now);
  if (state.type === "progress") {
    context.header("Location", `/admin/check/${run.checkId}`);
    context.header("Retry-After", pollAfterSeconds);
  }
  return answer(context, writeCheckXml(url, state), state.type === "progress" ? 202 : 200);
}

function answer(
  context: Context,
  text: string,
  status: 200 | 202 | 400 | 404 | 429 | 500 | 502 | 503,
): Response {
  context.header("Content-Type", `${xmlType}; charset=utf-8`);
  context.header("Cache-Control", "no-store");
  return context.body(text, status);
}

/**
 * Returns the time that the caller waits.
 * @see https://www.rfc-editor.org/rfc/rfc7240#section-4 `respond-async` and `wait`
 */
function waitMs(context: Context): number {
  const preferences = (context.req.header("prefer") ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  const seconds = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find(Boolean);
  if (seconds !== undefined) return Math.min(Number(seconds) * 1000, directAnswerMs);
  return preferences.includes("respond-async") ? 0 : directAnswerMs;
}

interface HttpApiEvent {
  requestContext: { http?: { sourceIp?: string }; authorizer?: { jwt?: unknown } };
}

/**
 * Returns the address of an anonymous caller, by which the limits count.
 * @returns undefined for an operator
 */
function callerOf(context: Context): string | undefined {
  const { event } = context.env as { event?: HttpApiEvent };
  if (event?.requestContext.authorizer?.jwt !== undefined) return undefined;
  return event?.requestContext.http?.sourceIp ?? "unknown";
}
