import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod";
import { InputError } from "../core/errors.ts";
import { parseInput } from "../core/schema-problems.ts";
import { withEtagOfBody } from "./etag.ts";
import { jsonBody, parseQuery, textBody } from "./parse-request.ts";
import type { Role } from "./role.ts";

/** `public` routes need no token. */
export type Audience = "public" | "operator";

type Method = "GET" | "PUT" | "PATCH" | "POST" | "DELETE";

/** What a route answers with one status. */
export interface RouteAnswer {
  description: string;
  /** The JSON body; absent when there is none. */
  body?: z.ZodType;
  /** Further media types, or all where there is no JSON, each with what the body is then. */
  alternatives?: Record<string, string>;
  /** Headers that matter, each with its meaning. */
  headers?: Record<string, string>;
}

/** One operation of the API, as documents and infra need it. */
export interface RouteDescription {
  method: Method;
  /** Parameters in braces, as in `/records/{id}`. */
  path: `/${string}`;
  /** One line. */
  summary: string;
  /** Markdown, with more than the summary. */
  details?: string;
  /** The parameters of the path. */
  params?: z.ZodObject;
  /**
   * `ignored`: unknown query parameters are allowed, as people add some to links. Absent: the route has none, and
   * refuses any.
   */
  query?: z.ZodObject | "ignored";
  /** The JSON body. */
  body?: z.ZodType;
  /** Describes the body where the handler parses it, because what is allowed depends on what is stored. */
  bodyDocs?: z.ZodType;
  /** Accepts `text/plain`, too: gives the text the shape of the JSON body. */
  textBody?: z.ZodType;
  /** The least role that a token must give; absent: viewer for GET, operator for the rest. */
  role?: Role;
  /** A body to show in documents. */
  example?: unknown;
  /** Heeds `If-Match`: refuses to overwrite what others have written meanwhile, with 412. */
  ifMatch?: true;
  /** Heeds `If-None-Match: *`: writes only what does not exist, or answers 412. */
  ifNoneMatch?: true;
  /** By status. 400 is added to each route that has input. */
  answers: Record<number, RouteAnswer>;
  /** Hono middleware that wraps the handler, e.g. for an ETag. */
  middleware?: MiddlewareHandler[];
}

export interface Route<Ports> extends RouteDescription {
  /** Called once per process. The function that it gives parses and answers one request. */
  handler(ports: Ports): (context: Context) => Promise<Response>;
}

/** A route whose type says how it is called and what it answers: see `route-table.ts`. */
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
  /** Markdown; introduces the section. */
  introduction: string;
  audience: Audience;
  /** The function that serves it, when it is not that of its audience. */
  servedBy?: "check-set" | "description" | "snapshots";
  routes: Route<Ports>[];
}

/** A subject as documents and templates read it: without what serves its routes. */
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
 * Gives a function that makes routes over these ports: their handlers get what the schemas made of the request. Parameters
 * of the query are parsed first, then those of the path, then the body.
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
    // A list of routes says nothing of the query of each.
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

/** Whether a route reads something that may be edited: it heeds `If-None-Match`. */
export function hasEtag({ method, answers }: Pick<RouteDescription, "method" | "answers">): boolean {
  return method === "GET" && answers[200]?.headers?.ETag !== undefined;
}

/** @throws InputError for what is not UTF-8 or not JSON, or names the first field that is wrong, and its value */
async function parseBody(
  context: Context,
  { body, textBody: text }: Pick<RouteDescription, "body" | "textBody">,
): Promise<unknown> {
  if (body === undefined) return undefined;
  if (text === undefined) return parseInput(body, await jsonBody(context));
  const contentType = context.req.header("content-type") ?? "";
  if (/^text\/plain\b/i.test(contentType)) return parseInput(text, await textBody(context));
  if (/^application\/json\b/i.test(contentType)) return parseInput(body, await jsonBody(context));
  throw new InputError("content-type", contentType, "must be text/plain or application/json");
}
