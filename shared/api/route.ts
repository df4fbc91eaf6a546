import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod";
import { InputError } from "../core/errors.ts";
import { parseInput } from "../core/schema-problems.ts";
import { withEtagOfBody } from "./etag.ts";
import { jsonBody, optionalJsonBody, parseQuery, textBody } from "./parse-request.ts";
import type { Role } from "./role.ts";

/** `public` routes need no token. */
export type Audience = "public" | "operator";

type Method = "GET" | "PUT" | "PATCH" | "POST" | "DELETE";

/** The response of a route with one status. */
export interface RouteAnswer {
  description: string;
  /** The JSON body; absent when there is none. */
  body?: z.ZodType;
  /** Further media types, or all media types if there is no JSON, each with a description of its body. */
  alternatives?: Record<string, string>;
  /** Important headers, each with its meaning. */
  headers?: Record<string, string>;
}

/** One operation of the API, as needed by the documents and the infrastructure. */
export interface RouteDescription {
  method: Method;
  /** Parameters in braces, as in `/records/{id}`. */
  path: `/${string}`;
  /** One line. */
  summary: string;
  /** Markdown, with details that the summary lacks. */
  details?: string;
  /** The parameters of the path. */
  params?: z.ZodObject;
  /**
   * `ignored`: unknown query parameters are permitted, because people add some to links. Absent: the route has no query
   * parameters and refuses any.
   */
  query?: z.ZodObject | "ignored";
  /** The JSON body. */
  body?: z.ZodType;
  /** Set when the JSON body may be absent; its schema then parses `undefined`. */
  isBodyOptional?: true;
  /** Describes the body if the handler parses it, because the permitted content depends on stored data. */
  bodyDocs?: z.ZodType;
  /** Also accepts `text/plain`, and converts the text to the format of the JSON body. */
  textBody?: z.ZodType;
  /** The lowest role that a token must give. When absent: viewer for GET, operator for other methods. */
  role?: Role;
  /** A body that is shown in documents. */
  example?: unknown;
  /** Obeys `If-Match`: responds with 412 if others have written the resource in the meantime. */
  ifMatch?: true;
  /** Obeys `If-None-Match: *`: writes only a resource that does not exist, otherwise responds with 412. */
  ifNoneMatch?: true;
  /** The responses by status. 400 is added to each route with input. */
  answers: Record<number, RouteAnswer>;
  /** Hono middleware that wraps the handler, e.g. for an ETag. */
  middleware?: MiddlewareHandler[];
}

export interface Route<Ports> extends RouteDescription {
  /** Called once per process. The returned function parses a request and responds to it. */
  handler(ports: Ports): (context: Context) => Promise<Response>;
}

/** A route whose type describes its calls and its responses: see `route-table.ts`. */
export interface TypedRoute<
  Ports,
  Verb extends Method,
  Path extends RouteDescription["path"],
  Query extends z.ZodObject | "ignored",
  Answers extends Record<number, RouteAnswer>,
> extends Route<Ports> {
  method: Verb;
  path: Path;
  query?: Query;
  answers: Answers;
}

/** The routes of one subject: a section of the documents. */
export interface Subject<Ports> {
  title: string;
  /** Markdown that introduces the section. */
  introduction: string;
  audience: Audience;
  /** The function that serves the subject, if it is not the default function of its audience. */
  servedBy?: "check-set" | "description" | "snapshots";
  routes: Route<Ports>[];
}

/** A subject as documents and templates read it, without its handlers. */
export type DescribedSubject = Omit<Subject<never>, "routes"> & { routes: RouteDescription[] };

const noParameters = z.strictObject({});
type NoParameters = typeof noParameters;

type Definition<
  Ports,
  Verb extends Method,
  Path extends RouteDescription["path"],
  Params extends z.ZodObject,
  Query extends z.ZodObject | "ignored",
  Body extends z.ZodType,
  Answers extends Record<number, RouteAnswer>,
> = RouteDescription & {
  method: Verb;
  path: Path;
  answers: Answers;
  params?: Params;
  query?: Query;
  body?: Body;
  textBody?: z.ZodType<z.output<Body>>;
  handler(ports: Ports): (
    context: Context,
    input: {
      params: z.output<Params>;
      query: Query extends z.ZodObject ? z.output<Query> : Record<string, never>;
      body: z.output<Body>;
    },
  ) => Promise<Response>;
};

/**
 * Returns a function that creates routes over these ports. Their handlers receive the parsed request. Query parameters
 * are parsed first, then path parameters, then the body.
 */
export function routesOver<Ports>() {
  return <
    const Verb extends Method,
    const Path extends RouteDescription["path"],
    Answers extends Record<number, RouteAnswer>,
    Params extends z.ZodObject = NoParameters,
    Query extends z.ZodObject | "ignored" = NoParameters,
    Body extends z.ZodType = z.ZodUndefined,
  >({
    handler,
    ...description
  }: Definition<Ports, Verb, Path, Params, Query, Body, Answers>): TypedRoute<
    Ports,
    Verb,
    Path,
    // The type of a list of routes contains nothing about the query of each route.
    NoInfer<Query>,
    Answers
  > => ({
    ...description,
    handler(ports) {
      const answer = handler(ports);
      const { query = noParameters, params = noParameters } = description;
      return async (context) => {
        const input = {
          query: query === "ignored" ? {} : parseQuery(context, query),
          params: parseInput(params, context.req.param()),
          body: await parseBody(context, description),
        };
        const answered = await answer(context, input as Parameters<typeof answer>[1]);
        return hasEtag(description) ? withEtagOfBody(context, answered) : answered;
      };
    },
  });
}

/** Decides whether a route reads an editable resource, so that it obeys `If-None-Match`. */
export function hasEtag({ method, answers }: Pick<RouteDescription, "method" | "answers">): boolean {
  return method === "GET" && answers[200]?.headers?.ETag !== undefined;
}

/** @throws InputError for a body that is not UTF-8 or not JSON, or that names the first invalid field and its value */
async function parseBody(
  context: Context,
  { body, textBody: text, isBodyOptional }: Pick<RouteDescription, "body" | "textBody" | "isBodyOptional">,
): Promise<unknown> {
  if (body === undefined) return undefined;
  if (text === undefined)
    return parseInput(body, isBodyOptional ? await optionalJsonBody(context) : await jsonBody(context));
  const contentType = context.req.header("content-type") ?? "";
  if (/^text\/plain\b/i.test(contentType)) return parseInput(text, await textBody(context));
  if (/^application\/json\b/i.test(contentType)) return parseInput(body, await jsonBody(context));
  throw new InputError("content-type", contentType, "must be text/plain or application/json");
}
