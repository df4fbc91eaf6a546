import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { InputError } from "../core/errors.ts";
import { type EnhancementFiles, enhancementFileNames } from "../sources/conf/enhancement-files.ts";
import {
  type ConfigurationInput,
  type ImportPorts,
  importConfiguration,
} from "../sources/conf/import-configuration.ts";
import {
  describeImportInProgress,
  type ImportSummary,
  summarizeImport,
} from "../sources/conf/import-summary.ts";
import { parseBody, parseQuery, textBody } from "./parse-request.ts";

export interface ConfigurationPorts extends ImportPorts {
  clock: Clock;
}

const booleanParameter = z.enum(["true", "false"]).default("false");

const importQuery = z.strictObject({ dryRun: booleanParameter, allowRemovals: booleanParameter });

const importBody = z.strictObject({
  conf: z.string().min(1),
  /** The lists beside the file, by the names of their files. */
  maps: z.partialRecord(z.enum(Object.values(enhancementFileNames)), z.string()).default({}),
});

/** Of each list in an answer: a function's answer has at most 6 MB. */
const maxListed = 1_000;

/** The configuration, for operators. */
export function configurationRoutes({ clock, ...ports }: ConfigurationPorts): Hono {
  const app = new Hono();

  /** Takes over a `zotero_harvester.conf`: as text, or as JSON together with its lists. */
  app.post("/config/import", async (context) => {
    const { dryRun, allowRemovals } = parseQuery(context, importQuery);
    const outcome = await importConfiguration(await readInput(context), ports, {
      dryRun: dryRun === "true",
      allowRemovals: allowRemovals === "true",
      by: "POST /config/import",
      now: () => clock.now(),
    });
    if (outcome.type === "in-progress")
      return context.json({ error: describeImportInProgress(outcome) }, 409);
    const summary = limitLists(summarizeImport(outcome));
    if (summary.type === "imported") return context.json(summary);
    return context.json({ error: "nothing is imported: the file has problems", ...summary }, 400);
  });

  return app;
}

async function readInput(context: Context): Promise<ConfigurationInput> {
  const contentType = context.req.header("content-type") ?? "";
  if (/^text\/plain\b/i.test(contentType)) return { ini: await textBody(context), files: {} };
  if (!/^application\/json\b/i.test(contentType)) {
    throw new InputError("content-type", contentType, "must be text/plain or application/json");
  }
  const { conf, maps } = await parseBody(context, importBody);
  const files: EnhancementFiles = {};
  for (const [list, name] of Object.entries(enhancementFileNames)) {
    const content = maps[name];
    if (content !== undefined) files[list as keyof EnhancementFiles] = assertUtf8(`maps.${name}`, content);
  }
  return { ini: assertUtf8("conf", conf), files };
}

/**
 * Whoever has written the JSON may have put U+FFFD, as an escape, for each byte that was not UTF-8.
 * @throws InputError that names the first line with one
 */
function assertUtf8(field: string, text: string): string {
  const at = text.indexOf("\ufffd");
  if (at < 0) return text;
  const before = text.slice(0, at).split("\n");
  const line = `${before.at(-1)}${text.slice(at).split("\n", 1)[0]}`;
  throw new InputError(field, line, `line ${before.length} is not UTF-8`);
}

/** The first of each list, and how many more there are. */
function limitLists({ problems, warnings, changes, ...rest }: ImportSummary) {
  const moreOf = (list: readonly unknown[] = []) => Math.max(0, list.length - maxListed);
  const more = { problems: moreOf(problems), warnings: moreOf(warnings), changes: moreOf(changes) };
  return {
    ...rest,
    warnings: warnings.slice(0, maxListed),
    ...(changes && { changes: changes.slice(0, maxListed) }),
    ...(problems && { problems: problems.slice(0, maxListed) }),
    ...(Object.values(more).some((count) => count > 0) && { more }),
  };
}
