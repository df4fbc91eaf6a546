import { statSync } from "node:fs";
import { get as requestOver } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SmallCloud } from "../small-cloud.ts";

/** The HTTP API, as its gateway answers. */
export function httpApiCases(small: SmallCloud): void {
  describe("the HTTP API answers", () => {
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(small.cloud.apiUrl + path, { headers, redirect: "manual" });
    const bearer = async (claims: Record<string, unknown>) => ({
      authorization: `Bearer ${await small.cloud.issueToken(claims)}`,
    });

    test("a path with a parameter, a query and cookies → what the function makes of it", async () => {
      const answer = await get("/records/a%20b%23c?q=1&q=2&r=&url=http://a.example/?id=1", {
        cookie: "a=1; b=2",
      });
      expect(await answer.json()).toMatchObject({
        route: "GET /records/{id}",
        path: { id: "a b#c" },
        query: { q: "1,2", r: "", url: "http://a.example/?id=1" },
        cookies: ["a=1", "b=2"],
      });
    });

    test.each<[string, string, string, boolean]>([
      ["JSON", "application/json", '{"a":1}', false],
      ["anything else", "application/zip", "UEs=", true],
    ])("a body of %s → as text or base64", async (_title, type, body, base64) => {
      const sent = base64 ? Buffer.from(body, "base64") : body;
      const answer = await fetch(`${small.cloud.apiUrl}/records/1`, {
        method: "POST",
        headers: { "content-type": type },
        body: sent,
      });
      expect(await answer.json()).toMatchObject({ body, base64 });
    });

    test("a binary answer → its bytes; cookies and redirects → their headers", async () => {
      const image = await get("/image");
      expect(Buffer.from(await image.arrayBuffer()).toString("base64")).toBe("iVBORw==");
      const login = await get("/login");
      expect([login.status, login.headers.get("location"), login.headers.getSetCookie()]).toEqual([
        303,
        "/",
        ["a=1", "b=2"],
      ]);
    });

    test.each(["HS256", "RS256", "ES384", "none"])(
      "a token that names %s as its algorithm → 401",
      async (alg) => {
        const { authorization } = await bearer({ sub: "u" });
        const header = Buffer.from(JSON.stringify({ alg, typ: "JWT" })).toString("base64url");
        const forged = { authorization: authorization.replace(/ [^.]+/, ` ${header}`) };
        expect((await get("/mine", forged)).status).toBe(401);
      },
    );

    test.each<[string, string, (() => Promise<Record<string, string>>) | undefined, number, string]>([
      ["no such route → 404", "/nowhere", undefined, 404, "Not Found"],
      ["the function throws → 500", "/broken", undefined, 500, "Internal Server Error"],
      ["no token → 401", "/mine", undefined, 401, "Unauthorized"],
      ["no JWT → 401", "/mine", async () => ({ authorization: "Bearer x.y.z" }), 401, "Unauthorized"],
      ["a token that is over → 401", "/mine", () => bearer({ sub: "u", exp: 1 }), 401, "Unauthorized"],
      [
        "a token of another issuer → 401",
        "/mine",
        () => bearer({ sub: "u", iss: "https://else.example" }),
        401,
        "Unauthorized",
      ],
      ["a token for others → 401", "/mine", () => bearer({ sub: "u", aud: "others" }), 401, "Unauthorized"],
      [
        "a token without the scope → 403",
        "/all",
        () => bearer({ sub: "u", scope: "records:read" }),
        403,
        "Forbidden",
      ],
    ])("%s", async (_title, path, headers, status, message) => {
      const answer = await get(path, await headers?.());
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(await answer.json()).toMatchObject({ status, title: message, detail: expect.any(String) });
      expect(answer.status).toBe(status);
    });

    test("a page of an allowed origin → may read the answer", async () => {
      const origin = "https://pages.example";
      const answer = await get("/records/1", { origin });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
      const preflight = await fetch(`${small.cloud.apiUrl}/mine`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "GET" },
      });
      expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
        204,
        "authorization",
      ]);
    });

    test.each(["https://else.example", "null", "http://127.0.0.1:1"])(
      "a page of another origin, %s → refused, as it has no business here",
      async (origin) => {
        const answer = await get("/records/1", { origin });
        expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
      },
    );

    test("another host's name that leads to this machine → refused, whoever asks", async () => {
      const { port } = new URL(small.cloud.apiUrl);
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { host: `rebound.example:${port}` };
        requestOver({ host: "127.0.0.1", port, path: "/records/1", headers }, ({ statusCode }) =>
          resolve(statusCode),
        ).on("error", reject);
      });
      expect(status).toBe(403);
    });

    test("a good token → the claims reach the function", async () => {
      const mine = await get("/mine", await bearer({ sub: "u1" }));
      expect(await mine.json()).toMatchObject({ claims: { sub: "u1", iss: "https://issuer.example" } });
      const all = await get("/all", await bearer({ sub: "u1", scope: "records:read records:write" }));
      expect(all.status).toBe(200);
    });

    test("the key of the tokens → only its owner may read it", () => {
      expect(statSync(join(small.stateDir, "token-key.json")).mode & 0o777).toBe(0o600);
    });
  });
}
