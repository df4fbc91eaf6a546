import type * as z from "zod";

/**
 * The types of all routes of the API, for its clients. This file has types only. `operations/routes/routes.ts` adds the
 * table, so that a client that calls a path gets the types of the route's schemas without loading the schemas.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the table of routes adds its type.
export interface RouteTable {}

type ByOperation = {
  [Each in RouteTable["route"] as `${Each["method"]} ${Each["path"]}`]: Each;
};

/** A route by method and path, such as `GET /runs/{id}`. */
export type Operation = keyof ByOperation;

/** The paths with a method, parameters in braces. */
export type PathOf<Method extends string> = Operation extends infer Each
  ? Each extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;

type Success = 200 | 201 | 202 | 204 | 302;

type BodyOf<Answer> = Answer extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;

type Bodies<Answers> = { [Status in Extract<keyof Answers, Success>]: BodyOf<Answers[Status]> };

/** The JSON of each status that is not a problem; `undefined` for a status without a body. */
export type AnswerBodies<Each extends Operation> = Each extends Operation
  ? Bodies<ByOperation[Each]["answers"]>
  : never;

/** The JSON with which a route responds, for any status, unless it is a problem. */
export type Answer<Each extends Operation> = Each extends Operation
  ? AnswerBodies<Each>[keyof AnswerBodies<Each>]
  : never;

type PathParameter<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type QueryParameter<Query> = Query extends z.ZodObject ? keyof z.input<Query> : string;

type Value = string | number;

/** The parameters of the path and of the query. */
export type CallParameters<Each extends Operation> = Record<PathParameter<Each>, Value> & {
  [Name in QueryParameter<NonNullable<ByOperation[Each]["query"]>>]?: Value | undefined;
};
