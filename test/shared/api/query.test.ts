import type { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../shared/api/create-app.ts";
import { systemClock } from "../../../shared/core/clock.ts";
import type { OperatorPorts } from "../../../shared/operations/routes/operator-parts.ts";
import { operatorSubjects } from "../../../shared/operations/routes/operator-routes.ts";
import { publicSubjects } from "../../../shared/operations/routes/public-routes.ts";

/** No store is read before the query is parsed. */
const ports = { clock: systemClock, timeZone: "UTC" } as never;
const apps = [createApp(publicSubjects, ports), createApp<OperatorPorts>(operatorSubjects, ports)];

/** A valid id for every route. */
const id = "live-20261120T190000Z";

/** These two ignore unknown parameters: people add some to links. */
const linked = ["GET /records/:id", "GET /records/:id/source"];

/** Required parameters. */
const needed: Record<string, string> = {
  "GET /records": "collection=c&",
  "DELETE /validation-rules": "tag=245&",
  "GET /runs/:id/articles": "source=a&",
  "GET /archive-titles": "title=aa&",
};

const routes = apps.flatMap((app) => {
  app.onError((error, context) => context.text(error.message, 400));
  const names = new Set(app.routes.map(({ method, path }) => `${method} ${path}`));
  return [...names].filter((name) => !linked.includes(name)).map((name) => ({ app, name }));
});

async function request(app: Hono, name: string, query: string) {
  const [method = "", path = ""] = name.split(" ");
  const answer = await app.request(`${path.replaceAll(/:\w+/g, id)}?${needed[name] ?? ""}${query}`, {
    method,
  });
  return [answer.status, await answer.text()];
}

describe.each(routes)("$name", ({ app, name }) => {
  it.each([
    ["a parameter without a meaning", "made-up=1", /^made-up: is unknown here \(got "1"\)/],
    ["a parameter given twice", "mode=LIVE&mode=TEST", /^mode: must be given once \(got \["LIVE","TEST"\]\)/],
    ["one that is not UTF-8", "mode=%ff", /^mode: is not UTF-8/],
  ])("%s → 400 that names it", async (_title, query, says) => {
    expect(await request(app, name, query)).toEqual([400, expect.stringMatching(says)]);
  });
});

it.each(["GET /deliveries", "GET /runs", `GET /runs/${id}`, "GET /validation-rules"])(
  "%s with a limit that is not in digits → 400 that names it",
  async (name) => {
    for (const limit of ["1e2", "0x10", "%205", "5.0", "+5", "-1", "", "0", "9999999999"]) {
      const [status, says] = await request(apps[1] as Hono, name, `limit=${limit}`);
      expect([limit, status, says]).toEqual([limit, 400, expect.stringMatching(/^limit: .*whole number/)]);
    }
  },
);
