import { Hono } from "hono";
import { describeProblems } from "../core/schema-problems.ts";
import type { ConfigurationStore } from "../sources/conf/import-configuration.ts";
import { groupDelivery } from "../sources/group.ts";
import { parseBody, refuseQuery } from "./parse-request.ts";

export interface GroupPorts {
  configuration: Pick<ConfigurationStore, "item" | "setFields">;
}

/** Where a group's files go and how many records they hold, which no `zotero_harvester.conf` can say. */
export function groupRoutes({ configuration }: GroupPorts): Hono {
  const app = new Hono();

  /** As it is stored; with what is wrong with it, when it is not valid. */
  app.get("/groups/:id/delivery", refuseQuery, async (context) => {
    const id = context.req.param("id");
    const item = await configuration.item({ kind: "group", id });
    if (item === undefined) return context.json(notFound(id), 404);
    const { destination, recordsPerFile } = item.value;
    const { data, error } = groupDelivery.safeParse({ destination, recordsPerFile });
    if (error === undefined) return context.json(data);
    return context.json({ destination, recordsPerFile, problem: `group ${id}: ${describeProblems(error)}` });
  });

  /** What is left out is as it is by default. The next upload goes by it, imports leave it. */
  app.put("/groups/:id/delivery", refuseQuery, async (context) => {
    const id = context.req.param("id");
    const delivery = await parseBody(context, groupDelivery);
    const isKnown = await configuration.setFields({ kind: "group", id }, delivery);
    return isKnown ? context.json(delivery) : context.json(notFound(id), 404);
  });

  return app;
}

function notFound(id: string): { error: string } {
  return { error: `there is no group ${id}` };
}
