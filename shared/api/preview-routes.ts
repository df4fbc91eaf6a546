import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { InputError } from "../core/errors.ts";
import {
  type Preview,
  type PreviewPorts as ReadPreviewPorts,
  readPreview,
} from "../delivery/validate/preview.ts";
import { buildRunId, type RunStart } from "../runs/run.ts";
import type { SourceStore } from "../sources/source-store.ts";
import { parseQuery, refuseQuery, wholeNumber } from "./parse-request.ts";

export interface PreviewPorts extends ReadPreviewPorts {
  sources: Pick<SourceStore, "source">;
  runStarts: { send(start: RunStart): Promise<void> };
  clock: Clock;
}

const previewQuery = z.strictObject({ items: wholeNumber({ most: 20 }).default(5) });

/** What a source would deliver, before it is switched on. */
export function previewRoutes(ports: PreviewPorts): Hono {
  const app = new Hono();

  /** Begins a preview: hosts are asked in their turn, so the answer says where its result will be. */
  app.post("/sources/:id/preview", async (context) => {
    const { items: newest } = parseQuery(context, previewQuery);
    const sourceId = parseSourceId(context);
    if ((await ports.sources.source(sourceId)) === undefined) {
      return context.json({ error: `there is no source ${sourceId}` }, 404);
    }
    const start: RunStart = {
      deliveryMode: "NONE",
      scheduledTime: ports.clock.now().toISOString(),
      sourceIds: [sourceId],
      newest,
    };
    await ports.runStarts.send(start);
    const result = `/sources/${sourceId}/preview/${buildRunId(start)}`;
    return context.json({ state: "starting", result }, 202, { location: result });
  });

  /** The records with what validation found, and what did not become one: 202 with what there is until it is whole, or has failed. */
  app.get("/sources/:id/preview/:previewId", refuseQuery, async (context) => {
    const sourceId = parseSourceId(context);
    const previewId = context.req.param("previewId");
    const startedAt = parseStartTime(previewId, sourceId);
    if (startedAt === undefined) {
      return context.json({ error: `source ${sourceId} has no preview ${previewId}` }, 404);
    }
    const preview = await readPreview(previewId, ports);
    if (preview !== undefined) return context.json(preview, isOver(preview) ? 200 : 202);
    if (ports.clock.now().getTime() - startedAt.getTime() > maxStartDelayMs) {
      return context.json({ error: `the preview ${previewId} has not begun` }, 404);
    }
    return context.json({ state: "starting", records: [], missed: [] }, 202);
  });

  return app;
}

function isOver({ state }: Preview): boolean {
  return state === "finished" || state === "failed";
}

/** A start that nobody has read by then was lost, or never made. */
const maxStartDelayMs = 10 * 60_000;

function parseSourceId(context: Context): string {
  const id = context.req.param("id") ?? "";
  if (!/^[a-z0-9][a-z0-9._-]{0,127}$/.test(id)) throw new InputError("id", id, "must be the id of a source");
  return id;
}

/** When a preview of this source was asked for, by its id; undefined for an id that is none of the source's. */
function parseStartTime(previewId: string, sourceId: string): Date | undefined {
  const [, ...parts] = /^none-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/.exec(previewId) ?? [];
  const [year, month, day, hours, minutes, seconds] = parts;
  const startedAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(startedAt.getTime())) return undefined;
  const start = {
    deliveryMode: "NONE" as const,
    scheduledTime: startedAt.toISOString(),
    sourceIds: [sourceId],
  };
  return buildRunId(start) === previewId ? startedAt : undefined;
}
