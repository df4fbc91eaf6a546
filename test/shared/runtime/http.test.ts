import type { Context as LambdaContext } from "aws-lambda";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { InputError, RemoteError } from "../../../shared/core/errors.ts";
import { httpHandler } from "../../../shared/runtime/http.ts";

const handler = httpHandler(
  new Hono()
    .get("/things/:id", (context) => context.json({ id: context.req.param("id") }))
    .get("/bad", () => {
      throw new InputError("limit", "x", "must be a number");
    })
    .get("/far", () => {
      throw new RemoteError("no answer");
    })
    .get("/broken", () => {
      throw new Error("a secret");
    }),
);

async function ask(path: string): Promise<[number, Record<string, string>]> {
  const event = {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: "",
    headers: {},
    requestContext: { http: { method: "GET", path }, domainName: "a.example" },
    isBase64Encoded: false,
  };
  const answer = await handler(event as never, { awsRequestId: "r" } as LambdaContext);
  const { statusCode, body } = answer as { statusCode: number; body: string };
  return [statusCode, JSON.parse(body)];
}

describe("httpHandler", () => {
  it.each<[string, string, number, Record<string, unknown>]>([
    ["an id", "/things/a%20b", 200, { id: "a b" }],
    ["the longest id", `/things/${"ä".repeat(200)}`, 200, { id: "ä".repeat(200) }],
    [
      "an id that no table takes",
      `/things/${"ä".repeat(201)}`,
      400,
      { error: expect.stringMatching(/^path: an id must be of at most 400 bytes \(got "ää/) },
    ],
    ["what is no percent-encoding", "/things/%zz", 200, { id: "%zz" }],
    ["bad input", "/bad", 400, { error: 'limit: must be a number (got "x")' }],
    ["a system that is not ours", "/far", 502, { error: "no answer" }],
    ["an error of ours", "/broken", 500, { error: "something went wrong inside Ingather" }],
    ["no route", "/nowhere", 404, { error: "there is nothing at /nowhere" }],
  ])("%s → its status and answer", async (_title, path, status, body) => {
    expect(await ask(path)).toEqual([status, body]);
  });
});
