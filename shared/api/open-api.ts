import * as z from "zod";
import { problem, problemType } from "./answer.ts";
import { apiVersion } from "./api-version.ts";
import { neededRole } from "./role-guard.ts";
import {
  type Audience,
  type DescribedSubject,
  hasEtag,
  type RouteAnswer,
  type RouteDescription,
} from "./route.ts";
import { SharedSchemas } from "./shared-schemas.ts";

export type JsonSchema = Record<string, unknown>;

const bearerToken = "operatorToken";

/**
 * Describes all routes of the API.
 * @param subjects all subjects, in the order of the document
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument(subjects: readonly DescribedSubject[]) {
  const paths: Record<string, Record<string, object>> = {};
  const schemas = new SharedSchemas();
  const responses = describeAnswers(sharedAnswers, schemas);
  for (const { title, audience, routes } of subjects) {
    for (const route of routes) {
      const operation = describeOperation(route, { audience, tag: title, schemas });
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
    }
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Ingather",
      version: apiVersion,
      description: "Records, and the functions that operators need to harvest, check and deliver them.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    tags: subjects.map(({ title, introduction }) => ({ name: title, description: introduction })),
    paths,
    components: {
      securitySchemes: { [bearerToken]: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, answer]) => [`Status${status}`, answer]),
      ),
      schemas: schemas.all(),
    },
  };
}

function describeOperation(
  route: RouteDescription,
  { audience, tag, schemas }: { audience: Audience; tag: string; schemas: SharedSchemas },
): object {
  const { summary, details, textBody, example } = route;
  const body = route.bodyDocs ?? route.body;
  return {
    operationId: operationId(route),
    tags: [tag],
    summary,
    ...(details !== undefined && { description: details }),
    // A bearer token has no OAuth flow, so OpenAPI 3.1 lists roles instead of scopes.
    security: audience === "operator" ? [{ [bearerToken]: [neededRole(route)] }] : [],
    parameters: describeParameters(route).map(({ name, place, isRequired, schema }) => {
      const { description, ...rest } = schema;
      return {
        name,
        in: place,
        required: isRequired,
        ...(description !== undefined && { description }),
        schema: rest,
      };
    }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: schemas.share(toJsonSchema(body, "input"), "Input"),
            ...(example !== undefined && { example }),
          },
          ...(textBody && { "text/plain": { schema: { type: "string" } } }),
        },
      },
    }),
    responses: describeAnswers(
      { ...(audience === "operator" && signInAnswers), ...answersOf(route) },
      schemas,
    ),
  };
}

export interface Parameter {
  name: string;
  place: "path" | "query" | "header";
  isRequired: boolean;
  schema: JsonSchema;
}

/** Returns the parameters of a route; those of the path come first. */
export function describeParameters(route: RouteDescription): Parameter[] {
  const { method, params, query, ifMatch, ifNoneMatch } = route;
  const groups = [
    { place: "path", of: params },
    { place: "query", of: query === "ignored" ? undefined : query },
  ] as const;
  const headers = [
    ...(ifMatch ? [ifMatchHeader] : []),
    ...(ifNoneMatch ? [createOnly] : []),
    ...(hasEtag(route) ? [knownEtag] : []),
    ...(method === "POST" ? [idempotencyKey] : []),
  ];
  const inUrl = groups.flatMap(({ place, of }) => {
    if (of === undefined) return [];
    const { properties = {}, required = [] } = toJsonSchema(of, "input") as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      place,
      isRequired: required.includes(name),
      schema,
    }));
  });
  return [...inUrl, ...headers];
}

const ifMatchHeader: Parameter = {
  name: "If-Match",
  place: "header",
  isRequired: false,
  schema: {
    type: "string",
    description: "The ETag of the version to change. The response is 412 if that version has been changed",
  },
};

const createOnly: Parameter = {
  name: "If-None-Match",
  place: "header",
  isRequired: false,
  schema: {
    type: "string",
    const: "*",
    description: "Writes only if the resource does not exist yet. Otherwise the response is 412",
  },
};

const knownEtag: Parameter = {
  name: "If-None-Match",
  place: "header",
  isRequired: false,
  schema: {
    type: "string",
    description: "The ETag of an earlier response. The response is 304 if nothing has changed since",
  },
};

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  place: "header",
  isRequired: false,
  schema: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    description:
      "A key of your choice for this request. Repeats within a day have no further effect and get the same response",
  },
};

/** Responses that every route may send. They are documented once for all routes. */
export const commonAnswers: Record<number, RouteAnswer> = {
  400: problem("A parameter or the body is invalid"),
  413: problem("The body is larger than 6 MB"),
  429: problem("Too many requests; try again later"),
  431: { description: "The URL and the headers together have more than 10 KB" },
  500: problem("An error in Ingather, described in the log"),
  502: problem("A system behind the API fails; try again"),
  503: problem("A system behind the API is busy; try again after `Retry-After`"),
};

/** Responses of routes that need a token, if the token is missing or insufficient. */
export const signInAnswers: Record<number, RouteAnswer> = {
  401: problem("The token is missing or invalid"),
  403: problem("The token does not have the required role"),
};

const staleAnswer = problem("The resource has been written since the ETag in `If-Match` was read");
const unchangedAnswer: RouteAnswer = { description: "Unchanged since the ETag in `If-None-Match`" };
const underWayAnswer = problem("The request with this `Idempotency-Key` is in progress");
const otherRequestAnswer = problem("The `Idempotency-Key` was used for a different request");

const sharedAnswers: Record<number, RouteAnswer> = {
  ...commonAnswers,
  ...signInAnswers,
  304: unchangedAnswer,
  409: underWayAnswer,
  412: staleAnswer,
  422: otherRequestAnswer,
};

/** Returns the responses of a route by status: those of its entry, and those that any route may send. */
export function answersOf({
  method,
  ifMatch,
  answers,
}: Pick<RouteDescription, "method" | "ifMatch" | "answers">): Record<number, RouteAnswer> {
  return {
    ...commonAnswers,
    ...(hasEtag({ method, answers }) && { 304: unchangedAnswer }),
    ...(ifMatch && { 412: staleAnswer }),
    ...(method === "POST" && { 409: underWayAnswer, 422: otherRequestAnswer }),
    ...answers,
  };
}

/** Describes responses. A response that many routes have in common is described once and referenced. */
function describeAnswers(
  answers: Record<number, RouteAnswer>,
  schemas: SharedSchemas,
): Record<string, object> {
  const isShared = (status: number, answer: RouteAnswer) =>
    answer === sharedAnswers[status] && answers !== sharedAnswers;
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      isShared(Number(status), answer)
        ? { $ref: `#/components/responses/Status${status}` }
        : describeAnswer(Number(status), answer, schemas),
    ]),
  );
}

function describeAnswer(
  status: number,
  { description, body, alternatives = {}, headers }: RouteAnswer,
  schemas: SharedSchemas,
): object {
  const schema = body && schemas.share(toJsonSchema(body, "output"), "");
  const mediaType = isProblem(status, body) ? problemType : "application/json";
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [
          name,
          // The gateway does not add these headers to responses that it sends itself.
          { description: text, ...(status !== 429 && { required: true }), schema: { type: "string" } },
        ]),
      ),
    }),
    ...((schema !== undefined || Object.keys(alternatives).length > 0) && {
      content: {
        ...(schema && { [mediaType]: { schema } }),
        ...Object.fromEntries(
          Object.entries(alternatives).map(([type, text]) => [
            type,
            { schema: { type: "string", description: text } },
          ]),
        ),
      },
    }),
  };
}

/** Decides whether a body is sent as a problem, possibly with additional members. */
export function isProblem(status: number, body: RouteAnswer["body"]): boolean {
  return status >= 400 && body instanceof z.ZodObject && "detail" in body.shape;
}

/** JSON Schema formats that occur in the schemas here. Zod also names its own checks as formats. */
const jsonFormats = new Set(["date", "date-time", "email", "uri", "uuid"]);

/**
 * Converts a Zod schema to a JSON Schema. Checks in code (refinements, transformations) are not in the result, so
 * descriptions must mention them. Patterns that a format implies, and the limits of safe integers, are omitted.
 */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      // Zod omits the default of a transformed value, such as a number in a query.
      if (def.type === "default") jsonSchema.default = def.defaultValue as never;
      if (jsonFormats.has(jsonSchema.format ?? "")) delete jsonSchema.pattern;
      else delete jsonSchema.format;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}

/** Converts `GET /records/{id}/checks` to `getRecordsByIdChecks`. */
function operationId({ method, path }: Pick<RouteDescription, "method" | "path">): string {
  const words = path.slice(1).split(/[/-]/);
  const parts = words.map((word) =>
    word.replace(/^\{(\w+)\}$/, "by $1").replaceAll(/(?:^| )(\w)/g, (_, c) => c.toUpperCase()),
  );
  return method.toLowerCase() + parts.join("");
}
