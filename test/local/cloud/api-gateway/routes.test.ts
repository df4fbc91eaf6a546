import { describe, expect, test } from "vitest";
import { matchRoute, readRoutes } from "../../../../local/cloud/api-gateway/routes.ts";
import { createResolver } from "../../../../local/cloud/cloudformation/resolver.ts";
import { stackOf } from "../../../../local/cloud/cloudformation/template.ts";

const location = { region: "eu-central-1", account: "000000000000", gatewayUrl: "", apiUrl: "" };
const keys = [
  "$default",
  "ANY /records/{id}",
  "GET /records/{id}",
  "GET /records/new",
  "GET /files/{proxy+}",
  "GET /",
];

function routesOf(routeKeys: readonly string[], properties: object = {}) {
  const routes = routeKeys.map((RouteKey, index) => [
    `Route${index}`,
    {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: { ApiId: "a", RouteKey, Target: "integrations/s-Call", ...properties },
    },
  ]);
  const Call = {
    Type: "AWS::ApiGatewayV2::Integration",
    Properties: {
      IntegrationType: "AWS_PROXY",
      IntegrationUri: "arn:aws:lambda:eu-central-1:000000000000:function:f",
      PayloadFormatVersion: "2.0",
    },
  };
  const stack = stackOf("s", { Resources: { Call, ...Object.fromEntries(routes) } });
  return readRoutes(createResolver([stack], { location, parameters: {} })).routes;
}

describe("a request goes to the most specific route", () => {
  test.each<[string, string, string, object]>([
    ["GET", "/", "GET /", {}],
    ["GET", "/records/new", "GET /records/new", {}],
    ["GET", "/records/a%20b", "GET /records/{id}", { id: "a b" }],
    ["GET", "/records/a%23b%3Fc%2541", "GET /records/{id}", { id: "a#b?c%41" }],
    ["GET", "/records/a%2Fb", "$default", {}],
    ["GET", "/records/%zz", "GET /records/{id}", { id: "%zz" }],
    ["POST", "/records/1", "ANY /records/{id}", { id: "1" }],
    ["GET", "/files/a/b%2Fc", "GET /files/{proxy+}", { proxy: "a/b/c" }],
    ["GET", "/records/1/more", "$default", {}],
    ["POST", "/files/a", "$default", {}],
  ])("%s %s → %s", (method, path, key, parameters) => {
    const matched = matchRoute(routesOf(keys), { method, path });
    expect([matched?.route.key, matched?.pathParameters]).toEqual([key, parameters]);
  });

  test("no route → none", () => {
    expect(matchRoute(routesOf(["GET /a"]), { method: "GET", path: "/b" })).toBeUndefined();
  });
});

test("an authorization that the local API does not support → stops, naming the route", () => {
  expect(() => routesOf(["GET /a"], { AuthorizationType: "AWS_IAM" })).toThrow(
    "GET /a: the local API does not support",
  );
});
