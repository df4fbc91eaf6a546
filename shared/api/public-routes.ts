import { Hono } from "hono";
import { InputError } from "../core/errors.ts";
import { writeMarcXml } from "../marc/marcxml-writer.ts";
import type { RecordStore } from "../ports.ts";

export interface PublicPorts {
  records: Pick<RecordStore, "get" | "marc">;
}

/** What anybody may ask. */
export function publicRoutes({ records }: PublicPorts): Hono {
  const app = new Hono();

  /** A record, whatever its state: as JSON, or as MARCXML where that is asked for. */
  app.get("/records/:id", async (context) => {
    const id = context.req.param("id");
    if (!/^[\w-]{1,64}$/.test(id)) throw new InputError("id", id, "must be 1 to 64 letters, digits, - or _");
    const record = await records.get(id);
    if (record === undefined) return context.json({ error: `there is no record ${id}` }, 404);
    const marc = await records.marc(record.recordKey);
    if (/\bapplication\/(marcxml\+)?xml\b/.test(context.req.header("accept") ?? "")) {
      return context.body(new TextDecoder().decode(writeMarcXml([marc])), 200, {
        "content-type": "application/marcxml+xml; charset=utf-8",
      });
    }
    const { recordKey: _inside, ...known } = record;
    return context.json({ ...known, marc });
  });

  return app;
}
