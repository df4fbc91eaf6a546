import type { Context as LambdaContext } from "aws-lambda";
import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import { InputError, RemoteError, ThrottledError } from "../../../shared/core/errors.ts";
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
    .get("/busy", () => {
      throw new ThrottledError("somebody else is at it", new Date(0));
    })
    .get("/broken", () => {
      throw new Error("a secret");
    }),
);

async function ask(
  path: string,
  pathParameters: Record<string, string> = {},
  sent?: string,
): Promise<[number, Record<string, string>]> {
  // Only what is read of an event of the gateway.
  const event = {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: "",
    pathParameters,
    headers: {},
    requestContext: { http: { method: "GET", path }, domainName: "a.example" },
    ...(sent !== undefined && { body: sent }),
    isBase64Encoded: false,
  };
  const answer = await handler(event as never, { awsRequestId: "r" } as LambdaContext);
  const { statusCode, body } = answer as { statusCode: number; body: string };
  return [statusCode, JSON.parse(body)];
}

afterEach(() => vi.restoreAllMocks());

it("a GET with a body → as without", async () => {
  expect(await ask("/things/a", { id: "a" }, "{}")).toEqual([200, { id: "a" }]);
});

it("a request → logged once with its route, its path and its status", async () => {
  const lines: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  await ask("/things/a#b");
  expect(lines).toMatchObject([{ level: "info", route: "$default", path: "/things/a#b", status: 200 }]);
});

describe("httpHandler", () => {
  it.each<[string, string, number, Record<string, unknown>]>([
    ["an id with a blank", "/things/a b", 200, { id: "a b" }],
    ["with what begins a fragment", "/things/a#b", 200, { id: "a#b" }],
    ["with what begins a query", "/things/a?b", 200, { id: "a?b" }],
    ["with what looks encoded", "/things/a%2Fb%23c", 200, { id: "a%2Fb%23c" }],
    ["with a backslash", "/things/a\\b", 200, { id: "a\\b" }],
    ["with a semicolon, a plus, an at", "/things/a;b+c@d=e&f", 200, { id: "a;b+c@d=e&f" }],
    ["dots that URLs leave alone", "/things/...", 200, { id: "..." }],
    [
      "a path that goes up",
      "/other/../things/a",
      400,
      expect.objectContaining({ detail: 'path: must not be . or .. (got "..")' }),
    ],
    [
      "a path that stays",
      "/things/./a",
      400,
      expect.objectContaining({ detail: 'path: must not be . or .. (got ".")' }),
    ],
    [
      "a control character",
      "/things/a\0b",
      400,
      expect.objectContaining({
        detail: expect.stringMatching(/^path: an id must not have control characters \(got /),
      }),
    ],
    ["the longest id", `/things/${"ä".repeat(200)}`, 200, { id: "ä".repeat(200) }],
    [
      "an id that no table takes",
      `/things/${"ä".repeat(201)}`,
      400,
      expect.objectContaining({
        detail: expect.stringMatching(/^path: an id must have at most 400 bytes \(got "ää/),
        field: "path",
        value: expect.stringMatching(/^ää.{1,120}$/),
      }),
    ],
    ["what is not a percent-encoding", "/things/%zz", 200, { id: "%zz" }],
    ["half a character", "/things/a\ud800", 200, { id: "a\ufffd" }],
    [
      "bad input",
      "/bad",
      400,
      {
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        detail: 'limit: must be a number (got "x")',
        field: "limit",
        value: "x",
      },
    ],
    ["a system that is not ours", "/far", 502, expect.objectContaining({ detail: "no answer" })],
    ["what somebody else is at", "/busy", 503, expect.objectContaining({ detail: "somebody else is at it" })],
    ["an error of Ingather", "/broken", 500, expect.objectContaining({ detail: "Ingather has failed" })],
    [
      "no route",
      "/nowhere",
      404,
      {
        type: "about:blank",
        title: "Not Found",
        status: 404,
        detail: "there is no such route",
        field: "path",
        value: "/nowhere",
      },
    ],
  ])("%s → its status and answer", async (_title, path, status, body) => {
    expect(await ask(path)).toEqual([status, body]);
  });

  it.each<[string, string, number]>([
    ["a", "/things/a", 200],
    ["a?b", "/things/a?b", 200],
    ["a?b", "/things/a", 400],
    ["a/b", "/things/a/b", 400],
  ])("the gateway matched %j and hands out %s → %i", async (id, path, expected) => {
    const [status, body] = await ask(path, { id });
    expect([status, body]).toEqual([
      expected,
      expected === 200
        ? { id }
        : expect.objectContaining({ detail: `id: must be a whole segment of the path (got "${id}")` }),
    ]);
  });
});
