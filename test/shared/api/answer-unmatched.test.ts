import { Hono } from "hono";
import { expect, it } from "vitest";
import { answerUnmatched } from "../../../shared/api/answer-unmatched.ts";
import { routes } from "../../../shared/operations/routes/routes.ts";

const app = new Hono().all("*", (context) => answerUnmatched(context, routes));
const methods = ["GET", "PUT", "PATCH", "POST", "DELETE"] as const;
const paths = [...new Set(routes.map(({ path }) => path))];

it.each(paths)("%s with a method that it does not have → 405 with those that it has", async (path) => {
  const has = routes.filter((route) => route.path === path).map(({ method }) => method);
  // What is at one path may also fit another, as `/documents/uploads/{id}` fits `/documents/{source}/{id}`.
  for (const method of methods.filter((each) => !has.includes(each))) {
    const answer = await app.request(path.replaceAll(/\{\w+\}/g, "a%20b"), { method });
    expect([method, answer.status]).toEqual([method, 405]);
    const allow = answer.headers.get("allow")?.split(", ");
    expect(allow).toEqual(expect.arrayContaining([...has, "OPTIONS"]));
    expect(allow?.includes("HEAD")).toBe(allow?.includes("GET"));
    expect(await answer.json()).toMatchObject({ status: 405, field: "method", value: method });
  }
});

it.each(["/", "/nowhere", "/records/a/b/c/d", "/records/"])("%s → 404", async (path) => {
  const answer = await app.request(path, { method: "OPTIONS" });
  expect([answer.status, await answer.json()]).toMatchObject([404, { field: "path", value: path }]);
});
