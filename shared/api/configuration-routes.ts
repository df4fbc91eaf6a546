import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { InputError } from "../core/errors.ts";
import { type EnhancementFiles, enhancementFileNames } from "../sources/enhancement-files.ts";
import {
  type ConfigurationInput,
  type ConfigurationStore,
  importConfiguration,
} from "../sources/import-configuration.ts";
import { summaryOfImport } from "../sources/import-summary.ts";
import { parsedBody, parsedQuery } from "./parse.ts";

export interface ConfigurationPorts {
  configuration: ConfigurationStore;
  clock: Clock;
}

const importQuery = z.strictObject({ dryRun: z.enum(["true", "false"]).default("false") });

const importBody = z.strictObject({
  conf: z.string().min(1),
  /** The lists beside the file, by the names of their files. */
  maps: z.partialRecord(z.enum(Object.values(enhancementFileNames)), z.string()).default({}),
});

/** The configuration, for operators. */
export function configurationRoutes({ configuration, clock }: ConfigurationPorts): Hono {
  const app = new Hono();

  /** Takes over a `zotero_harvester.conf`: as text, or as JSON together with its lists. */
  app.post("/config/import", async (context) => {
    const { dryRun } = parsedQuery(context, importQuery);
    const outcome = await importConfiguration(await readInput(context), configuration, {
      dryRun: dryRun === "true",
      now: () => clock.now(),
    });
    const summary = summaryOfImport(outcome);
    if (summary.type === "imported") return context.json(summary);
    return context.json({ error: "nothing is imported: the file has problems", ...summary }, 400);
  });

  return app;
}

async function readInput(context: Context): Promise<ConfigurationInput> {
  const contentType = context.req.header("content-type") ?? "";
  if (/^text\/plain\b/i.test(contentType)) return { ini: await context.req.text(), files: {} };
  if (!/^application\/json\b/i.test(contentType)) {
    throw new InputError("content-type", contentType, "must be text/plain or application/json");
  }
  const { conf, maps } = await parsedBody(context, importBody);
  const files: EnhancementFiles = {};
  for (const [list, name] of Object.entries(enhancementFileNames)) {
    const content = maps[name];
    if (content !== undefined) files[list as keyof EnhancementFiles] = content;
  }
  return { ini: conf, files };
}
