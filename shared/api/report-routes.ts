import { Hono } from "hono";
import { findOverdueSources, type OverdueSourcesPorts } from "../delivery/report/overdue.ts";
import { refuseQuery } from "./parse-request.ts";

/** What reports say, as of now. */
export function reportRoutes(ports: OverdueSourcesPorts): Hono {
  const app = new Hono();

  /** The live sources of which nothing has come for longer than their window. */
  app.get("/reports/overdue", refuseQuery, async (context) => {
    return context.json({ overdue: await findOverdueSources(ports) });
  });

  return app;
}
