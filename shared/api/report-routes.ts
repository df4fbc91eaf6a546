import { Hono } from "hono";
import { type OverdueSourcesPorts, overdueSources } from "../delivery/overdue.ts";

/** What reports say, as of now. */
export function reportRoutes(ports: OverdueSourcesPorts): Hono {
  const app = new Hono();

  /** The live sources of which nothing has come for longer than their window. */
  app.get("/reports/overdue", async (context) => context.json({ overdue: await overdueSources(ports) }));

  return app;
}
