import { Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { ThrottledError } from "../core/errors.ts";
import { describeProblems } from "../core/schema-problems.ts";
import type { ConfigurationStore } from "../sources/conf/import-configuration.ts";
import type { ConfigurationItem } from "../sources/configuration.ts";
import { type Source, source } from "../sources/source.ts";
import { applySourceChange } from "../sources/source-change.ts";
import { jsonBody, parseQuery, refuseQuery, wholeNumber } from "./parse-request.ts";

export interface SourcePorts {
  configuration: Pick<ConfigurationStore, "item" | "page" | "replace">;
  clock: Clock;
}

const listQuery = z.strictObject({
  limit: wholeNumber({ most: 1000 }).default(100),
  /** The source after which the page begins. */
  after: z.string().min(1).max(128).optional(),
});

/** How often a change is made anew, when somebody else writes the same source meanwhile. */
const maxAttempts = 5;
const retryAfterMs = 1_000;

/** The sources, and what operators set of them beyond the configuration file. */
export function sourceRoutes({ configuration, clock }: SourcePorts): Hono {
  const app = new Hono();

  /** In the order of their ids; `next` is where the following page begins. */
  app.get("/sources", async (context) => {
    const { limit, after } = parseQuery(context, listQuery);
    const found = await configuration.page("source", { limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return context.json({ sources: page.map(sourceSummary), ...(last && { next: last.id }) });
  });

  /** As it is stored; with what is wrong with it, when it is not valid. */
  app.get("/sources/:id", refuseQuery, async (context) => {
    const id = context.req.param("id");
    const item = await configuration.item({ kind: "source", id });
    return item === undefined ? context.json(notFound(id), 404) : context.json(sourceView(item));
  });

  /** Sets what the body has, and nothing else; null is as by default. The next run goes by it, imports leave it. */
  app.patch("/sources/:id", refuseQuery, async (context) => {
    const id = context.req.param("id");
    const change = await jsonBody(context);
    for (let round = 1; round <= maxAttempts; round += 1) {
      const before = await configuration.item({ kind: "source", id });
      if (before === undefined) return context.json(notFound(id), 404);
      const value = applySourceChange(before.value, change, clock.now());
      if (await configuration.replace({ ...before, value }, before)) return context.json(value);
    }
    const retryAt = new Date(clock.now().getTime() + retryAfterMs);
    throw new ThrottledError(`source ${id} is being changed by somebody else: ask once more`, retryAt);
  });

  return app;
}

function sourceView({ id, value }: ConfigurationItem): object {
  const { data, error } = source.safeParse(value);
  return data ?? { ...value, problem: `source ${id}: ${describeProblems(error as z.ZodError)}` };
}

/** What an operator tells sources apart by, and all that is set beyond the file (`sourceFieldsBeyondFile`). */
function sourceSummary(item: ConfigurationItem): object {
  const of = sourceView(item) as Partial<Source> & { problem?: string };
  const { sourceId = item.id, title, type, url, groupId, deliveryMode, problem } = of;
  const { addedAt, throttleMs, obeyRobots, collectionId } = of;
  const crawl = { maxPages: of.crawl?.maxPages, sitemaps: of.crawl?.sitemaps };
  const beyondFile = { addedAt, throttleMs, obeyRobots, collectionId, crawl };
  return { sourceId, title, type, url, groupId, deliveryMode, ...beyondFile, problem };
}

function notFound(id: string): { error: string } {
  return { error: `there is no source ${id}` };
}
