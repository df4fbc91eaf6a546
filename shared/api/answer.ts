import type { Context } from "hono";
import * as z from "zod";
import { shownValue } from "../core/errors.ts";
import type { RouteAnswer } from "./route.ts";

/**
 * The body of every error, as `application/problem+json`.
 * @see https://www.rfc-editor.org/rfc/rfc9457.html
 */
export const problemBody = z
  .strictObject({
    type: z.literal("about:blank").describe("Always `about:blank`; the status alone identifies the problem"),
    title: z.string().describe("The reason phrase of the status"),
    status: z.int(),
    detail: z.string().describe("What is wrong, in one sentence"),
    field: z.string().optional().describe("The parameter or field that is wrong"),
    value: z.unknown().optional().describe("The value of that parameter or field, shortened if it is long"),
  })
  .meta({ title: "Problem" });

export const problemType = "application/problem+json";

/** Describes a response that consists of a problem only. */
export function problem(description: string): RouteAnswer {
  return { description, body: problemBody };
}

/** The content of a problem: the sentence that describes it, with the field and the value that it is about. */
export interface Objection {
  detail: string;
  field?: string | undefined;
  value?: unknown;
}

/** Refuses a request. `more` adds members to the problem. */
export function refuse(
  context: Context,
  status: ErrorStatus,
  objection: Objection,
  more: Record<string, unknown> = {},
): Response {
  return context.body(JSON.stringify({ ...describeProblem(status, objection), ...more }), status, {
    "content-type": problemType,
  });
}

/** Responds with 404 to a path that no route serves. */
export function refusePath(context: Context): Response {
  const detail = "there is no such route";
  return refuse(context, 404, { detail, field: "path", value: context.req.path });
}

/** Responds with 404. `what` is `source`, `record`, …; `field` names the parameter or field that contains the id. */
export function refuseUnknown(context: Context, what: string, id: string, field = "id"): Response {
  return refuse(context, 404, { detail: `there is no ${what} ${id}`, field, value: id });
}

export function describeProblem(status: ErrorStatus, { detail, field, value }: Objection) {
  return {
    type: "about:blank" as const,
    title: titles[status],
    status,
    detail,
    ...(field !== undefined && { field }),
    ...(value !== undefined && { value: shownValue(value) }),
  };
}

/** The statuses of problems, with their phrases. @see https://www.rfc-editor.org/rfc/rfc9110.html#section-15 */
const titles = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
} as const;

export type ErrorStatus = keyof typeof titles;

/** ISO 8601, UTC. */
export const time = z.iso.datetime();

export const count = z.int().nonnegative();

export const marcRecord = z
  .strictObject({
    leader: z.string(),
    control: z.array(z.tuple([z.string(), z.string()])).describe("Control fields: tag, value"),
    fields: z
      .array(z.tuple([z.string(), z.string(), z.array(z.tuple([z.string(), z.string()]))]))
      .describe("Data fields: tag, indicators, and subfields: code, value"),
  })
  .meta({ title: "MarcRecord" });
