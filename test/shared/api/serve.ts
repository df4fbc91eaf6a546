import { Hono } from "hono";
import { expect } from "vitest";
import { createApp } from "../../../shared/api/create-app.ts";
import type { RouteDescription, Subject } from "../../../shared/api/route.ts";
import { InputError, ThrottledError } from "../../../shared/core/errors.ts";

/**
 * The routes as the functions serve them; errors become `{"error": …}`. Each answer is held against the route's
 * documentation: a request fails when its status is undocumented or its body does not fit the schema.
 */
export function serve<Ports>(subjects: readonly Subject<Ports>[], ports: Ports): Hono {
  const app = new Hono();
  const problems: string[] = [];
  const routes = subjects.flatMap(({ routes }) => routes);
  app.use(async (context, next) => {
    await next();
    const { method, path } = context.req;
    const route = routes.find((each) => each.method === method && pathPattern(each.path).test(path));
    if (route === undefined) return;
    const problem = await findProblem(route, context.res.clone());
    if (problem !== undefined) problems.push(`${method} ${path} → ${context.res.status}: ${problem}`);
  });
  app.route("/", createApp(subjects, ports));
  app.onError((error, context) => {
    const status = error instanceof InputError ? 400 : error instanceof ThrottledError ? 503 : 500;
    return context.json({ error: error.message }, status);
  });
  const { request } = app;
  app.request = async (...input) => {
    const answer = await request(...input);
    expect(problems.splice(0)).toEqual([]);
    return answer;
  };
  return app;
}

/** Why an answer is not as the route's documentation says; undefined when it is. */
export async function findProblem(route: RouteDescription, answer: Response): Promise<string | undefined> {
  const documented = route.answers[answer.status];
  // Errors that any route may answer, documented once for all of them.
  if (documented === undefined) return [400, 500].includes(answer.status) ? undefined : "undocumented";
  const missing = Object.keys(documented.headers ?? {}).filter((name) => !answer.headers.has(name));
  if (missing.length > 0) return `no header ${missing.join(", ")}`;
  const text = await answer.text();
  const [mediaType = ""] = (answer.headers.get("content-type") ?? "").split(";");
  if (Object.hasOwn(documented.alternatives ?? {}, mediaType)) return undefined;
  if (documented.body === undefined) return text === "" ? undefined : "a body, where none is documented";
  const { error } = documented.body.safeParse(JSON.parse(text));
  return error && `${error.message} in ${text.slice(0, 1000)}`;
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
