import { Hono } from "hono";
import { expect } from "vitest";
import { createApp } from "../../../shared/api/create-app.ts";
import type { Subject } from "../../../shared/api/route.ts";
import { answerError } from "../../../shared/runtime/http.ts";
import { answerProblem } from "./answer-problem.ts";

/**
 * Serves the routes as the functions do; errors become problems. A request fails the test when its answer is not as
 * the route's entry documents it.
 */
export function serve<Ports>(subjects: readonly Subject<Ports>[], ports: Ports): Hono {
  const app = new Hono();
  const problems: (string | undefined)[] = [];
  const routes = subjects.flatMap(({ routes }) => routes);
  app.use(async (context, next) => {
    await next();
    problems.push(await answerProblem(routes, context.req, context.res.clone()));
  });
  app.route("/", createApp(subjects, ports));
  app.onError((error, context) => answerError(context, error));
  const { request } = app;
  app.request = async (...input) => {
    const answer = await request(...input);
    expect(problems.splice(0)).toEqual([undefined]);
    return answer;
  };
  return app;
}
