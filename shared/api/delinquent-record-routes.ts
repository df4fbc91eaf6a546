import { type Context, Hono } from "hono";
import { z } from "zod";
import type { ArchiveStore } from "../archive/archive-store.ts";
import type { Clock } from "../core/clock.ts";
import type { DelinquentRecord } from "../delivery/delinquent/delinquent-record.ts";
import type { DelinquentStore } from "../delivery/delinquent/delinquent-store.ts";
import { type BlockReason, releaseRecord, revalidate } from "../delivery/delinquent/revalidate.ts";
import type { RecordStore } from "../documents/stored-record.ts";
import { deliveredModes } from "../runs/run.ts";
import type { SourceStore } from "../sources/source-store.ts";
import { maxSourceIdChars, type ValidationRuleStore } from "../validation/rule.ts";
import { compileRules } from "../validation/rule-set.ts";
import { assertSource } from "./assert-source.ts";
import { parseQuery, refuseQuery, wholeNumber } from "./parse-request.ts";
import { parseRecordId, recordIdPattern } from "./record-id.ts";

export interface DelinquentRecordPorts {
  delinquents: DelinquentStore;
  records: Pick<RecordStore, "get" | "loadMarc" | "setState">;
  archive: Pick<ArchiveStore, "knownReasons">;
  rules: ValidationRuleStore;
  sources: Pick<SourceStore, "source">;
  clock: Clock;
}

const listQuery = z.strictObject({
  source: z.string().min(1, "must be the id of a source").max(maxSourceIdChars),
  mode: z.enum(deliveredModes).default("LIVE"),
  limit: wholeNumber({ most: 500 }).default(100),
  /** The id after which the page begins. */
  after: z.string().regex(recordIdPattern, "must be the `next` of a page of delinquent records").optional(),
});

/** The records that validation refused, for operators: each can be held against corrected rules, or let through by hand. */
export function delinquentRecordRoutes(ports: DelinquentRecordPorts): Hono {
  const app = new Hono();
  const { delinquents, records } = ports;
  const compiledRules = async () => compileRules(await ports.rules.rules());
  const pageOf = async (context: Context) => {
    const { source, mode, limit, after } = parseQuery(context, listQuery);
    const page = await delinquents.listBySource(mode, source, { limit, after });
    // One that has gone may have left records.
    if (page.length === 0 && after === undefined) await assertSource(source, ports.sources);
    return { page, next: page.length < limit ? undefined : page.at(-1)?.article.recordId };
  };
  const find = async (id: string): Promise<DelinquentRecord | undefined> => {
    const sourceId = (await records.get(id))?.sourceId;
    if (sourceId === undefined) return undefined;
    const found = await Promise.all(deliveredModes.map((mode) => delinquents.get(mode, sourceId, id)));
    return found.find((record) => record !== undefined);
  };

  /** Those of a source, with the first of their findings; `next` is where the following page begins. */
  app.get("/delinquent-records", async (context) => {
    const { page, next } = await pageOf(context);
    return context.json({ records: page.map(delinquentRecordView), next });
  });

  /** Holds those of a source against the rules as they are now, a page at a time. */
  app.post("/delinquent-records/revalidate", async (context) => {
    const { page, next } = await pageOf(context);
    const waiting = page.filter(({ released }) => released === undefined);
    const outcomes = await revalidate(waiting, await compiledRules(), ports);
    const results = waiting.map(({ article }, index) => ({
      id: article.recordId,
      outcome: outcomes[index],
    }));
    return context.json({ records: results, next });
  });

  /** One with all its findings. */
  app.get("/delinquent-records/:id", refuseQuery, async (context) => {
    const id = parseRecordId(context.req.param("id"));
    const record = await find(id);
    if (record === undefined) return context.json(notFound(id), 404);
    return context.json({ ...delinquentRecordView(record), findings: await delinquents.findings(record) });
  });

  app.post("/delinquent-records/:id/revalidate", refuseQuery, async (context) => {
    const id = parseRecordId(context.req.param("id"));
    const record = await find(id);
    if (record === undefined) return context.json(notFound(id), 404);
    const [outcome] = await revalidate([record], await compiledRules(), ports);
    return context.json({ id, outcome });
  });

  /** Lets one through by hand: the next run of its mode delivers it, once. */
  app.post("/delinquent-records/:id/release", refuseQuery, async (context) => {
    const id = parseRecordId(context.req.param("id"));
    const record = await find(id);
    const outcome = record === undefined ? "gone" : await releaseRecord(record, "operator", ports);
    if (outcome === "gone") return context.json(notFound(id), 404);
    if (outcome === "released") return context.json({ id, state: "released" });
    return context.json({ error: `record ${id} would not go out: ${releaseObstacles[outcome]}` }, 409);
  });

  return app;
}

const releaseObstacles: Record<BlockReason, string> = {
  ignored: 'the archive ignores it, or what has its address: set the state there to "reset" first',
  elsewhere: 'the archive has it as delivered by hand: set its state there to "reset" first',
  delivered: "the archive has its DOI, address or hash as delivered, or about to be",
};

function delinquentRecordView({
  article,
  deliveryMode,
  findings,
  findingCount,
  refusedAt,
  released,
}: DelinquentRecord) {
  const { recordId, sourceId, groupId, title, url } = article;
  const refused = { deliveryMode, findings, findingCount, refusedAt, released };
  return { id: recordId, sourceId, groupId, title, url, ...refused };
}

function notFound(id: string): { error: string } {
  return { error: `there is no delinquent record ${id}` };
}
