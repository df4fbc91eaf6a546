import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../shared/api/open-api.ts";
import { routes, subjects } from "../../../shared/operations/routes/routes.ts";

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

const document = openApiDocument(subjects);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation: operation as Operation,
  })),
);

/** An answer, or the shared one that it refers to. */
function resolve(answer: Operation["responses"][string] & { $ref?: string }) {
  const name = answer.$ref?.split("/").at(-1);
  return name === undefined ? answer : (document.components.responses[name] as typeof answer);
}

/** All schemas of a document, those within others too. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  yield value as Record<string, unknown>;
  for (const each of Object.values(value)) yield* objectsIn(each);
}

describe("the OpenAPI document", () => {
  it("has each route of the table once, and no other", () => {
    const inTable = routes.map(({ method, path }) => `${method} ${path}`);
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(inTable.toSorted());
    expect(new Set(inTable).size).toBe(inTable.length);
  });

  it("gives each operation an id of its own, a declared tag and a summary", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation } of operations) {
      expect(tags).toEqual(expect.arrayContaining(operation.tags));
      expect(operation.summary).toMatch(/^\S.*[^.]$/);
    }
  });

  it("requires a token exactly for operators' routes, and names the role", () => {
    for (const { method, path, operation } of operations) {
      const { audience, role } = routes.find((each) => each.method === method && each.path === path) ?? {};
      const needed = role ?? (method === "GET" ? "viewer" : "operator");
      expect(operation.security).toEqual(audience === "operator" ? [{ operatorToken: [needed] }] : []);
    }
    expect(document.components.securitySchemes).toHaveProperty("operatorToken");
  });

  it("declares the parameters of each path, all required, and none twice", () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(names);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it("describes answers with statuses of HTTP, and JSON bodies with schemas", () => {
    for (const { operation } of operations) {
      const statuses = Object.keys(operation.responses);
      expect(statuses.some((status) => /^[23]\d\d$/.test(status))).toBe(true);
      for (const [status, answer] of Object.entries(operation.responses)) {
        const { description, content = {} } = resolve(answer);
        expect(status).toMatch(/^[1-5]\d\d$/);
        expect(description).not.toBe("");
        for (const { schema } of Object.values(content)) expect(Object.keys(schema)).not.toEqual([]);
      }
    }
  });

  it("answers every error as a problem, on every route that is not of XML", () => {
    const errors = operations.flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400 && status !== "431")
        .map(([status, answer]) => ({ where: `${method} ${path} ${status}`, path, answer: resolve(answer) })),
    );
    expect(errors.length).toBeGreaterThan(500);
    for (const { where, path, answer } of errors) {
      const types = Object.keys(answer.content ?? {});
      const isXml = path.startsWith("/admin/check") && types[0] === "application/xml";
      expect([where, types]).toEqual([where, isXml ? types : ["application/problem+json"]]);
    }
    for (const { operation } of operations.filter(({ operation }) => operation.security.length > 0)) {
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["401", "403"]));
    }
  });

  it("refers only to schemas that it has", () => {
    const references = [...objectsIn(document)].flatMap(({ $ref }) =>
      typeof $ref === "string" ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(10);
    for (const reference of new Set(references)) {
      const [, ...path] = reference.split("/");
      expect(
        path.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document),
        reference,
      ).toBeDefined();
    }
  });

  it("requires only properties that a schema has", () => {
    for (const { properties, required = [] } of objectsIn(document)) {
      if (properties === undefined || !Array.isArray(required)) continue;
      expect(Object.keys(properties as object)).toEqual(expect.arrayContaining(required));
    }
  });

  it("has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"));
    expect(document.info.version).toBe(version);
  });

  it("survives JSON, as it will be served", () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe("the examples of bodies", () => {
  const withExample = routes.filter(({ example }) => example !== undefined);

  it("exist for each route with a body", () => {
    const withBody = routes.filter(({ body }) => body !== undefined);
    expect(withExample).toEqual(withBody);
  });

  it.each(withExample)("$method $path → accepted", ({ body, bodyDocs, example }) => {
    expect((bodyDocs ?? body)?.safeParse(example).error).toBeUndefined();
  });
});
