import { describe, expect, it } from "vitest";
import { createApp } from "../../../shared/api/create-app.ts";
import { roleOf, roles } from "../../../shared/api/role.ts";
import { askForRoles, neededRole } from "../../../shared/api/role-guard.ts";
import type { Subject } from "../../../shared/api/route.ts";
import { checkSetSubject } from "../../../shared/check-set/routes/check-set-routes.ts";
import { operatorSubjects } from "../../../shared/operations/routes/operator-routes.ts";

const subjects = [...operatorSubjects, checkSetSubject] as Subject<object>[];

/** The application as its function makes it. No port is reached: what a handler asks of one would fail with 500. */
function ask(
  guarded: Subject<object>[],
  { method, path }: { method: string; path: string },
  claims?: object,
) {
  const app = createApp(guarded, {});
  app.onError((_error, context) => context.text("reached", 500));
  const authorizer = claims && { jwt: { claims } };
  return app.request(
    path.replaceAll(/\{\w+\}/g, "x"),
    { method },
    {
      event: { requestContext: { authorizer } },
    },
  );
}

describe.each(
  subjects.flatMap(({ routes }) => routes.map((route) => [`${route.method} ${route.path}`, route] as const)),
)("%s", (_title, route) => {
  const needed = neededRole(route);
  const below = roles[roles.indexOf(needed) - 1];

  it("without a token → 401", async () => {
    expect((await ask(askForRoles(subjects), route)).status).toBe(401);
  });

  it(`as ${below ?? "nobody"} → 403`, async () => {
    const claims = { sub: "anna", "cognito:groups": below === undefined ? "[]" : `[${below}]` };
    expect((await ask(askForRoles(subjects), route, claims)).status).toBe(403);
  });

  it(`as ${needed} → let in`, async () => {
    const answer = await ask(askForRoles(subjects), route, { "cognito:groups": `[${needed}]` });
    expect([401, 403]).not.toContain(answer.status);
  });
});

describe("routes that a deployment opens", () => {
  const route = { method: "GET", path: "/check" };
  const open = askForRoles([checkSetSubject] as Subject<object>[], { admitsAnybody: true });

  it("let in who has no token, and refuse a token without a role", async () => {
    expect([401, 403]).not.toContain((await ask(open, route)).status);
    const path = checkSetSubject.routes[0]?.path ?? "";
    expect((await ask(open, { method: "GET", path }, { sub: "anna" })).status).toBe(403);
  });
});

describe("the role of a token", () => {
  it.each([
    [{ "cognito:groups": "[viewer operator]" }, "operator"],
    [{ "cognito:groups": ["viewer"] }, "viewer"],
    [{ scope: "ingather/viewer ingather/operator" }, "operator"],
    [{ scope: "openid admin other/admin" }, undefined],
    [{ "cognito:groups": "[administrators]" }, undefined],
    [{}, undefined],
  ])("%j → %s", (claims, role) => expect(roleOf(claims)).toBe(role));
});
