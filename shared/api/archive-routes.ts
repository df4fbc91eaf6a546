import { Hono } from "hono";
import { z } from "zod";
import { type ArchiveEntry, operatorStates } from "../archive/archive-entry.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import { InputError } from "../core/errors.ts";
import { changeArchiveState, findArchived } from "../delivery/archive/archive-operations.ts";
import type { RecordStore } from "../documents/stored-record.ts";
import { deliveredModes } from "../runs/run.ts";
import { parseBody, parseQuery } from "./parse-request.ts";
import { parseRecordId } from "./record-id.ts";

export interface ArchivePorts {
  archive: ArchiveStore;
  records: Pick<RecordStore, "resetDelivered">;
}

const modeQuery = z.strictObject({ mode: z.enum(deliveredModes).default("LIVE") });
const lookupQuery = modeQuery.extend({
  doi: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  hash: z.string().min(1).optional(),
});
const changeBody = z.strictObject({ state: z.enum(operatorStates) });

/** The archive, which remembers what was delivered; `mode=TEST` asks for that of the test deliveries. */
export function archiveRoutes(ports: ArchivePorts): Hono {
  const app = new Hono();

  /** The record with this DOI, URL or hash. */
  app.get("/archive", async (context) => {
    const { mode, ...by } = parseQuery(context, lookupQuery);
    if (Object.keys(by).length !== 1) {
      throw new InputError("query", { mode, ...by }, "must have one of doi, url and hash");
    }
    const entry = await findArchived(by, mode, ports.archive);
    if (entry === undefined) return context.json({ error: "the archive has no such record" }, 404);
    return context.json(entryView(entry));
  });

  app.get("/archive/:recordId", async (context) => {
    const recordId = parseRecordId(context.req.param("recordId"));
    const { mode } = parseQuery(context, modeQuery);
    const entry = await findArchived({ recordId }, mode, ports.archive);
    if (entry === undefined) return context.json({ error: `the archive has no record ${recordId}` }, 404);
    return context.json(entryView(entry));
  });

  /** `{"state": "reset"}`: deliver it anew when it is harvested next; `ignore`: never; `manual`: it is delivered by hand. */
  app.put("/archive/:recordId", async (context) => {
    const recordId = parseRecordId(context.req.param("recordId"));
    const { mode } = parseQuery(context, modeQuery);
    const { state } = await parseBody(context, changeBody);
    const entry = await changeArchiveState({ recordId, mode, state }, ports);
    if (entry === "claimed") {
      const error = `a run is about to deliver record ${recordId}: it can be changed when that has ended`;
      return context.json({ error }, 409);
    }
    if (entry === undefined) return context.json({ error: `the archive has no record ${recordId}` }, 404);
    return context.json(entryView(entry));
  });

  return app;
}

/** An entry without what is the archive's own business. */
function entryView({ owner: _owner, entryKey: _entryKey, keys: _keys, expiresAt, ...entry }: ArchiveEntry) {
  return {
    ...entry,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt * 1000).toISOString() }),
  };
}
