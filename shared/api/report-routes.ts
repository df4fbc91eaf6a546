import { Hono } from "hono";
import { type OverdueSourcesPorts, overdueSources } from "../delivery/report/overdue.ts";
import { withoutQuery } from "./parse.ts";

/** What reports say, as of now. */
export function reportRoutes(ports: OverdueSourcesPorts): Hono {
  const app = new Hono();

  /** The live sources of which nothing has come for longer than their window. */
  app.get("/reports/overdue", withoutQuery, async (context) => {
    return context.json({ overdue: await overdueSources(ports) });
  });

  return app;
}
