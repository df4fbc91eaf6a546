import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { demoCollection, demoSource } from "../../local/start/seed.ts";
import { openApiDocument } from "../../shared/api/open-api.ts";
import { subjects } from "../../shared/operations/routes/routes.ts";
import { type JsonSchema, resolve, valuesOf } from "./api-fuzz/arbitrary.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

/** Requests of each operation; `FUZZ_REQUESTS=500` for a long search, `FUZZ_SEED` repeats one. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 15);
const seed = Number(process.env.FUZZ_SEED ?? 20261122);

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: JsonSchema;
}

interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, JsonSchema>;
}

const document = JSON.parse(JSON.stringify(openApiDocument(subjects)));
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, "api");
const validators = new Map<string, ValidateFunction>();

/** What is stored, so that requests also find something. */
const runId = "live-20261120T190000Z";
const knownIds = ["demo-journal", "Ingather", "record-1", runId, "host.example", "unknown"];

let cloud: LocalCloud;
let authorization: string;

beforeAll(async () => {
  cloud = await testCloud(stateFolder(), { polling: false });
  authorization = `Bearer ${await cloud.issueToken({ sub: "fuzzer" })}`;
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource("https://host.example/feed")], [demoCollection]);
  const { recordStore } = await import("../../shared/adapters/records/record-store.ts");
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const at = "2026-11-20T19:00:00.000Z";
  const marc = { leader: "00000naa a2200000uc 4500", control: [], fields: [] };
  await recordStore().save({
    recordId: "record-1",
    sourceId: "demo-journal",
    groupId: "Ingather",
    collectionId: "demo-journal",
    runId,
    deliveryMode: "LIVE",
    title: "One",
    landingUrl: "https://host.example/1",
    syndicatedAt: at,
    hash: "h",
    recordKey: await recordStore().storeMarc("record-1", marc),
    state: "harvested",
    updatedAt: at,
  });
  await runStore().create({
    runId,
    deliveryMode: "LIVE",
    state: "harvesting",
    startedAt: at,
    deadlineAt: at,
  });
});

/** A request that fits the operation's description, or nearly. */
function requestsOf({ parameters, requestBody }: Operation) {
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query");
  const inHeader = parameters.filter((each) => each.in === "header");
  const json = requestBody?.content["application/json"];
  const id = (schema: JsonSchema) =>
    fc.oneof(fc.constantFrom(...knownIds), valuesOf(document, schema).map(String));
  const body =
    json === undefined
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 1, arbitrary: fc.constant(json.example) },
          { weight: 4, arbitrary: valuesOf(document, json.schema) },
        );
  return fc.record({
    path: fc.record(Object.fromEntries(inPath.map(({ name, schema }) => [name, id(schema)]))),
    query: fc.record(
      Object.fromEntries(inQuery.map(({ name, schema }) => [name, valuesOf(document, schema).map(String)])),
      { requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
    ),
    headers: fc.record(
      Object.fromEntries(inHeader.map(({ name }) => [name, fc.constantFrom('"0"', '"1"', "*", "key-1", "")])),
      { requiredKeys: [] },
    ),
    accept: fc.constantFrom("*/*", "application/json", "text/plain", "application/marc", "image/png"),
    body,
  });
}

type Request = ReturnType<typeof requestsOf> extends fc.Arbitrary<infer Value> ? Value : never;

async function send(method: string, path: string, request: Request): Promise<Response> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent((request.path as Record<string, string>)[name]?.toWellFormed() || "none"),
  );
  const query = new URLSearchParams(request.query as Record<string, string>).toString();
  const { body } = request;
  return fetch(`${cloud.apiUrl}${filled}${query === "" ? "" : `?${query}`}`, {
    method,
    redirect: "manual",
    headers: {
      authorization,
      accept: request.accept,
      // A check of a set would otherwise take its time.
      prefer: "respond-async",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(request.headers as Record<string, string>),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Why an answer is not as the document says. */
async function findProblem(operation: Operation, answer: Response): Promise<string | undefined> {
  const text = await answer.text();
  if (answer.status === 500) return `500: ${text}`;
  const described = operation.responses[answer.status];
  if (described === undefined) return `the undocumented status ${answer.status}: ${text.slice(0, 300)}`;
  const { content = {}, headers = {} } = resolve(document, described) as {
    content?: Record<string, { schema: JsonSchema }>;
    headers?: Record<string, { required?: boolean }>;
  };
  const required = Object.keys(headers).filter((name) => headers[name]?.required);
  const missing = required.filter((name) => !answer.headers.has(name));
  if (missing.length > 0) return `${answer.status} without the header ${missing.join(", ")}`;
  const [mediaType = ""] = (answer.headers.get("content-type") ?? "").split(";");
  const isEmpty = Object.keys(content).length === 0;
  if (isEmpty)
    return text === "" ? undefined : `${answer.status} with an undocumented body: ${text.slice(0, 300)}`;
  const media = content[mediaType];
  if (media === undefined) return `${answer.status} as the undocumented type ${mediaType}`;
  if (!/[/+]json$/.test(mediaType) || media.schema.type === "string") return undefined;
  const key = `${operation.operationId} ${answer.status} ${mediaType}`;
  const known = validators.get(key) ?? ajv.compile(withDocument(media.schema));
  validators.set(key, known);
  if (known(JSON.parse(text))) return undefined;
  return `${answer.status} with a body that does not fit: ${ajv.errorsText(known.errors)} in ${text.slice(0, 300)}`;
}

/** References within the document lead to it from outside, too. */
function withDocument(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'));
}

describe("any request that the document describes, or nearly → an answer that it documents, and no 500", () => {
  it.each(operations)("$method $path", async ({ method, path, operation }) => {
    await fc.assert(
      fc.asyncProperty(requestsOf(operation), async (request) => {
        const answer = await send(method, path, request);
        // Such ids make another path: `.` and `..` are resolved before it is sent, and an encoded `/` parts segments.
        if (Object.values(request.path).some((id) => /^\.{1,2}$|[/?]/.test(id as string))) return;
        expect(await findProblem(operation, answer)).toBeUndefined();
      }),
      { numRuns: requests, seed, endOnFailure: true, includeErrorInReport: true },
    );
  });
});
