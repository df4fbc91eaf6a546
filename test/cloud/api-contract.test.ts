import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { openApiDocument } from "../../shared/api/open-api.ts";
import { referencePolicy } from "../../shared/api/reference-page.ts";
import { routes, subjects } from "../../shared/operations/routes/routes.ts";
import { sharedCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let authorization: string;

beforeAll(async () => {
  cloud = await sharedCloud();
  authorization = `Bearer ${await cloud.issueToken({ sub: "operator" })}`;
});

function ask(method: string, path: string, headers: Record<string, string> = { authorization }) {
  return fetch(cloud.apiUrl + path, { method, headers });
}

describe("the API, behind its gateway", () => {
  it("GET /openapi.json without a token → the document; again with its ETag → 304", async () => {
    const answer = await ask("GET", "/openapi.json", {});
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(subjects))));
    const again = await ask("GET", "/openapi.json", { "if-none-match": answer.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("GET /reference without a token → the page of all routes, with its policy; again with its ETag → 304", async () => {
    const answer = await ask("GET", "/reference", {});
    expect(answer.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(answer.headers.get("content-security-policy")).toBe(referencePolicy);
    const page = await answer.text();
    for (const { method, path } of routes) expect(page).toContain(`<code>${method} ${path}</code>`);
    const again = await ask("GET", "/reference", { "if-none-match": answer.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("GET /health without a token → ok, its version and the network", async () => {
    const answer = await ask("GET", "/health", {});
    const { version } = openApiDocument(subjects).info;
    expect([answer.status, await answer.json()]).toEqual([200, { status: "ok", version, network: "up" }]);
  });

  it.each([
    ["GET", "/nowhere", 404, { field: "path", value: "/nowhere" }, null],
    ["DELETE", "/runs", 405, { field: "method", value: "DELETE" }, "GET, HEAD, OPTIONS, POST"],
    ["POST", "/hosts/a.example", 405, { field: "method", value: "POST" }, "GET, HEAD, OPTIONS"],
    ["GET", "/sources/nobody", 404, { field: "id", value: "nobody" }, null],
    ["GET", "/runs?limit=1e2", 400, { field: "limit", value: "1e2" }, null],
  ])("%s %s → %i, as a problem that names field and value", async (method, path, status, body, allow) => {
    const answer = await ask(method, path);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.headers.get("allow")).toBe(allow);
    expect([answer.status, await answer.json()]).toMatchObject([status, { status, ...body }]);
  });

  it("no token → 401 as a problem", async () => {
    const answer = await ask("GET", "/runs", {});
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect([answer.status, await answer.json()]).toMatchObject([401, { status: 401, title: "Unauthorized" }]);
  });

  it.each(["/runs", "/sources", "/collections", "/suppressed-collections", "/sources/nobody"])(
    "HEAD %s → status and type of GET, without its body",
    async (path) => {
      const [head, get] = [await ask("HEAD", path), await ask("GET", path)];
      expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
        get.status,
        get.headers.get("content-type"),
        "",
      ]);
    },
  );

  it("a page of another origin → refused by the local API", async () => {
    const answer = await ask("GET", "/records", { origin: "https://pages.example" });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  it("OPTIONS → 204 with Allow, and no header for other origins", async () => {
    const answer = await ask("OPTIONS", "/collections/a", { "access-control-request-method": "PUT" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "DELETE, GET, HEAD, OPTIONS, PUT"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});
