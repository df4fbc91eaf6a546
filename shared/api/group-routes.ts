import { Hono } from "hono";
import { describeProblems } from "../core/problems.ts";
import type { ConfigurationItem } from "../sources/configuration.ts";
import { groupDelivery } from "../sources/group.ts";
import type { ConfigurationStore } from "../sources/import-configuration.ts";
import { parsedBody } from "./parse.ts";

export interface GroupPorts {
  configuration: Pick<ConfigurationStore, "items" | "put">;
}

/** Where a group's files go and how many records they hold, which no `zotero_harvester.conf` can say. */
export function groupRoutes({ configuration }: GroupPorts): Hono {
  const app = new Hono();
  const find = async (id: string): Promise<ConfigurationItem | undefined> =>
    (await configuration.items()).find((item) => item.kind === "group" && item.id === id);

  /** As it is stored; with what is wrong with it, when it is not valid. */
  app.get("/groups/:id/delivery", async (context) => {
    const id = context.req.param("id");
    const item = await find(id);
    if (item === undefined) return context.json(unknown(id), 404);
    const { destination, recordsPerFile } = item.value;
    const { data, error } = groupDelivery.safeParse({ destination, recordsPerFile });
    if (error === undefined) return context.json(data);
    return context.json({ destination, recordsPerFile, problem: `group ${id}: ${describeProblems(error)}` });
  });

  /** What is left out is as it is by default. The next upload goes by it, imports leave it. */
  app.put("/groups/:id/delivery", async (context) => {
    const id = context.req.param("id");
    const delivery = await parsedBody(context, groupDelivery);
    const item = await find(id);
    if (item === undefined) return context.json(unknown(id), 404);
    await configuration.put({ ...item, value: { ...item.value, ...delivery } });
    return context.json(delivery);
  });

  return app;
}

function unknown(id: string): { error: string } {
  return { error: `there is no group ${id}` };
}
