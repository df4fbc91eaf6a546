import { Hono } from "hono";
import { z } from "zod";
import { inputErrorOf } from "../core/problems.ts";
import { type OverdueSourcesPorts, overdueSources } from "../delivery/overdue.ts";

const noQuery = z.strictObject({});

/** What reports say, as of now. */
export function reportRoutes(ports: OverdueSourcesPorts): Hono {
  const app = new Hono();

  /** The live sources of which nothing has come for longer than their window. */
  app.get("/reports/overdue", async (context) => {
    const query = noQuery.safeParse(context.req.query());
    if (!query.success) throw inputErrorOf(query.error, context.req.query());
    return context.json({ overdue: await overdueSources(ports) });
  });

  return app;
}
