import { Hono } from "hono";
import { z } from "zod";
import { type OverdueSourcesPorts, overdueSources } from "../delivery/report/overdue.ts";
import { parsedQuery } from "./parse.ts";

const noQuery = z.strictObject({});

/** What reports say, as of now. */
export function reportRoutes(ports: OverdueSourcesPorts): Hono {
  const app = new Hono();

  /** The live sources of which nothing has come for longer than their window. */
  app.get("/reports/overdue", async (context) => {
    parsedQuery(context, noQuery);
    return context.json({ overdue: await overdueSources(ports) });
  });

  return app;
}
